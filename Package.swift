// swift-tools-version: 6.2
import PackageDescription

// The layers, from the bottom: an arrow goes down, or to an earlier line of the same layer.
// `scripts/dependency-graph` prints the arrows, and refuses the ones that must never be drawn.

/// `FUEKI_LIBFUZZER=1` builds the core for libFuzzer, and Fuzz/ with it. See Fuzz/main.swift.
let fuzzing = Context.environment["FUEKI_LIBFUZZER"] != nil

let strict: [SwiftSetting] =
    [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (fuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address"])] : [])

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(of name: String, _ dependencies: [Target.Dependency], excluding files: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies + ["TestSupport"], exclude: files, swiftSettings: strict)
}

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let bigInt: Target.Dependency = .product(name: "BigInt", package: "BigInt")
let httpClient: [Target.Dependency] = [
    .product(name: "AsyncHTTPClient", package: "async-http-client"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
]
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let systemLibraries: [Target] = [
    .systemLibrary(
        name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
        name: "CSecp256k1", pkgConfig: "libsecp256k1", providers: [.apt(["libsecp256k1-dev"]), .brew(["secp256k1"])]),
]

/// Only the command draws.
let drawing: [Target] = [
    .systemLibrary(
        name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])])
]

/// Needs the two system libraries and one small package: builds and tests in seconds.
let core: [Target] = [
    // L0
    library("Secrets", ["CSodium"]),
    library("Encoding"),
    // L1
    library("Curves", ["Secrets", "CSecp256k1", "CSodium"]),
    // L2
    library("Threshold", ["Curves", "Secrets", "Encoding"]),
    library("Wallet", ["Curves", "Secrets", "Encoding", bigInt]),
]

let coreTests: [Target] = [
    .target(name: "TestSupport", dependencies: ["Secrets"], path: "Tests/TestSupport", swiftSettings: strict),
    tests(of: "Secrets", ["Secrets"]),
    tests(of: "Encoding", ["Encoding", "Secrets"]),
    tests(of: "Curves", ["Curves", "Secrets", "CSecp256k1", "CSodium"]),
    tests(of: "Threshold", ["Threshold", "Curves", "Secrets", "Encoding"]),
    tests(of: "Wallet", ["Wallet", "Curves", "Secrets", "Encoding"]),
]

let storage: [Target] = [
    // L1
    library("SecureStorage", ["Secrets", "Encoding", crypto, cryptoExtras]),
    // L3
    library(
        "Custody", ["Wallet", "Threshold", "SecureStorage", "Curves", "Secrets", "Encoding", crypto, cryptoExtras]),
]

let networking: [Target] = [
    // L3
    library("Nodes", ["Wallet", "Curves", "Secrets", "Encoding"] + httpClient)
]

let networkingTests: [Target] = [
    tests(of: "Nodes", ["Nodes", "Wallet", "Curves", "Secrets", "Encoding"])
]

let commands: [Target] = [
    // L4
    .executableTarget(
        name: "fueki",
        dependencies: [
            "Custody", "Nodes", "Wallet", "Threshold", "SecureStorage", "Curves", "Secrets", "Encoding", "CQREncode",
            arguments,
        ],
        swiftSettings: strict)
]

let storageTests: [Target] = [
    tests(
        of: "SecureStorage", ["SecureStorage", "Secrets", "Encoding", "VaultWriter", crypto, cryptoExtras],
        excluding: ["Golden"]),
    // Writes to a vault until it is killed: the crash tests run it.
    .executableTarget(
        name: "VaultWriter", dependencies: ["SecureStorage", "Secrets"], path: "Tests/VaultWriter",
        swiftSettings: strict),
    tests(
        of: "Custody",
        ["Custody", "Wallet", "Threshold", "SecureStorage", "Curves", "Secrets", "Encoding", "BookWriter"]),
    // Has a book admit one payment after the other, until it is killed.
    .executableTarget(
        name: "BookWriter", dependencies: ["Custody", "Wallet", "Secrets"], path: "Tests/BookWriter",
        swiftSettings: strict),
    // These run the built command, and peers that are not ours.
    tests(of: "Command", ["fueki"], excluding: ["Scripts"]),
    tests(of: "EndToEnd", ["fueki", "Encoding"]),
]

let fuzzers: [Target] = [
    .executableTarget(
        name: "fuzz-decoders", dependencies: ["Encoding", "Secrets", "Wallet"], path: "Fuzz", swiftSettings: strict,
        // The gold linker fails on the sanitizer's sections.
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
]

// `FUEKI_CORE=1 swift test` leaves out what needs large packages, because SwiftPM builds every target before it tests one.
let coreOnly = fuzzing || Context.environment["FUEKI_CORE"] != nil

let package = Package(
    name: "fueki",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: (core + (coreOnly ? [] : storage + networking)).map { .library(name: $0.name, targets: [$0.name]) },
    dependencies: [.package(url: "https://github.com/attaswift/BigInt", exact: "6.0.1")]
        + (coreOnly
            ? []
            : [
                .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
                .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
                .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
                .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
                .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
            ]),
    targets: systemLibraries + core + (fuzzing ? fuzzers : coreTests)
        + (coreOnly ? [] : storage + drawing + networking + commands + storageTests + networkingTests),
    swiftLanguageModes: [.v6]
)
