/// Tells when the content of a resolver configuration file has changed: written in place, replaced by rename, or reached
/// through symbolic links of which any link, or the file behind the last one, was replaced; and when a file appears.
///
/// Watched are the directory of each link and of the file, or the deepest directory that exists; and the file itself,
/// since a write through a bind mount or a hard link tells only the file. A link needs no watch of its own: it cannot
/// be written, and its directory tells when it is replaced. After an event the paths are walked again. Opening and
/// reading files wakes nobody. Other files of a watched directory wake when they are created, replaced or written
/// (inotify cannot filter names), but nothing is walked or read for them.
///
/// What cannot be seen: a mount over a watched path. Not thread-safe: one thread.
package final class ConfigurationWatch {
    /// Readable when an event waits; level-triggered until `drain()`. Closed with the watch.
    package var descriptor: CInt { inotify.descriptor }

    /// False once the kernel had no watch left for a place that came to matter: changes may go unseen from then on.
    package private(set) var isComplete = true

    private let inotify: Inotify
    private let paths: [ConfigurationFile: String]
    private var chains: [ConfigurationFile: PathChain] = [:]
    private var watches: [Int32: Watch] = [:]
    private var digests: [ConfigurationFile: Digest] = [:]

    /// What a watch is for.
    private struct Watch {
        /// For a directory: its path, and whose way leads through which of its entries.
        var directory = ""
        var entries: [String: Set<ConfigurationFile>] = [:]
        /// For a file: whose it is.
        var files: Set<ConfigurationFile> = []

        var concerns: Set<ConfigurationFile> { entries.values.reduce(files) { $0.union($1) } }
    }

    /// What happened to a configuration file since its content was compared.
    private struct Cause {
        var files: Set<ConfigurationFile> = []
        /// Files closed after writing, or moved into place: what they hold now is what was meant.
        var complete: Set<ConfigurationFile> = []
        /// Paths where something was created, which is perhaps being written still.
        var created: Set<String> = []
    }

    private static let directoryMask: InotifyMask = [
        .closeWrite, .create, .movedTo, .movedFrom, .delete, .deleteSelf, .moveSelf, .onlyDirectory,
    ]
    /// How often the paths are walked again because they changed meanwhile, and events read again because more came. What
    /// is left then leaves the descriptor readable.
    private static let roundLimit = 8

    /// Watches the files at these absolute paths; none of them has to exist.
    package convenience init(
        paths: [ConfigurationFile: String] = ConfigurationFile.systemPaths
    ) throws(ConfigurationWatchError) {
        try self.init(paths: paths) { () throws(Inotify.Errno) in try Inotify() }
    }

    init(
        paths: [ConfigurationFile: String], open: () throws(Inotify.Errno) -> Inotify
    ) throws(ConfigurationWatchError) {
        self.paths = paths
        do { inotify = try open() } catch { throw .unavailable(errno: error.code) }
        try watchPaths()
        for file in paths.keys { digests[file] = digest(of: file) }
    }

    /// Takes the events that wait and says which files' contents differ from what they were at the last call, or at
    /// the start. A missing file is the same as an empty one. Reads the disk, and only the files that events concern.
    package func drain() -> Set<ConfigurationFile> {
        var cause = Cause()
        for _ in 0..<Self.roundLimit {
            let events = inotify.events()
            if events.isEmpty { break }
            let concerning = events.filter { note($0, in: &cause) }
            guard !concerning.isEmpty else { continue }
            do { try watchPaths() } catch { isComplete = false }
        }
        return cause.files.filter { isChanged($0, cause) }
    }
}

// MARK: - Events

extension ConfigurationWatch {
    /// Adds an event to the cause; false if it concerns nobody.
    private func note(_ event: InotifyEvent, in cause: inout Cause) -> Bool {
        if event.mask.contains(.queueOverflow) {  // anything may have happened
            cause.files.formUnion(paths.keys)
            cause.complete.formUnion(paths.keys)
            return true
        }
        guard let watch = watches[event.watch] else { return false }  // one that was removed
        let name = String(decoding: event.name, as: UTF8.self)
        let concerned = event.name.isEmpty ? watch.concerns : watch.entries[name] ?? []
        guard !concerned.isEmpty else { return false }
        cause.files.formUnion(concerned)
        if !event.mask.isDisjoint(with: [.closeWrite, .movedTo]) { cause.complete.formUnion(concerned) }
        if event.mask.contains(.create) {
            cause.created.insert(PathChain.Place(directory: watch.directory, name: name).path)
        }
        return true
    }

    /// Compares the content. A file that was just created and is empty is still being written: its writer's close is
    /// an event of its own, and only then its emptiness counts.
    private func isChanged(_ file: ConfigurationFile, _ cause: Cause) -> Bool {
        let digest = digest(of: file)
        guard digest != digests[file] else { return false }
        if digest.count == 0, !cause.complete.contains(file), let path = chains[file]?.file,
            cause.created.contains(path)
        {
            return false
        }
        digests[file] = digest
        return true
    }
}

// MARK: - Watches

extension ConfigurationWatch {
    /// Watches what the paths lead through now. What changed between the walk and the watch would go unseen, so the walk is
    /// repeated until it finds what it found before.
    private func watchPaths() throws(ConfigurationWatchError) {
        for _ in 0..<Self.roundLimit {
            let walked = paths.mapValues { PathChain($0) }
            try watch(walked)
            if walked == paths.mapValues({ PathChain($0) }) { return }
        }
    }

    private func watch(_ walked: [ConfigurationFile: PathChain]) throws(ConfigurationWatchError) {
        var new: [Int32: Watch] = [:]
        for (file, chain) in walked {
            for place in chain.places {
                guard let number = try add(place.directory, Self.directoryMask) else { continue }
                new[number, default: Watch()].directory = place.directory
                new[number, default: Watch()].entries[place.name, default: []].insert(file)
            }
            guard let path = chain.file, let number = try add(path, .closeWrite) else { continue }
            new[number, default: Watch()].files.insert(file)
        }
        for number in watches.keys where new[number] == nil { inotify.remove(number) }
        watches = new
        chains = walked
    }

    /// A watch, or nil for a place that is gone again or that this user may not watch.
    private func add(_ path: String, _ mask: InotifyMask) throws(ConfigurationWatchError) -> Int32? {
        do {
            return try inotify.watch(path, mask)
        } catch {
            guard error.isExhaustion else { return nil }
            throw .noWatchLeft(path: path, errno: error.code)
        }
    }
}

// MARK: - Contents

extension ConfigurationWatch {
    /// What is kept of a content: enough to tell another one.
    private struct Digest: Equatable {
        var count = 0
        var hash = 0
    }

    private func digest(of file: ConfigurationFile) -> Digest {
        guard let path = paths[file], let bytes = try? FileContents.read(path, limit: file.sizeLimit), !bytes.isEmpty
        else { return Digest() }
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return Digest(count: bytes.count, hash: hasher.finalize())
    }
}
