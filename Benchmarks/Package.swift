// swift-tools-version: 6.2
import PackageDescription

/// Measures the library against bare C that does the same work in the same run: `make bench`.
let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "Reachability", path: "..")],
    targets: [
        .target(name: "CFloor"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["CFloor", .product(name: "Reachability", package: "Reachability")]),
    ],
    swiftLanguageModes: [.v6]
)
