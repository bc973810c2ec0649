import Foundation
import Glibc

/// A folder for one test, removed with its last reference.
final class TemporaryFolder {
    let root: String

    init() throws {
        // The path without symbolic links: the tests make their own.
        let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        let url = base.appendingPathComponent("names-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        root = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: root)
    }

    func path(_ name: String) -> String { root + "/" + name }

    /// Writes in place: the same file is opened, cut to nothing and written.
    func write(_ text: String, to name: String) throws {
        try startWriting(name).finish(text)
    }

    /// Opens a file for writing, which cuts it to nothing, and leaves it so until the writer finishes.
    func startWriting(_ name: String) throws -> Writer {
        let descriptor = unsafe open(path(name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(errno: errno) }
        return Writer(descriptor: descriptor)
    }

    struct Writer {
        fileprivate let descriptor: CInt

        func finish(_ text: String) throws {
            let count = unsafe Array(text.utf8).withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            guard count == text.utf8.count, close(descriptor) == 0 else { throw Failure(errno: errno) }
        }
    }

    /// Writes a new file and moves it into place.
    func replace(_ name: String, with text: String) throws {
        try write(text, to: name + ".new")
        try rename(name + ".new", to: name)
    }

    func rename(_ name: String, to other: String) throws {
        guard unsafe Glibc.rename(path(name), path(other)) == 0 else { throw Failure(errno: errno) }
    }

    /// Makes a symbolic link, or moves a new one into the place of the old.
    func link(_ name: String, to target: String) throws {
        let new = path(name) + ".link"
        guard unsafe symlink(target, new) == 0, unsafe Glibc.rename(new, path(name)) == 0 else {
            throw Failure(errno: errno)
        }
    }

    func makeFolder(_ name: String) throws {
        guard unsafe mkdir(path(name), 0o755) == 0 else { throw Failure(errno: errno) }
    }

    func remove(_ name: String) throws {
        guard unsafe Glibc.remove(path(name)) == 0 else { throw Failure(errno: errno) }
    }

    struct Failure: Error {
        let errno: CInt
    }
}
