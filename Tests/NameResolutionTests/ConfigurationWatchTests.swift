import Foundation
import Glibc
import TestSupport
import Testing

@testable import NameResolution

/// Every way a configuration file is changed in practice, over a folder of the test's own.
@Suite struct ConfigurationWatchTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("etc")
        try folder.write("nameserver 192.0.2.1\n", to: "etc/resolv.conf")
        try folder.write("127.0.0.1 localhost\n", to: "etc/hosts")
        try folder.write("hosts: files dns\n", to: "etc/nsswitch.conf")
    }

    private func watch() throws -> ConfigurationWatch {
        try ConfigurationWatch(paths: [
            .resolver: folder.path("etc/resolv.conf"), .hosts: folder.path("etc/hosts"),
            .services: folder.path("etc/nsswitch.conf"),
        ])
    }

    // MARK: Plain files

    @Test func nothingIsToldAtTheStart() throws {
        let watch = try watch()
        #expect(!watch.isReadable)
        #expect(watch.drain() == [] && watch.isComplete)
    }

    @Test func aFileWrittenInPlaceIsAChange() throws {
        let watch = try watch()
        try folder.write("nameserver 192.0.2.2\n", to: "etc/resolv.conf")
        #expect(watch.isReadable)
        #expect(watch.drain() == [.resolver])
        #expect(!watch.isReadable && watch.drain() == [])
    }

    @Test func aFileReplacedByRenameIsAChangeAgainAndAgain() throws {
        let watch = try watch()
        for number in 0..<20 {
            try folder.replace("etc/hosts", with: "127.0.0.1 localhost h\(number)\n")
            #expect(watch.isReadable)
            #expect(watch.drain() == [.hosts])
            #expect(!watch.isReadable)
        }
    }

    @Test func eachFileIsToldApart() throws {
        let watch = try watch()
        try folder.write("hosts: dns\n", to: "etc/nsswitch.conf")
        try folder.replace("etc/resolv.conf", with: "nameserver 192.0.2.3\n")
        #expect(watch.drain() == [.resolver, .services])
        try folder.write("127.0.0.1 localhost me\n", to: "etc/hosts")
        #expect(watch.drain() == [.hosts])
    }

    @Test func theSameContentIsNoChange() throws {
        let watch = try watch()
        try folder.write("nameserver 192.0.2.1\n", to: "etc/resolv.conf")
        try folder.replace("etc/hosts", with: "127.0.0.1 localhost\n")
        #expect(watch.isReadable)
        #expect(watch.drain() == [])
    }

    @Test func aRemovedFileIsAChangeAndSoIsItsReturn() throws {
        let watch = try watch()
        try folder.remove("etc/resolv.conf")
        #expect(watch.drain() == [.resolver])
        try folder.write("nameserver 192.0.2.1\n", to: "etc/resolv.conf")
        #expect(watch.drain() == [.resolver])
        try folder.rename("etc/resolv.conf", to: "etc/resolv.conf~")
        #expect(watch.drain() == [.resolver])
        try folder.rename("etc/resolv.conf~", to: "etc/resolv.conf")
        #expect(watch.drain() == [.resolver])
    }

    /// As vim does: the old file moved away, the new one written, the old one removed.
    @Test func aFileSavedByAnEditorIsAChange() throws {
        let watch = try watch()
        try folder.rename("etc/hosts", to: "etc/hosts~")
        try folder.write("127.0.0.1 localhost\n10.0.0.1 h\n", to: "etc/hosts")
        try folder.remove("etc/hosts~")
        #expect(watch.drain() == [.hosts])
    }

    // MARK: Half-written files

    @Test func aFileThatIsBeingWrittenIsNoChangeYet() throws {
        let watch = try watch()
        let writer = try folder.startWriting("etc/resolv.conf")  // it is empty now
        #expect(!watch.isReadable)
        try folder.write("127.0.0.1 localhost h\n", to: "etc/hosts")
        #expect(watch.drain() == [.hosts])
        try writer.finish("nameserver 192.0.2.9\n")
        #expect(watch.drain() == [.resolver])
    }

    @Test func aFileThatWasJustCreatedIsNoChangeUntilItIsClosed() throws {
        let watch = try watch()
        // Removed and created between two looks: what counts is what the writer leaves.
        try folder.remove("etc/resolv.conf")
        let writer = try folder.startWriting("etc/resolv.conf")
        #expect(watch.drain() == [])
        try writer.finish("nameserver 192.0.2.9\n")
        #expect(watch.drain() == [.resolver])
    }

    @Test func aFileThatStaysEmptyIsAChange() throws {
        let watch = try watch()
        try folder.write("", to: "etc/resolv.conf")
        #expect(watch.drain() == [.resolver])
        try folder.write("nameserver 192.0.2.1\n", to: "etc/resolv.conf")
        #expect(watch.drain() == [.resolver])
        try folder.replace("etc/resolv.conf", with: "")
        #expect(watch.drain() == [.resolver])
        try folder.write("nameserver 192.0.2.1\n", to: "etc/resolv.conf")
        _ = watch.drain()
        try folder.remove("etc/resolv.conf")
        try folder.write("", to: "etc/resolv.conf")
        #expect(watch.drain() == [.resolver])
    }

    // MARK: Symbolic links

    /// /etc/resolv.conf → ../run/resolved/stub.conf, with /run → var/run.
    private func makeLinks() throws {
        for name in ["var", "var/run", "var/run/resolved", "var/run/other"] { try folder.makeFolder(name) }
        try folder.write("nameserver 127.0.0.53\n", to: "var/run/resolved/stub.conf")
        try folder.write("nameserver 192.0.2.7\n", to: "var/run/other/stub.conf")
        try folder.link("run", to: "var/run")
        try folder.link("etc/resolv.conf", to: "../run/resolved/stub.conf")
    }

    @Test func theTargetOfALinkWrittenInPlaceIsAChange() throws {
        try makeLinks()
        let watch = try watch()
        try folder.write("nameserver 192.0.2.8\n", to: "var/run/resolved/stub.conf")
        #expect(watch.drain() == [.resolver])
    }

    @Test func theTargetOfALinkReplacedIsAChange() throws {
        try makeLinks()
        let watch = try watch()
        for number in 1..<9 {
            try folder.replace("var/run/resolved/stub.conf", with: "nameserver 192.0.2.\(number)\n")
            #expect(watch.drain() == [.resolver])
            #expect(!watch.isReadable)
        }
    }

    @Test func aLinkThatIsTurnedIsAChange() throws {
        try makeLinks()
        let watch = try watch()
        try folder.link("etc/resolv.conf", to: folder.path("run/other/stub.conf"))
        #expect(watch.drain() == [.resolver])
        try folder.write("nameserver 192.0.2.8\n", to: "var/run/other/stub.conf")  // the new target is watched
        #expect(watch.drain() == [.resolver])
        try folder.write("nameserver 192.0.2.9\n", to: "var/run/resolved/stub.conf")  // and the old one no more
        #expect(!watch.isReadable)
    }

    @Test func aLinkInPlaceOfAFileAndTheReverseIsAChange() throws {
        let watch = try watch()
        try makeLinks()
        #expect(watch.drain() == [.resolver])
        try folder.replace("etc/resolv.conf", with: "nameserver 192.0.2.4\n")
        #expect(watch.drain() == [.resolver])
    }

    @Test func theTargetOfATargetReplacedIsAChange() throws {
        try makeLinks()
        try folder.rename("var/run/resolved/stub.conf", to: "var/run/resolved/real.conf")
        try folder.link("var/run/resolved/stub.conf", to: "real.conf")
        let watch = try watch()
        try folder.replace("var/run/resolved/real.conf", with: "nameserver 192.0.2.5\n")
        #expect(watch.drain() == [.resolver])
        try folder.link("var/run/resolved/stub.conf", to: "../other/stub.conf")
        #expect(watch.drain() == [.resolver])
    }

    @Test func aLinkOnTheWayThatIsTurnedIsAChange() throws {
        try makeLinks()
        try folder.makeFolder("var/run2")
        try folder.makeFolder("var/run2/resolved")
        try folder.write("nameserver 192.0.2.6\n", to: "var/run2/resolved/stub.conf")
        let watch = try watch()
        try folder.link("run", to: "var/run2")
        #expect(watch.drain() == [.resolver])
    }

    @Test func aCircleOfLinksIsAMissingFile() throws {
        try folder.link("etc/resolv.conf", to: "circle")
        try folder.link("etc/circle", to: "resolv.conf")
        let watch = try watch()
        try folder.replace("etc/resolv.conf", with: "nameserver 192.0.2.1\n")
        #expect(watch.drain() == [.resolver])
    }

    // MARK: Folders

    @Test func aFolderThatAppearsLaterIsWaitedFor() throws {
        try folder.link("etc/resolv.conf", to: "../run/systemd/resolve/stub.conf")
        let watch = try watch()
        for name in ["run", "run/systemd", "run/systemd/resolve"] {
            try folder.makeFolder(name)
            #expect(watch.drain() == [])
        }
        try folder.write("nameserver 127.0.0.53\n", to: "run/systemd/resolve/stub.conf")
        #expect(watch.drain() == [.resolver])
    }

    @Test func foldersThatAppearAllAtOnceAreFoundTo() throws {
        try folder.link("etc/resolv.conf", to: "../run/systemd/resolve/stub.conf")
        let watch = try watch()
        for name in ["run", "run/systemd", "run/systemd/resolve"] { try folder.makeFolder(name) }
        try folder.write("nameserver 127.0.0.53\n", to: "run/systemd/resolve/stub.conf")
        #expect(watch.drain() == [.resolver])
        try folder.write("nameserver 192.0.2.1\n", to: "run/systemd/resolve/stub.conf")
        #expect(watch.drain() == [.resolver])
    }

    @Test func aFolderThatIsRemovedAndMadeAgainIsFollowed() throws {
        try makeLinks()
        let watch = try watch()
        try folder.remove("var/run/resolved/stub.conf")
        try folder.remove("var/run/resolved")
        #expect(watch.drain() == [.resolver])
        try folder.makeFolder("var/run/resolved")
        _ = watch.drain()
        try folder.write("nameserver 192.0.2.1\n", to: "var/run/resolved/stub.conf")
        #expect(watch.drain() == [.resolver])
    }

    @Test func aFolderThatIsMovedAwayIsFollowed() throws {
        try makeLinks()
        let watch = try watch()
        try folder.rename("var/run/resolved", to: "var/run/old")
        #expect(watch.drain() == [.resolver])
        try folder.rename("var/run/old", to: "var/run/resolved")
        #expect(watch.drain() == [.resolver])
    }

    @Test func filesThatDoNotExistYetAreWaitedFor() throws {
        let watch = try ConfigurationWatch(paths: [
            .resolver: folder.path("later/resolv.conf"), .hosts: folder.path("etc/hosts.later"),
        ])
        try folder.write("127.0.0.1 h\n", to: "etc/hosts.later")
        #expect(watch.drain() == [.hosts])
        try folder.makeFolder("later")
        try folder.replace("later/resolv.conf", with: "nameserver 192.0.2.1\n")
        #expect(watch.drain() == [.resolver])
    }

    // MARK: Other names for the same file

    @Test func aWriteThroughAnotherNameIsAChange() throws {
        try #require(unsafe Glibc.link(folder.path("etc/resolv.conf"), folder.path("other")) == 0)
        let watch = try watch()
        try folder.write("nameserver 192.0.2.2\n", to: "other")
        #expect(watch.drain() == [.resolver])
    }

    /// Containers and `ip netns exec` mount a file over /etc/resolv.conf.
    @Test(.enabled(if: geteuid() == 0, "needs root to mount"))
    func aWriteThroughABindMountIsAChange() throws {
        try folder.write("nameserver 192.0.2.2\n", to: "mounted")
        let mounted = unsafe mount(
            folder.path("mounted"), folder.path("etc/resolv.conf"), nil, UInt(MS_BIND), nil)
        guard mounted == 0 else {
            withKnownIssue("this container may not mount", isIntermittent: true) { Issue.record("errno \(errno)") }
            return
        }
        defer { unsafe umount2(folder.path("etc/resolv.conf"), CInt(MNT_DETACH)) }
        let watch = try watch()
        try folder.write("nameserver 192.0.2.3\n", to: "mounted")
        #expect(watch.drain() == [.resolver])
        try folder.write("nameserver 192.0.2.4\n", to: "etc/resolv.conf")
        #expect(watch.drain() == [.resolver])
    }

    // MARK: What wakes nobody

    @Test func openingAndReadingWakesNobody() throws {
        try makeLinks()
        let watch = try watch()
        for name in ["etc/resolv.conf", "etc/hosts", "etc/nsswitch.conf", "var/run/resolved/stub.conf"] {
            #expect(try !FileContents.read(folder.path(name), limit: 100).isEmpty)
            try #require(unsafe utimensat(AT_FDCWD, folder.path(name), nil, 0) == 0)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("etc")).count == 3)
        #expect(!watch.isReadable)
    }

    @Test func otherFilesAreNoChange() throws {
        let watch = try watch()
        try folder.write("x", to: "etc/passwd")
        try folder.replace("etc/passwd", with: "y")
        try folder.makeFolder("etc/resolv.conf.d")
        try folder.remove("etc/passwd")
        try folder.write("x", to: "elsewhere")
        #expect(watch.drain() == [])
        #expect(!watch.isReadable)
    }

    @Test func tooManyEventsAreOneLook() throws {
        let watch = try watch()
        let setting = try FileContents.read("/proc/sys/fs/inotify/max_queued_events", limit: 64)
        let queue = try #require(Int(String(decoding: setting, as: UTF8.self).filter(\.isNumber)))
        try folder.write("", to: "etc/a")
        for _ in 0...(queue / 2) {  // two events each, and two in a row that are equal would be one
            try folder.rename("etc/a", to: "etc/b")
            try folder.rename("etc/b", to: "etc/a")
        }
        try folder.write("nameserver 192.0.2.2\n", to: "etc/resolv.conf")
        #expect(watch.drain() == [.resolver])
    }

    // MARK: Errors

    @Test func whereInotifyIsRefusedThereIsAnError() throws {
        let error = ConfigurationWatchError.unavailable(errno: EMFILE)
        #expect(throws: error) {
            _ = try ConfigurationWatch(paths: [:]) { () throws(Inotify.Errno) in throw Inotify.Errno(code: EMFILE) }
        }
        #expect(
            error.description
                == "cannot watch the resolver's configuration: inotify: Too many open files (errno 24)")
    }
}

extension ConfigurationWatch {
    /// True if the descriptor has something to read. Events of the calling thread's own doing are there already.
    fileprivate var isReadable: Bool {
        var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&poller, 1, 0) == 1
    }
}

@Suite struct InotifyEventTests {
    /// wd, mask, cookie, len, name.
    private func bytes(_ watch: Int32, _ mask: UInt32, _ name: [UInt8]) -> [UInt8] {
        [UInt32(bitPattern: watch), mask, 0, UInt32(name.count)].flatMap { number in
            unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
        } + name
    }

    @Test func eventsAreReadOneAfterTheOther() {
        let name = Array("resolv.conf".utf8)
        let data = bytes(1, 0x100, name + [0, 0, 0, 0, 0]) + bytes(2, 0x8, []) + bytes(-1, 0x4000, [])
        #expect(
            InotifyEvent.parse(data) == [
                InotifyEvent(watch: 1, mask: .create, name: name), InotifyEvent(watch: 2, mask: .closeWrite, name: []),
                InotifyEvent(watch: -1, mask: .queueOverflow, name: []),
            ])
    }

    @Test func whatIsCutOffIsLeftOut() {
        let data = bytes(1, 0x100, [65, 0, 0, 0])
        for count in 0..<data.count { #expect(InotifyEvent.parse(data.prefix(count)).isEmpty) }
        #expect(InotifyEvent.parse(data).count == 1)
        #expect(InotifyEvent.parse(bytes(1, 0x100, []).dropLast(4) + [0xff, 0xff, 0xff, 0xff]).isEmpty)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func anyBytesAreEventsOrNone(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var count = 0
        for _ in 0..<5000 {
            let data = (0..<Int.random(in: 0...80, using: &random)).map { index in
                index % 16 > 12 ? 0 : UInt8.random(in: 0...20, using: &random)
            }
            count += InotifyEvent.parse(data).count
        }
        #expect(count > 100)
    }
}
