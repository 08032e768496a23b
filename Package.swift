// swift-tools-version: 6.2
import PackageDescription

// The layers, from the bottom: an arrow points down, or to an earlier line of the same layer.
// `scripts/dependency-graph` prints the arrows, and refuses forbidden ones.

/// `FUEKI_LIBFUZZER=1` builds the program in Fuzz/ for libFuzzer, with the libraries whose decoders it tests: see
/// `scripts/fuzz`. The build is optimised, because that makes executions ten times as fast; the optimiser keeps every
/// precondition and overflow check.
let fuzzing = Context.environment["FUEKI_LIBFUZZER"] != nil

/// `FUEKI_OPTIMISED=1` optimises the libraries in debug builds, too: the tests take half the processor time, with every precondition
/// and overflow check. The scripts set it. An app that depends on a version of this package must not find unsafe flags.
let optimisation: [SwiftSetting] =
    Context.environment["FUEKI_OPTIMISED"] == "1" && !fuzzing ? [.unsafeFlags(["-O"])] : []

/// `FUEKI_DOCS=1` adds the plugin with which `make docs` builds the documentation. Users of the libraries do not fetch
/// it.
let documenting = Context.environment["FUEKI_DOCS"] != nil

/// `FUEKI_WHOLE=1` compiles each test target in one process, which also writes its module: from nothing this takes a third less
/// processor time, and after a change it takes more. CI sets it.
let whole: [SwiftSetting] =
    Context.environment["FUEKI_WHOLE"] == "1"
    ? [
        .unsafeFlags(
            ["-whole-module-optimization", "-num-threads", "1", "-no-emit-module-separately-wmo"],
            .when(configuration: .debug))
    ] : []

let strict: [SwiftSetting] =
    [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (fuzzing ? [.unsafeFlags(["-sanitize=fuzzer,address", "-O"])] : [])

/// Declares a library target.
///
/// - Parameter files: the files that are built into the program as bytes.
func library(_ name: String, _ dependencies: [Target.Dependency] = [], containing files: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: files.map { .embedInCode($0) },
        swiftSettings: strict + optimisation)
}

func tests(of name: String, _ dependencies: [Target.Dependency], excluding files: [String] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: dependencies + ["TestSupport"], exclude: files,
        swiftSettings: strict + whole)
}

let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let bigInt: Target.Dependency = .product(name: "BigInt", package: "BigInt")
/// The client of the tests that run the built server.
let httpClient: [Target.Dependency] = [
    .product(name: "AsyncHTTPClient", package: "async-http-client"),
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
]
let pinnedConnections: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOTLS", package: "swift-nio"),
    .product(name: "NIOSSL", package: "swift-nio-ssl"),
]
let certificates: [Target.Dependency] = [
    .product(name: "X509", package: "swift-certificates"),
    .product(name: "SwiftASN1", package: "swift-asn1"),
]
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

#if os(macOS)
    // On Apple's systems, including phones, both libraries come as Swift packages. This branch has never been built:
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

/// SQLStore, the only target that talks to PostgreSQL.
let databases: [Target] = [
    .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])])
]

/// QR codes, which only the command's texts contain.
let drawing: [Target] = [
    .systemLibrary(
        name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"]), .brew(["qrencode"])])
]

/// The common part of the two programs' command lines. It is not a product: users of the libraries have their own
/// command line.
let commandLine: [Target] = [
    // L1
    // Failures in words, and the layout of text. It knows neither a terminal nor a command line.
    library("Texts", ["SecureStorage", "Files", "DisplayText", "Time", "Encoding"]),
    library("Terminal", ["Texts", "SecureStorage", "Files", "Time", "Secrets", arguments]),
]

let commandLineTests: [Target] = [
    tests(of: "Terminal", ["Terminal", "Texts", "DisplayText", "Secrets", arguments])
]

/// The part that needs the two system libraries and one small package only: it builds and tests in seconds.
let core: [Target] = [
    // L0
    .target(name: "CSHA256"),
    library("Secrets", ["CSodium"]),
    library("Encoding"),
    // Times and the clocks of a machine.
    library("Time"),
    // L1
    library("Curves", ["Secrets", "CSHA256", "CSecp256k1", "CSodium"]),
    // Files that survive a crash, locks among processes, and secrets in files.
    library("Files", ["Secrets"]),
    library("Amounts", ["Encoding", bigInt]),
    library("DisplayText", ["Secrets"]),
    // L2
    library("Threshold", ["Curves", "Secrets", "Encoding"]),
    // Signatures by threshold ECDSA; Threshold makes and moves its shares.
    library("ThresholdECDSA", ["Threshold", "Curves", "Secrets", "Encoding"]),
    library("HDKeys", ["Curves", "Secrets", "Encoding"]),
    library("Mnemonics", ["DisplayText", "Curves", "Secrets"]),
    library("Redaction", ["Mnemonics", "Curves", "Secrets", "Encoding"]),
    library("Bitcoin", ["HDKeys", "Amounts", "DisplayText", "Curves", "Encoding"]),
    library("Ethereum", ["Amounts", "DisplayText", "Curves", "Encoding"]),
    // L3
    library(
        "Wallet",
        ["Bitcoin", "Ethereum", "HDKeys", "Amounts", "DisplayText", "Curves", "Time", "Secrets", "Encoding"]),
    // The messages between participants and their coordinator; a server that holds shares imports it without any file.
    library(
        "Ceremonies",
        ["ThresholdECDSA", "Threshold", "Wallet", "Bitcoin", "HDKeys", "Curves", "Secrets", "Encoding"]),
]

let coreTests: [Target] = [
    // Never optimised: it takes care that no piece of a secret is as a whole in a register, from where it gets into memory.
    .target(name: "TestSupport", dependencies: ["Secrets"], path: "Tests/TestSupport", swiftSettings: strict),
    // Reads the declared errors in the sources, and searches the texts about errors for the values of samples.
    .target(name: "ErrorTestSupport", path: "Tests/ErrorTestSupport", swiftSettings: strict),
    tests(of: "Secrets", ["Secrets"]),
    tests(of: "Encoding", ["Encoding", "Secrets"]),
    tests(of: "Time", ["Time"]),
    tests(of: "Curves", ["Curves", "Secrets", "CSecp256k1", "CSodium"]),
    tests(of: "Files", ["Files", "Secrets"]),
    tests(of: "Amounts", ["Amounts", "Secrets"]),
    tests(of: "DisplayText", ["DisplayText", "Secrets"]),
    tests(of: "Redaction", ["Redaction", "Mnemonics", "Secrets", "Encoding"], excluding: ["Corpus"]),
    // Secrets in the clear and a dealer that knows a whole key, for the tests of Threshold and of ThresholdECDSA.
    .target(
        name: "ThresholdTestSupport", dependencies: ["Threshold", "Curves", "Secrets", "TestSupport"],
        path: "Tests/ThresholdTestSupport", swiftSettings: strict),
    tests(of: "Threshold", ["Threshold", "ThresholdTestSupport", "Curves", "Secrets", "Encoding"]),
    tests(
        of: "ThresholdECDSA",
        ["ThresholdECDSA", "Threshold", "ThresholdTestSupport", "Curves", "Secrets", "Encoding"]),
    tests(of: "HDKeys", ["HDKeys", "Curves", "Secrets", "Encoding"]),
    tests(of: "Mnemonics", ["Mnemonics", "Curves", "Secrets"]),
    // A key and payments of it, for the tests of Bitcoin and of wallets.
    .target(
        name: "BitcoinTestSupport", dependencies: ["Bitcoin", "HDKeys", "Curves", "Encoding"],
        path: "Tests/BitcoinTestSupport", swiftSettings: strict),
    tests(
        of: "Bitcoin",
        ["Bitcoin", "BitcoinTestSupport", "HDKeys", "Amounts", "DisplayText", "Curves", "Secrets", "Encoding"]),
    // Typed data and addresses, for the tests of Ethereum and of wallets.
    .target(
        name: "EthereumTestSupport", dependencies: ["Ethereum"], path: "Tests/EthereumTestSupport",
        swiftSettings: strict),
    tests(
        of: "Ethereum",
        ["Ethereum", "EthereumTestSupport", "Amounts", "DisplayText", "Curves", "Secrets", "Encoding"]),
    tests(
        of: "Wallet",
        [
            "Wallet", "BitcoinTestSupport", "EthereumTestSupport", "Bitcoin", "Ethereum", "HDKeys", "Mnemonics",
            "Amounts", "DisplayText", "Curves", "Secrets", "Encoding",
        ]),
    // Wallets whose shares are in memory, for the tests of ceremonies and of the storage of shares.
    .target(
        name: "CeremoniesTestSupport",
        dependencies: [
            "Ceremonies", "ThresholdECDSA", "Threshold", "Wallet", "Bitcoin", "HDKeys", "Mnemonics", "Curves",
            "Secrets", "TestSupport",
        ], path: "Tests/CeremoniesTestSupport", swiftSettings: strict),
    tests(
        of: "Ceremonies",
        [
            "Ceremonies", "CeremoniesTestSupport", "ThresholdECDSA", "Threshold", "Wallet", "Bitcoin", "Ethereum",
            "HDKeys", "Amounts", "Curves", "Secrets", "Encoding",
        ]),
]

/// The tests of the core libraries that the servers use.
let serverCoreTests = coreTests.filter {
    ["TestSupport", "ErrorTestSupport", "SecretsTests", "EncodingTests", "TimeTests", "FilesTests"].contains($0.name)
}

/// The log of a program, for swift-log.
let logging: [Target] = [
    // L3
    library("RedactedLogging", ["Redaction", .product(name: "Logging", package: "swift-log")])
]

let loggingTests: [Target] = [
    tests(
        of: "RedactedLogging",
        ["RedactedLogging", "Redaction", "Secrets", .product(name: "Logging", package: "swift-log")])
]

let storage: [Target] = [
    // L1
    library("SecureStorage", ["Files", "DisplayText", "Secrets", "Encoding", crypto, cryptoExtras]),
    // The headers of tpm2-tss, whose libraries are loaded at run time.
    .target(name: "CTPM"),
    library("TPM", ["CTPM", "SecureStorage", "Files", "Secrets", "Encoding", crypto]),
    // libsecret, which is loaded at run time, and the kernel's keyrings: both only for Keyrings.
    .target(name: "CKeyrings"),
    library("Keyrings", ["SecureStorage", "Secrets", "Encoding", "CKeyrings"]),
    // What only runs on Apple's systems: the keychain, the Secure Enclave, App Attest, the system's check of the user.
    library("AppleStores", ["SecureStorage", "Files", "Secrets", "Encoding", crypto]),
    library("AuditLog", ["SecureStorage", "Files", "Time", "Secrets", "Encoding", crypto]),
    // L2
    // The stores and chips of one machine.
    library("DeviceStores", ["TPM", "Keyrings", "AppleStores", "SecureStorage", "Secrets"]),
    // The lock, the unlocking and the cover of an app with a screen, with adapters for SwiftUI and UIKit.
    library("AppProtection", ["SecureStorage", "Time", "Secrets"]),
    // L3
    library(
        "Custody",
        [
            "Ceremonies", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Threshold", "ThresholdECDSA", "SecureStorage",
            "AuditLog", "Files", "Curves", "Time", "Secrets", "Encoding", crypto, cryptoExtras,
        ]),
    // The books of a machine's wallets: policy, history and proposals, the audit log, and what is approved.
    library(
        "WalletBooks",
        [
            "Custody", "Ceremonies", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Amounts", "DisplayText", "Threshold",
            "SecureStorage", "AuditLog", "Files", "Curves", "Time", "Secrets", "Encoding", crypto,
        ]),
    // A payload is proposed, confirmed, admitted by the book, and signed, by shares on this machine and others.
    library(
        "SigningSession",
        ["WalletBooks", "Custody", "Ceremonies", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Time", "Secrets"]),
]

/// Connections with pinned public keys.
let connections: [Target] = [
    // L2
    // HTTP over TLS. Its decoders are fuzzed.
    library("PinnedHTTP", ["Time", "Secrets", "Encoding", crypto] + pinnedConnections + certificates),
    // Streams of messages (WebSocket) over the same connections.
    library("PinnedWebSockets", ["PinnedHTTP", "Secrets", "Encoding", crypto]),
]

let networking: [Target] = [
    // L3
    library(
        "Nodes",
        [
            "PinnedHTTP", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Amounts", "DisplayText", "Secrets", "Encoding",
        ]),
    library("WitnessClient", ["PinnedHTTP", "AuditLog"]),
]

/// The payments of an app: they use the shares and the nodes, which do not depend on each other.
let payments: [Target] = [
    // L4
    library(
        "Payments",
        [
            "SigningSession", "WalletBooks", "Custody", "Ceremonies", "Nodes", "Wallet", "Bitcoin", "Ethereum",
            "HDKeys", "Amounts", "DisplayText", "Threshold", "Curves", "Encoding",
        ]),
    // The payments of a wallet and of others to it, with the nodes' news.
    library(
        "PaymentHistory",
        ["Payments", "WalletBooks", "Custody", "Nodes", "Wallet", "Bitcoin", "HDKeys", "Amounts"]),
    // Moves all coins of whole keys to a wallet of shares: the only payments that whole keys sign.
    library(
        "Sweep",
        [
            "Payments", "SigningSession", "Custody", "Ceremonies", "Nodes", "Wallet", "Bitcoin", "Ethereum", "HDKeys",
            "Amounts", "Secrets",
        ]),
]

/// The credentials of exchanges, and signed requests to them.
let exchanges: [Target] = [
    // L4
    // The API keys of exchanges in a secret store. It knows no network.
    library("ExchangeCredentials", ["SecureStorage", "Time", "Secrets", "Encoding", crypto]),
    library(
        "Exchange",
        [
            "ExchangeCredentials", "PinnedWebSockets", "PinnedHTTP", "Files", "Amounts", "Time", "Secrets", "Encoding",
            crypto,
        ]),
]

let exchangeTests: [Target] = [
    // The keys of the exchanges' documentation.
    .target(
        name: "ExchangeTestSupport", path: "Tests/ExchangeTestSupport", swiftSettings: strict),
    tests(
        of: "ExchangeCredentials",
        [
            "ExchangeCredentials", "ExchangeTestSupport", "SecureStorage", "SecretStoreTestSupport", "Time", "Secrets",
            "Encoding",
        ]),
    tests(
        of: "Exchange",
        [
            "Exchange", "ExchangeCredentials", "ExchangeTestSupport", "PinnedWebSockets", "PinnedHTTP", "SecureStorage",
            "SecretStoreTestSupport", "Files", "Time",
            "Secrets", "Encoding",
            "CrashWriter", crypto,
        ]),
]

/// The texts of the command: texts, rows and JSON of the libraries' values. It is not a product: an app has its own
/// texts.
let presentation: [Target] = [
    // L5
    // The texts of errors, and the words for values that both they and views contain.
    library(
        "ErrorTexts",
        [
            "Payments", "SigningSession", "WalletBooks", "Custody", "Ceremonies", "Nodes", "Wallet", "Bitcoin",
            "Ethereum", "HDKeys",
            "Mnemonics",
            "Amounts", "DisplayText", "Threshold", "SecureStorage", "AuditLog", "PinnedHTTP", "Exchange",
            "ExchangeCredentials",
            "Time", "Encoding", "Texts",
        ]),
    library(
        "Presentation",
        [
            "ErrorTexts", "Payments", "PaymentHistory", "Sweep", "SigningSession", "WalletBooks", "Custody",
            "Ceremonies", "Nodes", "Wallet",
            "Bitcoin", "Ethereum",
            "HDKeys",

            "Amounts", "DisplayText", "Threshold", "SecureStorage", "DeviceStores", "AuditLog", "PinnedHTTP",
            "Exchange", "ExchangeCredentials", "Curves", "Time", "Encoding", "CQREncode", "Texts",
        ]),
    // What `fueki exchange` shows.
    library("ExchangeViews", ["ErrorTexts", "Exchange", "ExchangeCredentials", "PinnedHTTP", "Time", "Texts"]),
]

let networkingTests: [Target] = [
    // A server with pinned keys, and clocks.
    .target(
        name: "PinnedHTTPTestSupport", dependencies: ["PinnedHTTP", "Secrets", "TestSupport"],
        path: "Tests/PinnedHTTPTestSupport", swiftSettings: strict),
    tests(
        of: "PinnedHTTP",
        ["PinnedHTTP", "PinnedHTTPTestSupport", "Secrets", "Encoding", crypto, cryptoExtras] + certificates),
    tests(
        of: "PinnedWebSockets", ["PinnedWebSockets", "PinnedHTTP", "PinnedHTTPTestSupport", "Secrets"]),
    tests(
        of: "Nodes",
        [
            "Nodes", "PinnedHTTP", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Amounts", "DisplayText",
            "Curves",
            "Secrets", "Encoding",
        ]),
    tests(of: "WitnessClient", ["WitnessClient", "PinnedHTTP", "AuditLog", "Time", "Secrets", "Encoding"]),
]

let paymentsTests: [Target] = [
    // A home with a wallet, for the tests of signing and of payments.
    .target(
        name: "SigningSessionTestSupport",
        dependencies: [
            "SigningSession", "WalletBooks", "Custody", "Wallet", "Bitcoin", "HDKeys", "Threshold", "Secrets",
            "TestSupport",
        ], path: "Tests/SigningSessionTestSupport", swiftSettings: strict),
    tests(
        of: "SigningSession",
        [
            "SigningSession", "SigningSessionTestSupport", "WalletBooks", "Custody", "Ceremonies",
            "CeremoniesTestSupport", "Wallet", "Ethereum", "Amounts", "DisplayText", "Secrets",
        ]),
    // Also of the two libraries above Payments.
    tests(
        of: "Payments",
        [
            "Payments", "PaymentHistory", "Sweep", "SigningSession", "SigningSessionTestSupport", "WalletBooks",
            "Custody", "Ceremonies", "Nodes", "PinnedHTTP", "Wallet", "Bitcoin", "Ethereum", "HDKeys", "Amounts",
            "DisplayText", "Secrets", "Encoding",
        ]),
]

let presentationTests: [Target] = [
    tests(
        of: "Presentation",
        [
            "Presentation", "ExchangeViews", "ErrorTexts", "ErrorTestSupport", "Payments", "PaymentHistory", "Sweep",
            "SigningSession",
            "WalletBooks", "Custody", "CustodyTestSupport",
            "Ceremonies", "CeremoniesTestSupport",
            "Nodes", "Wallet",
            "Bitcoin",
            "Ethereum", "HDKeys", "Mnemonics", "Amounts", "Redaction", "DisplayText", "Threshold", "SecureStorage",
            "AppleStores", "AuditLog", "WitnessClient", "PinnedHTTP", "PinnedWebSockets", "Exchange",
            "ExchangeCredentials", "Files", "Curves", "Time", "Secrets",
            "Encoding", "Texts", "Terminal", "RedactedLogging", .product(name: "Logging", package: "swift-log"),
        ]),
    tests(
        of: "ExchangeViews",
        [
            "ExchangeViews", "ErrorTexts", "Exchange", "ExchangeCredentials", "PinnedHTTP", "SecureStorage", "Files",
            "Time", "Texts",
            "Terminal",
        ]),
]

let commands: [Target] = [
    // L5
    .executableTarget(
        name: "fueki",
        dependencies: [
            "Presentation", "ExchangeViews", "ErrorTexts", "Payments", "PaymentHistory", "Sweep", "SigningSession",
            "WalletBooks", "Custody",
            "Ceremonies", "Nodes",
            "Wallet", "Bitcoin", "Ethereum",
            "HDKeys", "Mnemonics", "Amounts", "Redaction", "Threshold", "SecureStorage", "DeviceStores", "AuditLog",
            "WitnessClient", "PinnedHTTP", "Exchange", "ExchangeCredentials", "Files", "Time", "Secrets", "Encoding",
            "Texts", "Terminal",
            arguments,
        ],
        swiftSettings: strict)
]

/// The common part of the server and its clients. It contains no server, so that it builds and tests without one.
let sessions: [Target] = [
    // L1
    library("AuthAPI", ["Time", "Encoding"]),
    // L2
    library("WebAuthn", ["Time", "Secrets", "Encoding", crypto, cryptoExtras] + certificates),
    library("Tokens", ["AuthAPI", "Time", "Secrets", "Encoding", crypto]),
]

let sessionTests: [Target] = [
    tests(of: "AuthAPI", ["AuthAPI", "Time", "Encoding"]),
    tests(of: "WebAuthn", ["WebAuthn", "Secrets", "Encoding", crypto, cryptoExtras] + certificates),
    tests(of: "Tokens", ["Tokens", "AuthAPI", "Time", "Secrets", "Encoding", crypto]),
]

let servers: [Target] = [
    // L3
    // The store of a server role, in SQLite or PostgreSQL. It contains no tables.
    library(
        "SQLStore",
        [
            "Files", "Time", "Secrets", "Encoding", "CPostgres", crypto,
            .product(name: "GRDB", package: "GRDB.swift"),
            // The SQLite functions that GRDB is built on.
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
        ]),
    // The HTTP side of every role: connections, limits, the log of requests, probes, metrics, TLS. It knows no role.
    library(
        "ServerHTTP",
        [
            "SQLStore", "AuthAPI", "Time", "Secrets", "Encoding",
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
    // The audit log of every role, with its tables, and the witness of others' logs.
    library(
        "ServerAudit",
        ["ServerHTTP", "SQLStore", "AuthAPI", "AuditLog", "Time", "Secrets", crypto] + [
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
    // The tables of the auth role.
    library("AuthStore", ["SQLStore", "AuthAPI", "Time", "Secrets"]),
    // The settings of the auth role, the files that they name, and the folder with its vault.
    library(
        "AuthSettings",
        [
            "ServerAudit", "ServerHTTP", "SQLStore", "WebAuthn", "AuditLog", "SecureStorage", "Files", "Time",
            "Secrets", "Encoding",
        ]),
    library(
        "AuthServer",
        [
            "AuthSettings", "ServerAudit", "ServerHTTP", "AuthStore", "SQLStore", "AuthAPI", "WebAuthn", "Tokens",
            "AuditLog", "Files", "Time", "Secrets", "Encoding", crypto,
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            .product(name: "UnixSignals", package: "swift-service-lifecycle"),
        ],
        containing: ["Pages/Assets", "Interface/openapi.json"]),
    // The commands of the operator, on the store of a server.
    library(
        "AuthOperations",
        [
            "AuthServer", "AuthSettings", "ServerAudit", "ServerHTTP", "AuthStore", "SQLStore", "AuthAPI", "WebAuthn",
            "Tokens", "AuditLog", "SecureStorage", "Files", "Time", "Secrets", "Encoding",
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
        ]),
    // L5
    .executableTarget(
        name: "fuekid",
        dependencies: [
            "AuthOperations", "AuthServer", "AuthSettings", "ServerHTTP", "RedactedLogging", "Redaction",
            "SecureStorage", "Files", "Time",
            "Secrets", "Texts", "Terminal", arguments, .product(name: "Logging", package: "swift-log"),
        ],
        swiftSettings: strict),
]

let serverTests: [Target] = [
    // The databases for the tests of stores.
    .target(
        name: "StoreTestSupport", dependencies: ["SQLStore", "AuthAPI", "Time", "Secrets", "TestSupport"],
        path: "Tests/StoreTestSupport", swiftSettings: strict),
    tests(
        of: "SQLStore",
        [
            "SQLStore", "StoreTestSupport", "CrashWriter", "Time", "Secrets",
            .product(name: "GRDB", package: "GRDB.swift"),
        ]),
    tests(
        of: "AuthStore",
        ["AuthStore", "ServerAudit", "SQLStore", "StoreTestSupport", "AuthAPI", "Time", "Secrets", "Tokens"]),
    tests(
        of: "ServerHTTP",
        [
            "ServerHTTP", "StoreTestSupport", "Time", "Secrets", "Encoding",
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOEmbedded", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "Logging", package: "swift-log"),
        ]),
    // A whole server without a network, with devices, authenticators and a disk that fails.
    .target(
        name: "AuthServerTestSupport",
        dependencies: [
            "AuthServer", "AuthSettings", "ServerAudit", "ServerHTTP", "AuthStore", "SQLStore", "StoreTestSupport",
            "AuthAPI", "WebAuthn", "Tokens", "AuditLog", "Files", "Time", "Secrets", "Encoding", crypto, "TestSupport",
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdTesting", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "Logging", package: "swift-log"),
        ] + certificates, path: "Tests/AuthServerTestSupport", swiftSettings: strict),
    tests(
        of: "AuthSettings",
        ["AuthSettings", "ServerHTTP", "StoreTestSupport", "AuthAPI", "WebAuthn", "Time", "Encoding"]),
    tests(
        of: "AuthServer",
        [
            "AuthServer", "AuthServerTestSupport", "AuthSettings", "ServerAudit", "ServerHTTP", "AuthStore", "SQLStore",
            "StoreTestSupport", "AuthAPI", "WebAuthn", "Tokens", "AuditLog", "Time", "Secrets", "Encoding",
            crypto,
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdTesting", package: "hummingbird"),
            .product(name: "HTTPTypes", package: "swift-http-types"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
        ]),
    tests(
        of: "AuthOperations",
        [
            "AuthOperations", "AuthServer", "AuthServerTestSupport", "AuthSettings", "ServerAudit", "ServerHTTP",
            "AuthStore", "SQLStore", "StoreTestSupport", "ErrorTestSupport", "AuthAPI", "WebAuthn", "Tokens",
            "AuditLog", "SecureStorage", "Files", "Time", "Secrets", "Encoding", crypto,
            .product(name: "HTTPTypes", package: "swift-http-types"),
        ]),
    // These tests run the built server, and real browsers, proxies and databases.
    tests(
        of: "Server",
        [
            "fuekid", "AuthServer", "AuthSettings", "ServerHTTP", "SQLStore", "AuthAPI", "Tokens", "WebAuthn",
            "AuditLog", "Time", "Secrets", "Encoding",
            crypto, arguments, .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
        ] + httpClient,
        excluding: ["Scripts"]),
    // The programs with which `scripts/bench-auth` measures the built server. They are here so that they are built with
    // every change.
    .executableTarget(
        name: "AuthLoad", dependencies: ["WebAuthn", "Tokens", "Time", "Secrets", "Encoding", crypto],
        path: "Benchmarks/AuthLoad", swiftSettings: strict),
    .executableTarget(
        name: "PasskeyVerification", dependencies: ["WebAuthn", "Secrets", "Encoding", crypto],
        path: "Benchmarks/PasskeyVerification", swiftSettings: strict),
]

let storageTests: [Target] = [
    // The suite that every place for secrets passes.
    .target(
        name: "SecretStoreTestSupport", dependencies: ["SecureStorage", "Secrets", "TestSupport"],
        path: "Tests/SecretStoreTestSupport", swiftSettings: strict),
    tests(
        of: "SecureStorage",
        ["SecureStorage", "SecretStoreTestSupport", "Files", "Secrets", "Encoding", "CrashWriter", crypto],
        excluding: ["Golden"]),
    tests(of: "TPM", ["TPM", "SecureStorage", "SecretStoreTestSupport", "Files", "Secrets", "Encoding", crypto]),
    tests(
        of: "Keyrings",
        ["Keyrings", "CKeyrings", "SecureStorage", "SecretStoreTestSupport", "Secrets", "Encoding"],
        excluding: ["Peers"]),
    tests(
        of: "AppleStores",
        ["AppleStores", "SecureStorage", "SecretStoreTestSupport", "Files", "Secrets", crypto]),
    tests(of: "AppProtection", ["AppProtection", "SecureStorage", "Time", "Secrets"]),
    tests(of: "AuditLog", ["AuditLog", "SecureStorage", "Time", "Secrets", "Encoding", "CrashWriter", crypto]),
    // Measures an audit log on one disk.
    .executableTarget(
        name: "AuditLoad", dependencies: ["AuditLog", "Time", "Secrets"], path: "Benchmarks/AuditLoad",
        swiftSettings: strict),
    // Folders with wallets of known keys.
    .target(
        name: "CustodyTestSupport",
        dependencies: [
            "Custody", "Ceremonies", "CeremoniesTestSupport", "Wallet", "Bitcoin", "HDKeys", "Threshold", "Secrets",
            "Encoding", "TestSupport",
        ], path: "Tests/CustodyTestSupport", swiftSettings: strict),
    tests(
        of: "Custody",
        [
            "Custody", "CustodyTestSupport", "Ceremonies", "CeremoniesTestSupport", "Wallet", "Bitcoin", "Ethereum",
            "HDKeys", "Threshold", "SecureStorage", "SecretStoreTestSupport", "Curves", "ThresholdECDSA", "Files",
            "Secrets", "Encoding",
            "CrashWriter",
        ]),
    tests(
        of: "WalletBooks",
        [
            "WalletBooks", "Custody", "CustodyTestSupport", "Ceremonies", "CeremoniesTestSupport", "Wallet", "Bitcoin",
            "Ethereum", "HDKeys", "Mnemonics", "Amounts", "DisplayText", "Threshold", "SecureStorage",
            "SecretStoreTestSupport", "AuditLog",
            "Curves", "Secrets", "Encoding", "CrashWriter",
        ]),
    // Measures key generation, signing and the vault for `scripts/bench`.
    .executableTarget(
        name: "WalletBench",
        dependencies: [
            "Ethereum", "Redaction", "Mnemonics", "HDKeys", "Threshold", "ThresholdECDSA", "SecureStorage", "Amounts",
            "Curves", "Secrets", "Encoding",
        ], path: "Benchmarks/WalletBench", swiftSettings: strict),
    // These tests run the built command, and independent peers.
    tests(of: "Command", ["fueki", "WalletBench", "Terminal", arguments], excluding: ["Scripts", "Screens"]),
    tests(of: "EndToEnd", ["fueki", "Encoding"]),
]

/// The snippets of the libraries' documentation, as an app outside the package would write them. `scripts/docc`
/// compares them.
let documentationTests: [Target] = [
    tests(
        of: "Documentation",
        [
            "Time", "Secrets", "Encoding", "Curves", "Amounts", "DisplayText", "Threshold", "HDKeys", "Mnemonics",
            "Redaction",
            "Bitcoin", "Ethereum", "Wallet", "SecureStorage", "Nodes", "PinnedHTTP", "WebAuthn",
            "Tokens", "AuthAPI",
            "RedactedLogging", crypto,
            .product(name: "Logging", package: "swift-log"),
        ])
]

/// The dependencies of Fuzz/Entries: every library with decoders of its own.
let fuzzed: [Target.Dependency] =
    [
        "Encoding", "Time", "Secrets", "Curves", "Amounts", "DisplayText", "Threshold", "HDKeys", "Mnemonics",
        "Redaction",
        "Bitcoin", "Ethereum", "Wallet", "Ceremonies", "SecureStorage", "Keyrings", "AppleStores", "AuditLog",
        "Custody", "WalletBooks", "AuthAPI", "WebAuthn", "Tokens", "PinnedHTTP", "PinnedWebSockets", "Exchange",
        "ExchangeCredentials", "TPM", "ThresholdECDSA",
        crypto,
    ] + certificates

/// The tests of the entries' valid inputs without libFuzzer.
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

/// The part of the package to build. SwiftPM builds every target before it tests one, so daily work can leave out the
/// others: `FUEKI_PART=core` (no large packages), `wallet` (no server), `server` (neither wallet nor nodes); the
/// default is all.
let part = fuzzing ? "fuzzing" : Context.environment["FUEKI_PART"] ?? "all"
let large = part != "core"
let withNetwork = large && !fuzzing
let withWallet = part == "wallet" || part == "all"
let withServer = part == "server" || part == "all"

/// The program that writes to a log, a vault, a book or a store until it is killed, for the crash tests. Its
/// dependencies are those of the part.
let crashWriter: [Target] =
    withWallet || withServer
    ? [
        .executableTarget(
            name: "CrashWriter",
            dependencies: ["AuditLog", "Time", "Secrets"]
                + (withWallet
                    ? [
                        "Exchange", "ExchangeCredentials", "PinnedHTTP", "Custody", "WalletBooks", "SecureStorage",
                        "Wallet", "Ethereum",
                        "Amounts",
                    ] : [])
                + (withServer ? ["SQLStore"] : []),
            path: "Tests/CrashWriter",
            exclude: (withWallet
                ? [] : ["VaultWrites.swift", "RekeyWrite.swift", "BookWrites.swift", "ExchangeWrites.swift"])
                + (withServer ? [] : ["StoreWrites.swift", "WrittenValues.swift"]),
            swiftSettings: strict + [.define("WRITES_LOG")]
                + (withWallet ? [.define("WRITES_WALLET"), .define("WRITES_EXCHANGE")] : [])
                + (withServer ? [.define("WRITES_STORE")] : []))
    ] : []

let package = Package(
    name: "fueki",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: (core + (large ? storage + sessions : []) + (withNetwork ? logging : [])
        + (withWallet ? connections + networking + payments + exchanges : [])).map {
            .library(name: $0.name, targets: [$0.name])
        },
    // Version ranges, so that an app can resolve them with its own packages; docs/tested-versions.txt lists the tested
    // versions.
    dependencies: systemLibraryPackages + [.package(url: "https://github.com/attaswift/BigInt", from: "6.0.1")]
        + (large
            ? [
                .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
                .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
                .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
                .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
                .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
            ] : [])
        + (withNetwork
            ? [
                .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
                .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
            ] : [])
        + (withServer
            ? [
                .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
                .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
                .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
                .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
                .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
            ] : [])
        + (documenting ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")] : []),
    targets: systemLibraries + core + (fuzzing ? fuzzers : part == "server" ? serverCoreTests : coreTests)
        + (large ? storage + sessions : [])
        + (withNetwork ? logging + loggingTests + commandLine + commandLineTests + sessionTests : [])
        + (withWallet || fuzzing ? connections + exchanges : [])
        + (withWallet
            ? drawing + networking + payments + presentation + commands + storageTests + networkingTests
                + paymentsTests + exchangeTests + presentationTests + fuzzTests + documentationTests
            : [])
        + (withServer ? databases + servers + serverTests : []) + crashWriter,
    swiftLanguageModes: [.v6]
)
