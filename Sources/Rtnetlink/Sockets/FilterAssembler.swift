internal import CRtnetlink

/// Writes classic BPF instructions (linux/filter.h) by name.
///
/// A skip passes over the next instructions; one under a condition reaches 255 at most, a jump any number.
struct FilterAssembler {
    private(set) var instructions: [sock_filter] = []

    // linux/bpf_common.h: class, size, mode, operation, source.
    private enum Code {
        static let ld: UInt16 = 0x00
        static let ldx: UInt16 = 0x01
        static let st: UInt16 = 0x02
        static let alu: UInt16 = 0x04
        static let jmp: UInt16 = 0x05
        static let ret: UInt16 = 0x06
        static let misc: UInt16 = 0x07
        static let word: UInt16 = 0x00
        static let half: UInt16 = 0x08
        static let byte: UInt16 = 0x10
        static let immediate: UInt16 = 0x00
        static let absolute: UInt16 = 0x20
        static let indirect: UInt16 = 0x40
        static let memory: UInt16 = 0x60
        static let subtract: UInt16 = 0x10
        static let shiftRight: UInt16 = 0x70
        static let exclusiveOr: UInt16 = 0xa0
        static let x: UInt16 = 0x08
        static let equal: UInt16 = 0x10
        static let above: UInt16 = 0x20
    }

    mutating func load(byte offset: UInt32) { add(Code.ld | Code.byte | Code.absolute, offset) }
    mutating func load(half offset: UInt32) { add(Code.ld | Code.half | Code.absolute, offset) }
    mutating func load(constant: UInt32) { add(Code.ld | Code.immediate, constant) }
    mutating func load(from cell: UInt32) { add(Code.ld | Code.memory, cell) }
    mutating func loadX(constant: UInt32) { add(Code.ldx | Code.immediate, constant) }
    mutating func loadX(from cell: UInt32) { add(Code.ldx | Code.memory, cell) }
    /// Loads a word in network order from so many bytes beyond the place in X.
    mutating func loadWord(beyondX offset: UInt32) { add(Code.ld | Code.word | Code.indirect, offset) }
    /// Finds the attribute of the type in X from the place in A on; leaves its place in A, or zero.
    mutating func findAttribute() { add(Code.ld | Code.word | Code.absolute, REACHABILITY_FILTER_FIND_ATTRIBUTE) }
    mutating func store(at cell: UInt32) { add(Code.st, cell) }
    mutating func copyToX() { add(Code.misc, 0) }
    mutating func subtractX() { add(Code.alu | Code.subtract | Code.x, 0) }
    mutating func exclusiveOr(_ constant: UInt32) { add(Code.alu | Code.exclusiveOr, constant) }
    mutating func shiftRight(_ count: UInt32) { add(Code.alu | Code.shiftRight, count) }
    mutating func shiftRightByX() { add(Code.alu | Code.shiftRight | Code.x, 0) }

    mutating func skip(_ count: UInt8, ifEqual value: UInt32) { add(Code.jmp | Code.equal, value, count, 0) }
    mutating func skip(_ count: UInt8, unlessEqual value: UInt32) { add(Code.jmp | Code.equal, value, 0, count) }
    mutating func skip(_ count: UInt8, unlessAbove value: UInt32) { add(Code.jmp | Code.above, value, 0, count) }
    mutating func jump(_ count: Int) { add(Code.jmp, UInt32(count)) }

    /// Lets the message through whole.
    mutating func accept() { add(Code.ret, .max) }
    /// Drops the message.
    mutating func reject() { add(Code.ret, 0) }

    mutating func append(_ others: [sock_filter]) { instructions += others }

    private mutating func add(_ code: UInt16, _ k: UInt32, _ whenTrue: UInt8 = 0, _ whenFalse: UInt8 = 0) {
        instructions.append(sock_filter(code: code, jt: whenTrue, jf: whenFalse, k: k))
    }
}
