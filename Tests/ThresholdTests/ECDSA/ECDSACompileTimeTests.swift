import TestSupport
import Testing

/// Some attacks do not compile. That is tested by compiling them, beside a control that differs only in being allowed.
@Suite(
    "Threshold ECDSA: what the compiler refuses",
    .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct ECDSACompileTimeTests {
    private func errors(in body: String, _ parameter: String) throws -> String? {
        try Compiler.errors(
            in: "func attack(\(parameter), _ bytes: [UInt8], _ all: [ParticipantIndex: [UInt8]]) throws { \(body) }",
            importing: ["Curves", "Secrets", "Threshold"])
    }

    private static let presignature = "_ presignature: consuming ECDSA.Presignature"

    @Test("control: each state is used once")
    func control() throws {
        #expect(try errors(in: "_ = try presignature.sign(bytes)", Self.presignature) == nil)
        for round in 1...3 {
            #expect(try errors(in: "_ = try round.receive(all)", "_ round: consuming ECDSA.Round\(round)") == nil)
        }
    }

    @Test("presignature_reuse: two messages, or one twice, by one presignature")
    func twice() throws {
        let output = try errors(
            in: "_ = try presignature.sign(bytes); _ = try presignature.sign(bytes)", Self.presignature)
        #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
    }

    @Test("failed_signature_is_terminal_for_session: no round is tried again, with the same or other messages")
    func again() throws {
        for round in 1...3 {
            let output = try errors(
                in: "if let next = try? round.receive([:]) { _ = consume next } else { _ = try round.receive(all) }",
                "_ round: consuming ECDSA.Round\(round)")
            #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
        }
    }

    @Test("nonces_not_serializable: neither a presignature nor a round is kept, encoded or printed")
    func serialised() throws {
        for use in [
            "_ = presignature.encoded()", "_ = presignature.encoded", "print(presignature)",
            "let kept = [presignature]; _ = kept", "_ = presignature.denominator",
        ] {
            let output = try errors(in: use, Self.presignature)
            #expect(output?.contains("error:") == true, "\(use) compiles")
        }
        for use in ["_ = round.encoded()", "print(round)", "_ = round.secrets"] {
            #expect(
                try errors(in: use, "_ round: consuming ECDSA.Round1")?.contains("error:") == true, "\(use) compiles")
        }
    }

    @Test("key_purpose: the share of an ECDSA key makes no Schnorr signature")
    func otherPurpose() throws {
        let share = "_ share: borrowing ECDSA.KeyShare"
        #expect(try errors(in: "_ = share.group", share) == nil)
        for use in [
            "_ = FROST.BIP340.Round1.commit(share.key, random: SystemRandom())",
            "_ = FROST.BIP340.Round1.commit(share, random: SystemRandom())",
        ] {
            #expect(try errors(in: use, share)?.contains("error:") == true, "\(use) compiles")
        }
    }
}
