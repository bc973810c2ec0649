import DesktopMocks
import Foundation
import Glibc

/// A socket that listens where a bus would, and says only what the test lets it say.
final class SilentServer {
    private let directory: URL
    private var descriptor: CInt

    var address: String { "unix:path=\(directory.appendingPathComponent("bus").path)" }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("silent-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        let path = Array(directory.appendingPathComponent("bus").path.utf8)
        let capacity = MemoryLayout.size(ofValue: name.sun_path) - 1
        guard path.count <= capacity else { throw ChildProcess.Failure("path too long") }
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: path) }
        let result = unsafe withUnsafeBytes(of: &name) { bytes in
            unsafe bind(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
        guard result == 0, listen(descriptor, 8) == 0 else {
            throw ChildProcess.Failure("errno \(errno)")
        }
    }

    deinit {
        close()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Stops listening; the file stays.
    func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
    }

    /// Takes the waiting connection, sends the text and hangs up.
    func answer(_ text: String) throws {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { throw ChildProcess.Failure("errno \(errno)") }
        _ = unsafe text.withCString { unsafe send(connection, $0, strlen($0), CInt(MSG_NOSIGNAL)) }
        Glibc.close(connection)
    }
}
