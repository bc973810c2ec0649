internal import Glibc

/// A tun device whose hardware type is another than usual: what modems and dialled lines show.
enum TunDevice {
    // linux/if_tun.h
    private static let setInterface: UInt = 0x4004_54ca  // TUNSETIFF
    private static let setLink: UInt = 0x4004_54cd  // TUNSETLINK, while the device is down
    private static let tunWithoutHeader: UInt16 = 0x0001 | 0x1000  // IFF_TUN | IFF_NO_PI

    /// Makes the device, says `ready`, and holds it, so that it has a carrier, until the input ends.
    static func hold(_ name: String, _ type: UInt16) -> Int32 {
        let descriptor = unsafe open("/dev/net/tun", O_RDWR)
        // struct ifreq: sixteen bytes of name, then the flags, forty bytes in all.
        var request = Array(name.utf8.prefix(15))
        request += [UInt8](repeating: 0, count: 40 - request.count)
        request[16] = UInt8(tunWithoutHeader & 0xff)
        request[17] = UInt8(tunWithoutHeader >> 8)
        // Sound: TUNSETIFF reads and writes one ifreq, TUNSETLINK takes a number in the place of the pointer.
        guard descriptor >= 0, unsafe ioctl(descriptor, setInterface, &request) == 0,
            ioctl(descriptor, setLink, CInt(type)) == 0
        else {
            print("errno \(errno)")
            return 1
        }
        print("ready")
        fflush(nil)
        while readLine() != nil {}
        return 0
    }
}
