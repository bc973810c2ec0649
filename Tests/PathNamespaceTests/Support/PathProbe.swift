import DesktopMocks
import Foundation
import PathEvents
import Testing

/// A running path probe, and what it has told so far.
final class PathProbe {
    let child: ChildProcess
    private(set) var events: [PathEvent] = []

    init(_ child: ChildProcess) { self.child = child }

    /// The last path it told.
    var path: PathEvent.Path? { paths.last }

    var paths: [PathEvent.Path] {
        events.compactMap { if case .path(let path) = $0 { path } else { nil } }
    }

    /// The changes of type so far, as `old > new`.
    var types: [String] {
        events.compactMap { if case .type(let old, let new) = $0 { "\(old) > \(new)" } else { nil } }
    }

    /// Takes the next event in; false when none comes.
    @discardableResult
    func next() -> Bool {
        let line = child.line(within: 20)
        guard let event = try? JSONDecoder().decode(PathEvent.self, from: Data(line.utf8)) else { return false }
        events.append(event)
        return true
    }

    /// Takes events in until one is as wanted; records a failure if none is.
    func expect(sourceLocation: SourceLocation = #_sourceLocation, event isWanted: (PathEvent) -> Bool) {
        repeat {
            guard next() else {
                Issue.record("told so far: \(events)", sourceLocation: sourceLocation)
                return
            }
        } while !events.suffix(1).contains(where: isWanted)
    }

    /// Takes events in until a path is as wanted, and gives it.
    @discardableResult
    func expectPath(
        sourceLocation: SourceLocation = #_sourceLocation, _ isWanted: (PathEvent.Path) -> Bool = { _ in true }
    ) -> PathEvent.Path? {
        expect(sourceLocation: sourceLocation) { if case .path(let path) = $0 { isWanted(path) } else { false } }
        return path
    }

    /// Takes events in until the change of type is among those told so far.
    func expectType(_ change: String, sourceLocation: SourceLocation = #_sourceLocation) {
        while !types.contains(change) {
            guard next() else {
                Issue.record("told so far: \(events)", sourceLocation: sourceLocation)
                return
            }
        }
    }
}
