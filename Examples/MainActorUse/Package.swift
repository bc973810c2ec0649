// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MainActorUse",
    dependencies: [.package(name: "Reachability", path: "../..")],
    targets: [
        .executableTarget(
            name: "MainActorUse", dependencies: [.product(name: "Reachability", package: "Reachability")],
            // A warning here is a defect of the library's.
            swiftSettings: [.treatAllWarnings(as: .error)])
    ],
    swiftLanguageModes: [.v6]
)
