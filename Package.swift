// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is checked alike: Swift 6 concurrency, unsafe code marked, imports private unless said otherwise.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// For tests of what is made of pointers, as C's functions are: nothing in them would go unmarked.
let strictButForPointers = Array(strict.dropFirst())

let package = Package(
    name: "Reachability",
    products: [
        .library(name: "Reachability", targets: ["Reachability"]),
        .library(name: "ReachabilityTesting", targets: ["ReachabilityTesting"]),
        .library(name: "SystemConfiguration", targets: ["SystemConfiguration"]),
        .library(name: "AFNetworking", targets: ["AFNetworking"]),
        .library(name: "Network", targets: ["Network"]),
        .library(name: "CoreTelephony", targets: ["CoreTelephony"]),
        .library(name: "AANetworkMonitor", targets: ["AANetworkMonitor"]),
        .executable(name: "ReachabilityExample", targets: ["ReachabilityExample"]),
    ],
    targets: [
        .target(name: "InternetProtocol", swiftSettings: strict),
        .target(name: "Timing", swiftSettings: strict),
        .systemLibrary(name: "CAres", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"])]),
        .systemLibrary(name: "CSystemd"),
        .target(name: "CGetopt"),
        .target(name: "CRtnetlink"),
        .target(name: "CPrivateNetwork"),
        .target(
            name: "Rtnetlink", dependencies: ["CRtnetlink", "InternetProtocol"],
            swiftSettings: strict),
        .target(
            name: "NameResolution", dependencies: ["CAres", "InternetProtocol", "Timing"], swiftSettings: strict),
        .target(name: "DesktopServices", dependencies: ["CSystemd", "Timing"], swiftSettings: strict),
        .target(
            name: "Reachability",
            dependencies: [
                "CRtnetlink", "DesktopServices", "InternetProtocol", "NameResolution", "Rtnetlink", "Timing",
            ],
            swiftSettings: strict),
        .target(
            name: "ReachabilityTesting",
            dependencies: [
                "DesktopServices", "InternetProtocol", "NameResolution", "Reachability", "Rtnetlink", "Timing",
            ],
            swiftSettings: strict),
        .target(name: "SystemConfiguration", dependencies: ["Reachability"], swiftSettings: strict),
        .target(
            name: "AFNetworking", dependencies: ["Reachability", "SystemConfiguration"], swiftSettings: strict),
        .target(name: "Network", dependencies: ["Reachability"], swiftSettings: strict),
        .target(name: "CoreTelephony", dependencies: ["Reachability"], swiftSettings: strict),
        .target(name: "AANetworkMonitor", dependencies: ["Reachability"], swiftSettings: strict),
        .executableTarget(
            name: "ReachabilityExample",
            dependencies: [
                "CGetopt", "CPrivateNetwork", "CRtnetlink", "DesktopServices", "InternetProtocol", "Reachability",
                "Rtnetlink", "Timing",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ReachabilityExampleTests",
            dependencies: ["InternetProtocol", "Reachability", "ReachabilityExample", "Rtnetlink", "Timing"],
            swiftSettings: strict),
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
        .testTarget(name: "InternetProtocolTests", dependencies: ["InternetProtocol"], swiftSettings: strict),
        .testTarget(name: "TimingTests", dependencies: ["Timing"], swiftSettings: strict),
        .target(
            name: "ScriptedServers", dependencies: ["InternetProtocol"], path: "Tests/ScriptedServers",
            swiftSettings: strict),
        .testTarget(
            name: "NameResolutionTests",
            dependencies: ["NameResolution", "InternetProtocol", "ScriptedServers", "TestSupport", "Timing"],
            swiftSettings: strict),
        .testTarget(
            name: "NameServiceTests", dependencies: ["InternetProtocol", "ScriptedServers"], swiftSettings: strict),
        .target(
            name: "DesktopMocks", dependencies: ["DesktopServices"], path: "Tests/DesktopMocks", exclude: ["Scripts"],
            swiftSettings: strict),
        .testTarget(
            name: "DesktopServicesTests", dependencies: ["DesktopMocks", "DesktopServices", "TestSupport", "Timing"],
            swiftSettings: strict),
        .target(name: "PathEvents", path: "Tests/PathEvents", swiftSettings: strict),
        .executableTarget(
            name: "PathProbe",
            dependencies: ["AANetworkMonitor", "CoreTelephony", "Network", "PathEvents", "Reachability"],
            path: "Tests/PathProbe", swiftSettings: strict),
        .testTarget(
            name: "PathNamespaceTests",
            dependencies: ["DesktopMocks", "DesktopServices", "PathEvents", "PathProbe", "ReachabilityExample"],
            swiftSettings: strict),
        .testTarget(
            name: "RtnetlinkTests", dependencies: ["CRtnetlink", "InternetProtocol", "Rtnetlink", "TestSupport"],
            swiftSettings: strict),
        .systemLibrary(name: "CGlibc", path: "Tests/CGlibc"),
        .testTarget(
            name: "ReachabilityTests",
            dependencies: [
                "AANetworkMonitor", "CGlibc", "CoreTelephony", "DesktopServices", "InternetProtocol", "NameResolution",
                "Network", "Reachability", "ReachabilityTesting", "Rtnetlink", "TargetTesting", "TestSupport", "Timing",
            ],
            swiftSettings: strict),
        .target(
            name: "TargetTesting", dependencies: ["Reachability", "ReachabilityTesting", "Timing"],
            path: "Tests/TargetTesting",
            swiftSettings: strict),
        // As unmodified sources of Apple's systems are built: in the language of Swift 5, with nothing switched on.
        .target(
            name: "AppleStyleSources", dependencies: ["SystemConfiguration"], path: "Tests/AppleStyleSources",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .testTarget(
            name: "SystemConfigurationTests",
            dependencies: [
                "AppleStyleSources", "Reachability", "ReachabilityTesting", "SystemConfiguration", "TargetTesting",
            ],
            swiftSettings: strictButForPointers),
        .testTarget(
            name: "AFNetworkingTests",
            dependencies: [
                "AFNetworking", "Reachability", "ReachabilityTesting", "SystemConfiguration", "TargetTesting",
            ],
            swiftSettings: strictButForPointers),
        .target(name: "CNamespace", path: "Tests/CNamespace"),
        .testTarget(
            name: "NamespaceTests",
            dependencies: [
                "CNamespace", "InternetProtocol", "NameResolution", "Reachability", "Rtnetlink", "TestSupport",
                "Timing",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
