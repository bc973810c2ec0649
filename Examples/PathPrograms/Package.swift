// swift-tools-version: 6.2
import PackageDescription

// Three programs in the style of those that iOS developers write about: they import the drop-in modules alone, and
// nothing in them is about Linux.
let package = Package(
    name: "PathPrograms",
    dependencies: [.package(name: "Reachability", path: "../..")],
    targets: [
        // A view's model around NetStatus, on the main actor, Swift 6.
        .executableTarget(
            name: "StatusView", dependencies: [.product(name: "Reachability", package: "Reachability")],
            swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
        // A network type of one's own from NWPathMonitor and CTTelephonyNetworkInfo beside AANetworkMonitor's, Swift 6.
        .executableTarget(
            name: "NetworkKind",
            dependencies: [
                .product(name: "AANetworkMonitor", package: "Reachability"),
                .product(name: "CoreTelephony", package: "Reachability"),
                .product(name: "Network", package: "Reachability"),
            ], swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
        // A plain NWPathMonitor user of the years before Swift concurrency was checked.
        .executableTarget(
            name: "PathWatch", dependencies: [.product(name: "Network", package: "Reachability")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
