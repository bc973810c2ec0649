import CRtnetlink

/// Runs a classic BPF program over a message as the kernel does (net/core/filter.c, Documentation/networking/filter.rst),
/// as far as filters of netlink sockets go.
struct FilterInterpreter {
    let program: [sock_filter]

    enum Fault: Error, Equatable {
        /// The kernel's checker would refuse the program.
        case unknownInstruction(code: UInt16)
        case runsOffTheEnd
    }

    /// True if the program lets the message through.
    func accepts(_ message: [UInt8]) throws(Fault) -> Bool {
        var a: UInt32 = 0
        var x: UInt32 = 0
        var memory = [UInt32](repeating: 0, count: 16)  // BPF_MEMWORDS
        var position = 0
        while position < program.count {
            let instruction = program[position]
            let k = instruction.k
            position += 1
            switch Int32(instruction.code) {
            case BPF_LD | BPF_IMM: a = k
            case BPF_LDX | BPF_IMM: x = k
            case BPF_LD | BPF_MEM: a = memory[Int(k)]
            case BPF_LDX | BPF_MEM: x = memory[Int(k)]
            case BPF_ST: memory[Int(k)] = a
            case BPF_MISC | BPF_TAX: x = a
            case BPF_LD | BPF_W | BPF_ABS where k == REACHABILITY_FILTER_FIND_ATTRIBUTE:
                a = Self.attribute(UInt16(truncatingIfNeeded: x), in: message, from: Int(a))
            case BPF_LD | BPF_B | BPF_ABS, BPF_LD | BPF_H | BPF_ABS, BPF_LD | BPF_W | BPF_ABS:
                // A load beyond the message ends the program, and drops it.
                guard let value = Self.load(instruction.code, message, Int(k)) else { return false }
                a = value
            case BPF_LD | BPF_W | BPF_IND:
                guard let value = Self.load(instruction.code, message, Int(x) + Int(k)) else { return false }
                a = value
            case BPF_ALU | BPF_SUB | BPF_X: a = a &- x
            case BPF_ALU | BPF_XOR: a ^= k
            case BPF_ALU | BPF_RSH: a = a &>> k
            case BPF_ALU | BPF_RSH | BPF_X: a = a &>> x
            case BPF_JMP | BPF_JA: position += Int(k)
            case BPF_JMP | BPF_JEQ: position += Int(a == k ? instruction.jt : instruction.jf)
            case BPF_JMP | BPF_JGT: position += Int(a > k ? instruction.jt : instruction.jf)
            case BPF_RET: return k > 0
            default: throw .unknownInstruction(code: instruction.code)
            }
        }
        throw .runsOffTheEnd
    }

    /// Packet loads are in network order.
    private static func load(_ code: UInt16, _ message: [UInt8], _ offset: Int) -> UInt32? {
        let count =
            switch Int32(code) & 0x18 {
            case BPF_B: 1
            case BPF_H: 2
            default: 4
            }
        guard offset >= 0, offset + count <= message.count else { return nil }
        return message[offset..<offset + count].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// SKF_AD_NLATTR: the place of the first attribute of a type, or zero.
    private static func attribute(_ type: UInt16, in message: [UInt8], from start: Int) -> UInt32 {
        var offset = start
        while offset + 4 <= message.count {
            let length = Int(message[offset]) | Int(message[offset + 1]) << 8
            let found = UInt16(message[offset + 2]) | UInt16(message[offset + 3]) << 8
            guard length >= 4, offset + length <= message.count else { return 0 }
            if found & 0x3fff == type { return UInt32(offset) }
            offset += (length + 3) & ~3
        }
        return 0
    }
}
