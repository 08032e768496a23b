// swift-tools-version: 6.2
import PackageDescription

// The benchmarks that are built with other options than the rest, so `swift build` in the parent folder does not
// include them.
// `scripts/timing` builds this package (with `-enable-testing`, because it measures internal functions) and runs it.
// The programs beside Sources, which measure the wallet and the server, are targets of the parent package.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "fueki", path: "..")],
    targets: [
        .target(name: "CMemcheck"),
        .executableTarget(
            name: "Taint",
            dependencies: [
                "CMemcheck",
                .product(name: "Secrets", package: "fueki"),
                .product(name: "Curves", package: "fueki"),
                .product(name: "Threshold", package: "fueki"),
                .product(name: "ThresholdECDSA", package: "fueki"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "ConstantTime",
            dependencies: [
                .product(name: "Secrets", package: "fueki"),
                .product(name: "Curves", package: "fueki"),
                .product(name: "Threshold", package: "fueki"),
                .product(name: "ThresholdECDSA", package: "fueki"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
