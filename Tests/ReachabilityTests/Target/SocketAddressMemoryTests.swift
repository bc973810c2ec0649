import Glibc
import InternetProtocol
import Reachability
import Testing

@Suite struct SocketAddressMemoryTests {
    private func read(_ address: SocketAddress, length: Int? = nil) throws(SocketAddressError) -> SocketAddress {
        try unsafe address.withSockaddr { pointer, own throws(SocketAddressError) in
            // Sound: the storage behind the pointer is a sockaddr_storage, 128 bytes, and no test reads more.
            try unsafe SocketAddress(pointer, length: socklen_t(length ?? Int(own)))
        }
    }

    @Test(arguments: ["10.0.0.1:80", "0.0.0.0", "2001:db8::1", "[fe80::1%lo]:443", "::ffff:10.0.0.9"])
    func itComesBackOutOfMemory(text: String) throws {
        let address = try SocketAddress(text)
        #expect(try read(address) == address)
        #expect(try read(address, length: 128) == address, "a sockaddr_storage")
    }

    @Test func theLengthIsItsFamilys() throws {
        let lengths = try ["10.0.0.1", "::1"].map { try unsafe SocketAddress($0).withSockaddr { _, length in length } }
        #expect(lengths == [16, 28])
    }

    @Test(
        arguments: [
            ("10.0.0.1", 15, 2), ("10.0.0.1", 2, 2), ("::1", 27, 10), ("::1", 16, 10), ("10.0.0.1", 1, nil),
            ("10.0.0.1", 0, nil),
        ] as [(String, Int, Int32?)])
    func aLengthThatCannotBeIsRefused(text: String, length: Int, family: Int32?) throws {
        let address = try SocketAddress(text)
        do {
            _ = try read(address, length: length)
            Issue.record("taken")
        } catch {
            #expect(error.problem == .length(length, family: family))
            #expect(error.description.contains("\(length) bytes"))
        }
    }

    private func refusal(of bytes: [UInt8]) -> SocketAddressError? {
        // Sound: the memory is read during the call only.
        let result = unsafe bytes.withUnsafeBytes { buffer in
            Result { () throws(SocketAddressError) in try unsafe SocketAddress(buffer) }
        }
        guard case .failure(let error) = result else { return nil }
        return error
    }

    @Test func moreThanAStorageIsRefusedUnread() {
        let bytes = [UInt8](repeating: 2, count: 129)
        let error = refusal(of: bytes)
        #expect(error?.problem == .length(129, family: nil))
    }

    @Test(arguments: [0, 1, 3, 16, 17, 0xffff] as [UInt16]) func anotherFamilyIsRefused(family: UInt16) {
        let bytes = [UInt8(family & 0xff), UInt8(family >> 8)] + [UInt8](repeating: 0, count: 126)
        let error = refusal(of: bytes)
        #expect(error?.problem == .family(Int32(family)))
        #expect(error?.description.contains("family \(family)") == true)
    }

    @Test func aNullBufferIsRefused() {
        #expect(throws: SocketAddressError.self) {
            try unsafe SocketAddress(UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    @Test func cAddressesAreTaken() throws {
        var v4 = in_addr()
        var v6 = in6_addr()
        // Sound: inet_pton writes the structs it is given.
        #expect(unsafe inet_pton(AF_INET, "10.0.0.1", &v4) == 1 && inet_pton(AF_INET6, "fe80::1", &v6) == 1)
        #expect(try SocketAddress(v4, port: 80) == SocketAddress("10.0.0.1:80"))
        #expect(try SocketAddress(v6, scopeID: 1) == SocketAddress("fe80::1%lo"))
    }

    @Test func whatItSaysOfItself() throws {
        let v4 = try SocketAddress("10.0.0.1:80")
        let v6 = try SocketAddress("[fe80::1%lo]:81")
        #expect(v4.isIPv4 && v4.port == 80 && v4.scopeID == 0 && !v4.isUnspecified)
        #expect(!v6.isIPv4 && v6.port == 81 && v6.scopeID == 1)
        #expect(try SocketAddress("0.0.0.0:80").isUnspecified && SocketAddress("::").isUnspecified)
        #expect(SocketAddress(ip: ip("10.0.0.1"), scopeID: 7).scopeID == 0, "IPv4 has no scopes")
    }
}
