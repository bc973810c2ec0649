// swift-tools-version: 6.2
import PackageDescription

// This package beside another that has a module called Reachability too: the alias makes room for both.
//
// SwiftPM finds the module to rename by the package's identity, which is the last component of its path or URL. So the
// checkout is reached by a link of the right name; `package(name:path:)` would have the other package's module renamed.
let package = Package(
    name: "SideBySide",
    dependencies: [
        .package(path: "Packages/Reachability"),
        .package(path: "OtherReachability"),
    ],
    targets: [
        .executableTarget(
            name: "SideBySide",
            dependencies: [
                .product(
                    name: "Reachability", package: "Reachability",
                    moduleAliases: ["Reachability": "LinuxReachability"]),
                .product(name: "OtherReachability", package: "OtherReachability"),
            ])
    ]
)
