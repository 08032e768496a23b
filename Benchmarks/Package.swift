// swift-tools-version: 6.2
import PackageDescription

// What is measured with other options than the rest is built with: `swift build` in the folder above does not know of it.
// `scripts/timing` builds it (with `-enable-testing`, because it measures what is not public) and runs it. The programs beside
// Sources, which measure the server, are targets of the package above.

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
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "ConstantTime",
            dependencies: [
                .product(name: "Secrets", package: "fueki"),
                .product(name: "Curves", package: "fueki"),
                .product(name: "Threshold", package: "fueki"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
