import Foundation
import Testing

/// Some attacks do not compile. That is tested by compiling them, beside a control that differs only in being allowed.
@Suite("FROST: what the compiler refuses", .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct CompileTimeTests {
    private static let parameters =
        "_ package: FROST.BIP340.SigningPackage, _ share: borrowing KeyShare<Secp256k1>, "
        + "_ nonces: consuming FROST.BIP340.SigningNonces"

    @Test("control: nonces are used once")
    func control() throws {
        let output = try Compiler.errors(
            in: """
                func attack(\(Self.parameters)) throws {
                    _ = try FROST.BIP340.Round2.sign(package, with: share, nonces: nonces)
                }
                """)
        #expect(output == nil)
    }

    @Test("two_messages_same_nonce: nonces are used twice")
    func usedTwice() throws {
        let output = try Compiler.errors(
            in: """
                func attack(\(Self.parameters)) throws {
                    _ = try FROST.BIP340.Round2.sign(package, with: share, nonces: nonces)
                    _ = try FROST.BIP340.Round2.sign(package, with: share, nonces: nonces)
                }
                """)
        #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
    }

    @Test("nonces_copied: a second copy is kept for later")
    func copied() throws {
        let output = try Compiler.errors(
            in: """
                func attack(\(Self.parameters)) throws -> FROST.BIP340.SigningNonces {
                    let kept = nonces
                    _ = try FROST.BIP340.Round2.sign(package, with: share, nonces: nonces)
                    return kept
                }
                """)
        #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
    }

    @Test("nonces_not_serializable: nonces are encoded or printed")
    func serialised() throws {
        for use in ["_ = nonces.encoded", "_ = nonces.hiding", "print(nonces)"] {
            let output = try Compiler.errors(in: "func attack(\(Self.parameters)) throws { \(use) }")
            #expect(output?.contains("error:") == true, "\(use) compiles")
        }
    }
}

/// The compiler that built this, run on a few lines against the modules that it built.
private enum Compiler {
    static let modules: URL? = {
        let beside = Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() } + [Bundle.main.bundleURL]
        return beside.map { $0.appendingPathComponent("Modules") }.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("Threshold.swiftmodule").path)
        }
    }()

    /// What the compiler says, or nil if it is content.
    static func errors(in body: String) throws -> String? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appendingPathComponent("attack.swift")
        try "import Curves\nimport Threshold\n\(body)\n".write(to: source, atomically: true, encoding: .utf8)

        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources").standardized
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        // Whether a value is consumed twice is found only after type checking: hence `-emit-sil`.
        process.arguments =
            ["swiftc", "-emit-sil", "-o", "/dev/null", "-I", try #require(modules).path]
            + ["CSodium", "CSecp256k1"].flatMap { ["-I", sources.appendingPathComponent($0).path] } + [source.path]
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? nil : String(decoding: output, as: UTF8.self)
    }
}
