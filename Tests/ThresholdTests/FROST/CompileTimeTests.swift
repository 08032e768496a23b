import TestSupport
import Testing

/// Attacks that must not compile are tested by compiling them, beside a control that differs only in being allowed.
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
                """, importing: ["Curves", "Threshold"])
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
                """, importing: ["Curves", "Threshold"])
        #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
    }

    @Test("nonces_copied: a second copy is stored for later")
    func copied() throws {
        let output = try Compiler.errors(
            in: """
                func attack(\(Self.parameters)) throws -> FROST.BIP340.SigningNonces {
                    let kept = nonces
                    _ = try FROST.BIP340.Round2.sign(package, with: share, nonces: nonces)
                    return kept
                }
                """, importing: ["Curves", "Threshold"])
        #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
    }

    @Test("nonces_not_serializable: nonces are encoded or printed")
    func serialised() throws {
        for use in ["_ = nonces.encoded", "_ = nonces.hiding", "print(nonces)"] {
            let output = try Compiler.errors(
                in: "func attack(\(Self.parameters)) throws { \(use) }", importing: ["Curves", "Threshold"])
            #expect(output?.contains("error:") == true, "\(use) compiles")
        }
    }
}
