/// Why the files cannot be watched. Names still resolve without the watch, but changes of the files go unseen.
package enum ConfigurationWatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kernel gives no inotify descriptor: EMFILE when the user has too many (fs.inotify.max_user_instances), ENOSYS.
    case unavailable(errno: CInt)
    /// The kernel has no watch left (ENOSPC, fs.inotify.max_user_watches) or no memory for it.
    case noWatchLeft(path: String, errno: CInt)

    /// One sentence with the errno.
    package var description: String {
        switch self {
        case .unavailable(let code):
            "cannot watch the resolver's configuration: inotify: \(SystemError.text(code))"
        case .noWatchLeft(let path, let code):
            "cannot watch the resolver's configuration: \(path): \(SystemError.text(code))"
        }
    }
}
