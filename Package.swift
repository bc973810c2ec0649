// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target is checked alike: Swift 6 concurrency, unsafe code marked, imports private unless said otherwise.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Reachability",
    products: [],
    targets: [
        .target(name: "InternetProtocol", swiftSettings: strict),
        .testTarget(name: "InternetProtocolTests", dependencies: ["InternetProtocol"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
