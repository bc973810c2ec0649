internal import Glibc

/// Reads whole small files. It never waits: only regular files are read, so a FIFO or a device in the place of a
/// configuration file costs nothing, and no more than a limit is taken.
enum FileContents {
    /// The bytes of the regular file at `path`; a symbolic link is followed. Any thread.
    static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        // O_NONBLOCK: opening a FIFO without a writer would wait for one.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw FileError(path: path, problem: .system(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileError(path: path, problem: .system(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(path: path, problem: .notRegular) }
        guard status.st_size <= limit else { throw FileError(path: path, problem: .tooLarge(limit: limit)) }

        var bytes: [UInt8] = []
        // One byte more than its size, so that the second read finds the end; files of the kernel say they are empty.
        let step = max(Int(status.st_size) + 1, 4096)
        while bytes.count <= limit {
            let start = bytes.count
            var count = 0
            // Sound: the closure gets `step` bytes at the end of an array that it grew by as many, and keeps no pointer.
            bytes.append(contentsOf: repeatElement(0, count: step))
            unsafe bytes.withUnsafeMutableBytes { buffer in
                repeat {
                    count = unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: start), step)
                } while count < 0 && errno == EINTR
            }
            let failure = errno
            bytes.removeLast(step - max(count, 0))
            guard count >= 0 else { throw FileError(path: path, problem: .system(failure)) }
            guard count > 0 else { return bytes }
        }
        throw FileError(path: path, problem: .tooLarge(limit: limit))
    }

    /// The same, with no bytes for a file that cannot be read; `shortage` is why, if that says nothing of the file.
    static func read(_ path: String, limit: Int, shortage: inout FileError?) -> [UInt8] {
        do { return try read(path, limit: limit) } catch {
            if error.isShortage { shortage = error }
            return []
        }
    }
}

/// A configuration file that could not be read.
package struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: Hashable, Sendable {
        /// The errno of the call that failed; ENOENT: there is no such file.
        case system(CInt)
        /// A directory, a FIFO, a device.
        case notRegular
        /// It has more bytes than the limit.
        case tooLarge(limit: Int)
    }

    package let path: String
    package let problem: Problem

    /// True if descriptors or memory ran out: then nothing is known of the file, and later it can be read.
    package var isShortage: Bool {
        guard case .system(let code) = problem else { return false }
        return [EMFILE, ENFILE, ENOMEM].contains(code)
    }

    /// One sentence: which file, and what is wrong.
    package var description: String {
        switch problem {
        case .system(let code): "cannot read \(path): \(SystemError.text(code))"
        case .notRegular: "cannot read \(path): it is not a regular file"
        case .tooLarge(let limit): "cannot read \(path): it is larger than \(limit) bytes"
        }
    }
}

/// Texts of errno values.
enum SystemError {
    /// The text of an errno value and its number, as it is told of all system calls: `No such file or directory (errno 2)`.
    /// Any thread.
    static func text(_ code: CInt) -> String {
        // Sound: strerror_r writes within the 128 bytes it is told of, or answers with a constant string.
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer -> String in
            guard let base = buffer.baseAddress, unsafe strerror_r(code, base, buffer.count) == 0 else {
                return "error"
            }
            return unsafe String(cString: base)
        }
        return "\(text) (errno \(code))"
    }
}
