// swift-tools-version: 6.2
import PackageDescription

// The layers, from the bottom: an arrow goes down, or to an earlier line of the same layer.
// `scripts/dependency-graph` prints the arrows, and refuses the ones that must never be drawn.

/// `FUEKI_LIBFUZZER=1` builds for libFuzzer the program in Fuzz/ and the libraries whose decoders it tries: see `scripts/fuzz`.
/// Optimised, because that makes ten times as many executions; the optimiser leaves every precondition and overflow check.
let fuzzing = Context.environment["FUEKI_LIBFUZZER"] != nil

/// `FUEKI_DOCS=1` adds the plugin that `make docs` builds the documentation with: who uses the libraries does not fetch it.
let documenting = Context.environment["FUEKI_DOCS"] != nil

let strict: [SwiftSetting] =
    [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (fuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", "-O"])] : [])

/// - Parameter files: what is built into the program as bytes.
func library(_ name: String, _ dependencies: [Target.Dependency] = [], containing files: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: files.map { .embedInCode($0) }, swiftSettings: strict)
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
let certificates: [Target.Dependency] = [
    .product(name: "X509", package: "swift-certificates"),
    .product(name: "SwiftASN1", package: "swift-asn1"),
]
let httpServer: [Target.Dependency] = [
    .product(name: "Hummingbird", package: "hummingbird"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
    .product(name: "Logging", package: "swift-log"),
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    .product(name: "UnixSignals", package: "swift-service-lifecycle"),
]
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

#if os(macOS)
    // For Apple's systems, a phone among them, both libraries come as Swift packages. No machine of ours has built this branch:
    // docs/apple.md.
    let systemLibraryPackages: [Package.Dependency] = [
        .package(url: "https://github.com/jedisct1/swift-sodium", .upToNextMinor(from: "0.9.1")),
        .package(url: "https://github.com/21-DOT-DEV/swift-secp256k1", .upToNextMinor(from: "0.21.1")),
    ]
    let systemLibraries: [Target] = [
        .target(
            name: "CSodium", dependencies: [.product(name: "Clibsodium", package: "swift-sodium")],
            path: "Apple/CSodium"),
        .target(
            name: "CSecp256k1", dependencies: [.product(name: "libsecp256k1", package: "swift-secp256k1")],
            path: "Apple/CSecp256k1"),
    ]
#else
    let systemLibraryPackages: [Package.Dependency] = []
    let systemLibraries: [Target] = [
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CSecp256k1", pkgConfig: "libsecp256k1", providers: [.apt(["libsecp256k1-dev"])]),
    ]
#endif

/// Only SQLStore talks to PostgreSQL.
let databases: [Target] = [
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])])
]

/// Only the command draws.
let drawing: [Target] = [
    .systemLibrary(
        name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])])
]

/// What the two programs share of their command lines. No product: who uses the libraries brings a command line of their own.
let commandLine: [Target] = [
    // L0
    library("Terminal", ["SecureStorage", "DisplayText", "Secrets", "Encoding", arguments])
]

let commandLineTests: [Target] = [
    tests(of: "Terminal", ["Terminal", "DisplayText", arguments])
]

/// Needs the two system libraries and one small package: builds and tests in seconds.
let core: [Target] = [
    // L0
    .target(name: "CSHA256"),
    library("Secrets", ["CSodium"]),
    library("Encoding"),
    // L1
    library("Curves", ["Secrets", "CSHA256", "CSecp256k1", "CSodium"]),
    library("Amounts", ["Encoding", bigInt]),
    library("DisplayText", ["Secrets"]),
    // L2
    library("Threshold", ["Curves", "Secrets", "Encoding"]),
    library("HDKeys", ["Curves", "Secrets", "Encoding"]),
    library("Mnemonics", ["DisplayText", "Curves", "Secrets"]),
    library("Bitcoin", ["HDKeys", "Amounts", "DisplayText", "Curves", "Secrets", "Encoding"]),
    library("Ethereum", ["Amounts", "DisplayText", "Curves", "Secrets", "Encoding"]),
    // L3
    library(
        "Wallet",
        ["Bitcoin", "Ethereum", "HDKeys", "Mnemonics", "Amounts", "DisplayText", "Curves", "Secrets", "Encoding"]),
    // What the participants say to each other, and their coordinator; a server that holds shares imports it without any file.
    library("Ceremonies", ["Threshold", "Wallet", "Bitcoin", "HDKeys", "Curves", "Secrets", "Encoding"]),
]

let coreTests: [Target] = [
    .target(name: "TestSupport", dependencies: ["Secrets"], path: "Tests/TestSupport", swiftSettings: strict),
    tests(of: "Secrets", ["Secrets"]),
    tests(of: "Encoding", ["Encoding", "Secrets"]),
    tests(of: "Curves", ["Curves", "Secrets", "CSecp256k1", "CSodium"]),
    tests(of: "Amounts", ["Amounts", "Secrets"]),
    tests(of: "DisplayText", ["DisplayText", "Encoding", "Secrets"]),
    tests(of: "Threshold", ["Threshold", "Curves", "Secrets", "Encoding"]),
    tests(
        of: "Wallet",
        [
            "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Mnemonics", "Amounts", "DisplayText", "Curves", "Secrets",
            "Encoding",
        ]),
    // Wallets whose shares are in memory, for the tests of ceremonies and of what stores the shares.
    .target(
        name: "CeremoniesTestSupport",
        dependencies: [
            "Ceremonies", "Threshold", "Wallet", "Bitcoin", "HDKeys", "Mnemonics", "Amounts", "Curves", "Secrets",
            "TestSupport",
        ], path: "Tests/CeremoniesTestSupport", swiftSettings: strict),
    tests(
        of: "Ceremonies",
        [
            "Ceremonies", "CeremoniesTestSupport", "Threshold", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Mnemonics",
            "Amounts", "DisplayText", "Curves", "Secrets", "Encoding",
        ]),
]

/// Of the core, what the servers stand on.
let serverCoreTests = coreTests.filter { ["TestSupport", "SecretsTests", "EncodingTests"].contains($0.name) }

let storage: [Target] = [
    // L1
    library("SecureStorage", ["Secrets", "Encoding", crypto, cryptoExtras]),
    // L3
    library(
        "Custody",
        [
            "Ceremonies", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Mnemonics", "Amounts", "DisplayText", "Threshold",
            "SecureStorage", "Curves", "Secrets", "Encoding", crypto,
            cryptoExtras,
        ]),
]

let networking: [Target] = [
    // L3
    library(
        "Nodes",
        [
            "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Mnemonics", "Amounts", "DisplayText", "Curves", "Secrets",
            "Encoding",
        ] + httpClient)
]

/// What an app pays with: stands above the shares and the nodes, which know nothing of each other.
let payments: [Target] = [
    // L4
    library(
        "Payments",
        [
            "Custody", "Ceremonies", "Nodes", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Amounts", "DisplayText",
            "Threshold", "Curves", "Secrets", "Encoding",
        ])
]

let networkingTests: [Target] = [
    tests(
        of: "Nodes",
        [
            "Nodes", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Mnemonics", "Amounts", "DisplayText", "Curves",
            "Secrets", "Encoding",
        ])
]

let paymentsTests: [Target] = [
    tests(
        of: "Payments",
        [
            "Payments", "Custody", "Ceremonies", "Nodes", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Amounts",
            "DisplayText",
            "Threshold", "Secrets", "Encoding",
        ])
]

let commands: [Target] = [
    // L4
    .executableTarget(
        name: "fueki",
        dependencies: [
            "Payments", "Custody", "Ceremonies", "Nodes", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Mnemonics",
            "Amounts",
            "DisplayText", "Threshold", "SecureStorage", "Curves", "Secrets",
            "Encoding", "CQREncode", "Terminal", arguments,
        ],
        swiftSettings: strict)
]

/// Sessions: what the server and its clients share. No server in it, so that it builds and tests without one.
let sessions: [Target] = [
    // L1
    library("AuthAPI", ["Encoding"]),
    // L2
    library("WebAuthn", ["Secrets", "Encoding", crypto, cryptoExtras] + certificates),
    library("Tokens", ["AuthAPI", "Secrets", "Encoding", crypto]),
]

let sessionTests: [Target] = [
    tests(of: "AuthAPI", ["AuthAPI", "Encoding"]),
    tests(of: "WebAuthn", ["WebAuthn", "Secrets", "Encoding", crypto, cryptoExtras] + certificates),
    tests(of: "Tokens", ["Tokens", "AuthAPI", "Secrets", "Encoding", crypto]),
]

let servers: [Target] = [
    // L3
    // The store of a role of the server, in SQLite or PostgreSQL. It knows no table.
    library(
        "SQLStore",
        [
            "AuthAPI", "SecureStorage", "Secrets", "CPostgres", crypto,
            .product(name: "GRDB", package: "GRDB.swift"),
            // SQLite's own calls, which GRDB is made of.
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]),
    library(
        "AuthServer",
        ["SQLStore", "AuthAPI", "WebAuthn", "Tokens", "SecureStorage", "Secrets", "Encoding", crypto] + httpServer,
        containing: ["Pages/Assets", "Interface/openapi.json"]),
    // L4
    .executableTarget(
        name: "fuekid",
        dependencies: [
            "AuthServer", "AuthAPI", "SecureStorage", "Secrets", "Terminal", arguments,
            .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: strict),
]

let serverTests: [Target] = [
    // The databases that the tests of stores run on.
    .target(
        name: "StoreTestSupport", dependencies: ["SQLStore", "AuthAPI", "Secrets", "TestSupport"],
        path: "Tests/StoreTestSupport", swiftSettings: strict),
    tests(
        of: "SQLStore",
        [
            "SQLStore", "StoreTestSupport", "CrashWriter", "AuthAPI", "Secrets",
            .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    tests(
        of: "AuthServer",
        [
            "AuthServer", "SQLStore", "StoreTestSupport", "AuthAPI", "WebAuthn", "Tokens", "Secrets", "Encoding",
            crypto,
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdTesting", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "Logging", package: "swift-log"),
        ] + certificates),
    // These run the built server, and real browsers, proxies and databases.
    tests(
        of: "Server",
        [
            "fuekid", "AuthServer", "AuthAPI", "Tokens", "WebAuthn", "Secrets", "Encoding", crypto,
            .product(name: "Hummingbird", package: "hummingbird"),
        ] + httpClient,
        excluding: ["Scripts"]),
    // What `scripts/bench-auth` measures the built server with. Here, so that they are built whenever what they use changes.
    .executableTarget(
        name: "AuthLoad", dependencies: ["AuthAPI", "WebAuthn", "Tokens", "Secrets", "Encoding", crypto],
        path: "Benchmarks/AuthLoad", swiftSettings: strict),
    .executableTarget(
        name: "PasskeyVerification", dependencies: ["WebAuthn", "Secrets", "Encoding", crypto],
        path: "Benchmarks/PasskeyVerification", swiftSettings: strict),
]

let storageTests: [Target] = [
    tests(
        of: "SecureStorage", ["SecureStorage", "Secrets", "Encoding", "CrashWriter", crypto, cryptoExtras],
        excluding: ["Golden"]),
    tests(
        of: "Custody",
        [
            "Custody", "Ceremonies", "CeremoniesTestSupport", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Mnemonics",
            "Amounts", "DisplayText", "Threshold", "SecureStorage", "Curves", "Secrets",
            "Encoding",
            "CrashWriter",
        ]),
    // These run the built command, and peers that are not ours.
    tests(of: "Command", ["fueki", "Terminal"], excluding: ["Scripts", "Screens"]),
    tests(of: "EndToEnd", ["fueki", "Encoding"]),
]

/// The snippets of the libraries' documentation, as an app outside the package would write them: `scripts/docc` compares.
let documentationTests: [Target] = [
    tests(
        of: "Documentation",
        [
            "Secrets", "Encoding", "Curves", "Amounts", "DisplayText", "Threshold", "HDKeys", "Mnemonics", "Bitcoin",
            "Ethereum", "Wallet", "SecureStorage", "Nodes", "WebAuthn", "Tokens", "AuthAPI", crypto,
        ])
]

/// What Fuzz/Entries needs: every library with decoders of its own.
let fuzzed: [Target.Dependency] =
    [
        "Encoding", "Secrets", "Curves", "Amounts", "DisplayText", "Threshold", "HDKeys", "Mnemonics", "Bitcoin",
        "Ethereum", "Wallet", "Ceremonies", "SecureStorage", "Custody", "AuthAPI", "WebAuthn", "Tokens", crypto,
    ] + certificates

/// Tries the entries' valid inputs without libFuzzer.
let fuzzTests: [Target] = [
    .testTarget(
        name: "FuzzTests", dependencies: fuzzed, path: "Fuzz", exclude: ["Driver"], sources: ["Entries", "Tests"],
        swiftSettings: strict)
]

let fuzzers: [Target] = [
    .executableTarget(
        name: "fuzz-decoders", dependencies: fuzzed, path: "Fuzz", exclude: ["Tests"], sources: ["Entries", "Driver"],
        swiftSettings: strict,
        // The gold linker fails on the sanitizer's sections.
        linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])])
]

/// SwiftPM builds every target before it tests one, so daily work can leave out what it does not need:
/// `FUEKI_PART=core` (no large packages), `wallet` (no server), `server` (neither wallet nor nodes); all is the default.
let part = fuzzing ? "fuzzing" : Context.environment["FUEKI_PART"] ?? "all"
let large = part != "core"
let withNetwork = large && !fuzzing
let withWallet = part == "wallet" || part == "all"
let withServer = part == "server" || part == "all"

/// Writes to a vault, a book or a store until it is killed: the crash tests run it. It has what the part has.
let crashWriter: [Target] =
    withWallet || withServer
    ? [
        .executableTarget(
            name: "CrashWriter",
            dependencies: (withWallet ? ["Custody", "SecureStorage", "Wallet", "Ethereum", "Amounts", "Secrets"] : [])
                + (withServer ? ["SQLStore", "AuthAPI"] : []),
            path: "Tests/CrashWriter",
            exclude: (withWallet ? [] : ["MainThread.swift", "VaultWrites.swift", "BookWrites.swift"])
                + (withServer ? [] : ["StoreWrites.swift", "WrittenValues.swift"]),
            swiftSettings: strict + (withWallet ? [.define("WRITES_WALLET")] : [])
                + (withServer ? [.define("WRITES_STORE")] : []))
    ] : []

let package = Package(
    name: "fueki",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: (core + (large ? storage + sessions : []) + (withWallet ? networking + payments : [])).map {
        .library(name: $0.name, targets: [$0.name])
    },
    // Ranges, so that an app can resolve them beside its own; docs/tested-versions.txt has those that were tested.
    dependencies: systemLibraryPackages + [.package(url: "https://github.com/attaswift/BigInt", from: "6.0.1")]
        + (large
            ? [
                .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
                .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
                .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
            ] : [])
        + (withNetwork
            ? [
                .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
                .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
                .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
                .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
            ] : [])
        + (withServer
            ? [
                .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
                .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
                .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
                .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
                .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
            ] : [])
        + (documenting ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")] : []),
    targets: systemLibraries + core + (fuzzing ? fuzzers : part == "server" ? serverCoreTests : coreTests)
        + (large ? storage + sessions : []) + (withNetwork ? commandLine + commandLineTests + sessionTests : [])
        + (withWallet
            ? drawing + networking + payments + commands + storageTests + networkingTests + paymentsTests + fuzzTests
                + documentationTests
            : [])
        + (withServer ? databases + servers + serverTests : []) + crashWriter,
    swiftLanguageModes: [.v6]
)
