internal import Foundation
internal import SecretStoreTestSupport
internal import TestSupport
internal import Testing

/// The file that calls Apple's keychain, and a program that makes its calls, compiled against stub modules.
private enum SystemKeychainProgram {
    private static let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized

    private static func path(_ part: String) -> String { root.appendingPathComponent(part).path }

    static let canRun =
        Compiler.modules != nil
        && FileManager.default.fileExists(atPath: path("Apple/Stubs/LocalAuthentication/LocalAuthentication.swift"))

    /// The part of SecureStorage that the file needs; the whole would need the objects of swift-crypto.
    private static let storage = [
        "Hardware/AccessControlPolicy", "Backends/BackendFault", "Backends/BackendFault+Sentence",
        "Backends/StoreBackend", "SecureStorageError", "ItemAttributes", "ItemName", "Classification/DataClass",
        "Limits",
    ]

    /// The part of AppleStores beside the file.
    private static let sources = [
        "Keychain/KeychainItems", "Keychain/KeychainAttributes", "Keychain/KeychainProtection",
        "Keychain/KeychainStatus", "Limits",
    ]

    private static func compile(_ arguments: [String]) throws {
        let outcome = try Program.run("/usr/bin/env", ["swiftc", "-swift-version", "6", "-Onone"] + arguments)
        try #require(outcome.isSuccess, "\(outcome.errors)")
    }

    private static func compileModule(
        _ name: String, _ files: [String], in folder: SharedFolder, _ options: [String] = []
    ) throws {
        try compile(
            ["-parse-as-library", "-wmo", "-module-name", name, "-I", folder.path] + options
                + ["-emit-module", "-emit-module-path", folder("\(name).swiftmodule")]
                + ["-c", "-o", folder("\(name).o")] + files)
    }

    /// Compiles the file of the calls and the program that makes them.
    ///
    /// - Parameter change: changes the file of the calls before.
    static func build(in folder: SharedFolder, changing change: (String) -> String = { $0 }) throws -> String {
        let modules = try #require(Compiler.modules)
        let stubs = ["Accessibility", "CoreFoundationTypes", "Items"].map { path("Apple/Stubs/Security/\($0).swift") }
        let fakes = ["AccessControl", "ItemCalls"].map { path("Apple/Fakes/Security/\($0).swift") }
        let parts = [
            ("LocalAuthentication", [path("Apple/Stubs/LocalAuthentication/LocalAuthentication.swift")]),
            ("Security", stubs + fakes),
        ]
        for (name, files) in parts {
            try compileModule(name, files, in: folder)
        }
        // Its module in `folder` is found before the built one.
        let found = ["-package-name", "check", "-I", modules.path, "-I", path("Sources/CSodium")]
        try compileModule(
            "SecureStorage", storage.map { path("Sources/SecureStorage/\($0).swift") }, in: folder, found)
        let calls = folder("SystemKeychain.swift")
        let text = try String(contentsOfFile: path("Sources/AppleStores/Apple/SystemKeychain.swift"), encoding: .utf8)
        try change(text).write(toFile: calls, atomically: true, encoding: .utf8)

        let built = modules.deletingLastPathComponent()
        let objects = try ["Secrets.build", "Encoding.build", "Files.build"].flatMap { name in
            let folder = built.appendingPathComponent(name)
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".o") }
                .map { folder.appendingPathComponent($0).path }
        }
        let files = sources.map { path("Sources/AppleStores/\($0).swift") }
        try compile(
            ["-wmo", "-module-name", "AppleStores", "-I", folder.path] + found
                + ["-o", folder("check"), calls, path("Apple/Fakes/SystemKeychain/main.swift")] + files
                + ["LocalAuthentication", "Security", "SecureStorage"].map { folder("\($0).o") } + objects
                + ["-lsodium"])
        return folder("check")
    }
}

/// The calls reach a keychain in memory. That shows which dictionaries they receive; it does not show what Apple's
/// systems do with them.
@Suite(
    "The calls to Apple's keychain",
    .enabled(if: SystemKeychainProgram.canRun, "the stub modules or the built modules are missing"))
struct SystemKeychainTests {
    @Test("each call has the class, the access group, the protection and the context that it must have")
    func calls() throws {
        let folder = try SharedFolder()
        let outcome = try Program.run(try SystemKeychainProgram.build(in: folder), [])
        #expect(outcome.isSuccess, "\(outcome.output)")
    }

    @Test(
        "a call without one of them is noticed",
        arguments: [
            ("kSecAttrSynchronizable as String: false,", ""), ("kSecUseDataProtectionKeychain as String: true,", ""),
            ("case .refused: context.interactionNotAllowed = true", "case .refused: break"),
            ("withExtendedLifetime(data) { wipe(bytes) }", "withExtendedLifetime(data) {}"),
            ("if let accessGroup { attributes[kSecAttrAccessGroup as String] = accessGroup }", "_ = accessGroup"),
            ("attributes[kSecAttrAccount as String] = key.account", "attributes[kSecAttrGeneric as String] = Data()"),
            ("attributes[kSecAttrAccessControl as String] = try", "attributes[\"other\"] = try"),
        ])
    func changedCalls(_ old: String, _ new: String) throws {
        let folder = try SharedFolder()
        let program = try SystemKeychainProgram.build(in: folder) { text in
            #expect(text.contains(old))
            return text.replacing(old, with: new)
        }
        #expect(!(try Program.run(program, []).isSuccess))
    }
}
