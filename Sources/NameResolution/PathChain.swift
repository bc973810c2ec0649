internal import Glibc

/// How a path is found in the file system: each place where something could be put so that it leads elsewhere.
struct PathChain: Hashable, Sendable {
    /// An entry of a directory.
    struct Place: Hashable, Sendable {
        /// The path of the directory, without symbolic links in it.
        let directory: String
        let name: String

        var path: String { directory == "/" ? "/" + name : directory + "/" + name }
    }

    /// Each symbolic link on the way, and then the file itself or, where it does not exist, the first place where the way
    /// ends: the entry that is missing in the deepest directory that exists.
    let places: [Place]
    /// The file itself, without symbolic links; nil if there is none.
    let file: String?

    /// The most links that are followed, as in the kernel (MAXSYMLINKS, linux/namei.h).
    private static let linkLimit = 40

    /// Walks an absolute path as the file system is now. Reads the disk.
    init(_ path: String) {
        var places: [Place] = []
        var directory: [Substring] = []
        var rest = Array(path.split(separator: "/").reversed())
        var links = 0
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                _ = directory.popLast()
                continue
            }
            let place = Place(directory: "/" + directory.joined(separator: "/"), name: String(name))
            switch Self.kind(of: place.path) {
            case .link(let target):
                places.append(place)
                links += 1
                guard links <= Self.linkLimit else {
                    self.init(places: places, file: nil)
                    return
                }
                if target.hasPrefix("/") { directory = [] }
                rest += target.split(separator: "/").reversed()
            case .directory:
                directory.append(name)
            case .file where rest.isEmpty:
                self.init(places: places + [place], file: place.path)
                return
            case .file, .missing:
                self.init(places: places + [place], file: nil)
                return
            }
        }
        // The path ends at a directory, which is no file: wait for something else in its place.
        let name = directory.popLast().map(String.init)
        let end = name.map { [Place(directory: "/" + directory.joined(separator: "/"), name: $0)] } ?? []
        self.init(places: places + end, file: nil)
    }

    private init(places: [Place], file: String?) {
        self.places = places
        self.file = file
    }

    private enum Kind {
        case link(to: String)
        case directory
        case file
        case missing
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return .missing }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .directory
        case S_IFLNK: return target(of: path).map { .link(to: $0) } ?? .missing
        default: return .file
        }
    }

    private static func target(of path: String) -> String? {
        // Sound: readlink writes no more than the buffer's size, and says how much it wrote.
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = unsafe readlink(path, base, buffer.count)
            guard count > 0 else { return nil }
            return unsafe String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
        }
    }
}
