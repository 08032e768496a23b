// swift-tools-version: 6.2
import PackageDescription

// What is measured, apart from what is built and tested: `swift build` in the folder above does not know of it.
// `scripts/timing` builds it (with `-enable-testing`, because it measures what is not public) and runs it.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// What measures the server needs large packages: not with `FUEKI_PART=core`.
let server: [Target] = [
    .executableTarget(
        name: "AuthLoad",
        dependencies: [
            .product(name: "AuthAPI", package: "fueki"),
            .product(name: "Encoding", package: "fueki"),
            .product(name: "Secrets", package: "fueki"),
            .product(name: "Tokens", package: "fueki"),
            .product(name: "WebAuthn", package: "fueki"),
        ],
        swiftSettings: strict),
    .executableTarget(
        name: "PasskeyVerification",
        dependencies: [
            .product(name: "Encoding", package: "fueki"),
            .product(name: "Secrets", package: "fueki"),
            .product(name: "WebAuthn", package: "fueki"),
        ],
        swiftSettings: strict),
]

let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "fueki", path: "..")],
    targets: [
        .executableTarget(
            name: "ConstantTime",
            dependencies: [
                .product(name: "Secrets", package: "fueki"),
                .product(name: "Curves", package: "fueki"),
                .product(name: "Threshold", package: "fueki"),
            ],
            swiftSettings: strict)
    ] + (Context.environment["FUEKI_PART"] == "core" ? [] : server),
    swiftLanguageModes: [.v6]
)
