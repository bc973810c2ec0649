import InternetProtocol
import Testing

@Suite struct IPAddressTests {
    @Test(arguments: ["0.0.0.0", "127.0.0.1", "255.255.255.255", "::", "::1", "2001:db8::1", "fe80::1", "ff02::1"])
    func canonicalTextIsKept(text: String) {
        #expect(IPAddress(text)?.description == text)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "fe80::1%eth0", "[::1]", "1.2.3.4 ", "localhost", "1:2", "1.2.3.4\0",
        "::1\0x",
    ])
    func otherTextIsNoAddress(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"), ("017700000001", "127.0.0.1"), ("1", "0.0.0.1"),
    ])
    func classicFormsAreIPv4(text: String, address: String) {
        #expect(IPAddress(classicIPv4: text)?.description == address)
    }

    @Test(arguments: ["1.2.3.4 foo", " 1.2.3.4", "1.2.3.4.", "", "0x1ffffffff", "127.1\0"])
    func classicFormsEndAtTheAddress(text: String) {
        #expect(IPAddress(classicIPv4: text) == nil)
    }

    @Test func aMappedAddressIsIPv4() {
        #expect(IPAddress("::ffff:10.0.0.9")?.unmapped == IPAddress("10.0.0.9"))
        #expect(IPAddress("::fffe:10.0.0.9")?.unmapped.family == .v6)
    }

    @Test func kindsFollowTheirRanges() throws {
        for text in ["169.254.0.0", "169.254.255.255", "fe80::", "febf:ffff::1"] {
            #expect(IPAddress(text)?.isLinkLocal == true, "\(text)")
        }
        for text in ["169.253.255.255", "169.255.0.0", "fec0::", "fe7f::"] {
            #expect(IPAddress(text)?.isLinkLocal == false, "\(text)")
        }
        #expect(IPAddress("127.255.0.1")?.isLoopback == true)
        #expect(IPAddress("::2")?.isLoopback == false)
        #expect(IPAddress("239.1.1.1")?.isMulticast == true)
        #expect(IPAddress("ff02::1")?.isLinkScopedMulticast == true)
        #expect(IPAddress("ff05::1")?.isLinkScopedMulticast == false)
    }

    @Test func bytesGoBothWays() throws {
        for text in ["10.1.2.3", "2001:db8::ff00:42:8329"] {
            let address = try #require(IPAddress(text))
            #expect(IPAddress(bytes: address.bytes) == address)
        }
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
        #expect(IPAddress("2001:db8::1").map { IPAddress($0.in6) } == IPAddress("2001:db8::1"))
    }
}

@Suite struct AddressPrefixTests {
    @Test func aPrefixHoldsItsRangeAndNothingElse() throws {
        let prefix = AddressPrefix(try #require(IPAddress("10.1.2.3")), length: 9)
        #expect(prefix.description == "10.0.0.0/9")
        #expect(prefix.last == IPAddress("10.127.255.255"))
        #expect(prefix.contains(try #require(IPAddress("10.127.0.1"))))
        #expect(!prefix.contains(try #require(IPAddress("10.128.0.0"))))
        #expect(!prefix.contains(try #require(IPAddress("::a01:203"))))
    }

    @Test func theWholeOfAFamilyIsAPrefixToo() throws {
        let all = AddressPrefix(.unspecified(.v6), length: 0)
        #expect(all.contains(try #require(IPAddress("ffff::1"))))
        #expect(all.last.bits == .max)
    }

    @Test func rangesOverlapWhenOneHoldsTheOther() throws {
        let wide = AddressPrefix(try #require(IPAddress("10.0.0.0")), length: 8)
        let narrow = AddressPrefix(try #require(IPAddress("10.9.0.0")), length: 16)
        let apart = AddressPrefix(try #require(IPAddress("11.0.0.0")), length: 8)
        #expect(wide.overlaps(narrow) && narrow.overlaps(wide) && !wide.overlaps(apart))
    }
}
