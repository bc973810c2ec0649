package import InternetProtocol

/// As much of RFC 1035 as a scripted server needs.
package enum DNSMessage {
    /// A question as it came.
    package struct Question: Sendable {
        package let id: [UInt8]
        /// In lower case, without the dot at its end.
        package let name: String
        /// 1: A, 28: AAAA
        package let type: UInt16
        /// The question section as it came.
        package let section: [UInt8]
        /// How often it was asked for before.
        package var count = 0
        package var isTCP = false

        package var family: IPAddress.Family? {
            switch type {
            case 1: .v4
            case 28: .v6
            default: nil
            }
        }

        package init?(_ bytes: [UInt8]) {
            var labels: [String] = []
            var position = 12
            while position < bytes.count, bytes[position] > 0 {
                let end = position + 1 + Int(bytes[position])
                guard end < bytes.count else { return nil }
                labels.append(String(decoding: bytes[(position + 1)..<end], as: UTF8.self).lowercased())
                position = end
            }
            guard position + 5 <= bytes.count else { return nil }
            id = Array(bytes[0..<2])
            name = labels.joined(separator: ".")
            type = UInt16(bytes[position + 1]) << 8 | UInt16(bytes[position + 2])
            section = Array(bytes[12..<(position + 5)])
        }
    }

    package struct Record: Sendable {
        package var name: String
        package var type: UInt16
        package var timeToLive: UInt32
        package var data: [UInt8]

        package static func address(_ name: String, _ address: IPAddress, timeToLive: UInt32 = 60) -> Record {
            Record(name: name, type: address.family == .v4 ? 1 : 28, timeToLive: timeToLive, data: address.bytes)
        }

        package static func alias(_ name: String, _ target: String, timeToLive: UInt32 = 60) -> Record {
            Record(name: name, type: 5, timeToLive: timeToLive, data: DNSMessage.encoded(target))
        }
    }

    package static func encoded(_ name: String) -> [UInt8] {
        name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    package static func reply(
        to question: Question, code: UInt8 = 0, isTruncated: Bool = false, _ records: [Record] = []
    ) -> [UInt8] {
        var bytes = question.id + [isTruncated ? 0x83 : 0x81, 0x80 | code]
        bytes += [0, 1] + big(UInt16(records.count)) + [0, 0, 0, 0] + question.section
        for record in records {
            bytes += encoded(record.name) + big(record.type) + [0, 1] + big(record.timeToLive)
            bytes += big(UInt16(record.data.count)) + record.data
        }
        return bytes
    }

    package static func big(_ number: some FixedWidthInteger) -> [UInt8] {
        let width = number.bitWidth / 8
        return (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
