// swift-tools-version: 6.2
import PackageDescription

// Code as it is written for iOS and macOS, with the imports it has there: nothing in its sources is about Linux.
let package = Package(
    name: "DropIns",
    dependencies: [.package(name: "Reachability", path: "../..")],
    targets: [
        // SCNetworkReachability by hand, in the language of Swift 5.
        .executableTarget(
            name: "HostWatch", dependencies: [.product(name: "SystemConfiguration", package: "Reachability")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // AFNetworkReachabilityManager in an application's delegate, on the main actor, Swift 6.
        .executableTarget(
            name: "AppDelegate",
            dependencies: [
                .product(name: "AFNetworking", package: "Reachability"),
                .product(name: "SystemConfiguration", package: "Reachability"),
            ], swiftSettings: [.enableUpcomingFeature("MemberImportVisibility")]),
    ]
)
