import AFNetworking
import Foundation
import Testing

/// Whoever imports AFNetworking gets its names and no others, so that none clashes.
@Suite struct ExportTests {
    // Names that other libraries and many programs have: they are this file's own, and nothing is ambiguous.
    private enum Reachability { case mine }
    private enum NetworkStatus { case mine }
    private enum NetworkReachability { case mine }
    private let reachabilityChanged = 1
    private let reachabilityDidChange = 1

    @Test func r83_onlyAFNetworkingsNamesAreAtTopLevel() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/AFNetworking")
        var names: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("@_exported"))
            for line in text.split(separator: "\n") {
                guard
                    let match = line.firstMatch(
                        of: /^(?:public|open) (?:class|enum|struct|func|let|var|typealias) (\w+)/)
                else { continue }
                names.insert(String(match.1))
            }
        }
        #expect(
            names == [
                "AFNetworkReachabilityManager", "AFNetworkReachabilityStatus", "AFStringFromNetworkReachabilityStatus",
                "AFNetworkingReachabilityNotificationStatusItem", "AFNetworkingReachabilityDidChangeNotification",
            ])
    }
}
