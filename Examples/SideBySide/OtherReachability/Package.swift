// swift-tools-version: 6.2
import PackageDescription

// Stands for a package that a program depends on already, such as Reachability.swift.
let package = Package(
    name: "OtherReachability",
    products: [.library(name: "OtherReachability", targets: ["Reachability"])],
    targets: [.target(name: "Reachability")]
)
