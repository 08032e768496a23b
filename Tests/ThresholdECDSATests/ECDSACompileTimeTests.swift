import TestSupport
import Testing

/// Attacks that must not compile are tested by compiling them, beside a control that differs only in being allowed.
@Suite(
    "Threshold ECDSA: what the compiler refuses",
    .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct ECDSACompileTimeTests {
    private func errors(in body: String, _ parameter: String) throws -> String? {
        try Compiler.errors(
            in: "func attack(\(parameter), _ bytes: [UInt8], _ all: [ParticipantIndex: [UInt8]]) throws { \(body) }",
            importing: ["Curves", "Secrets", "Threshold", "ThresholdECDSA"])
    }

    private static let presignature = "_ presignature: consuming ECDSA.Presignature"

    @Test("control: each state is used once")
    func control() throws {
        #expect(try errors(in: "_ = try presignature.sign(bytes)", Self.presignature) == nil)
        for round in 1...3 {
            #expect(try errors(in: "_ = try round.receive(all)", "_ round: consuming ECDSA.Round\(round)") == nil)
        }
    }

    @Test("presignature_reuse: two messages, or one twice, with one presignature")
    func twice() throws {
        let output = try errors(
            in: "_ = try presignature.sign(bytes); _ = try presignature.sign(bytes)", Self.presignature)
        #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
    }

    @Test("failed_signature_is_terminal_for_session: no round is retried, with the same or other messages")
    func again() throws {
        for round in 1...3 {
            let output = try errors(
                in: "if let next = try? round.receive([:]) { _ = consume next } else { _ = try round.receive(all) }",
                "_ round: consuming ECDSA.Round\(round)")
            #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
        }
    }

    @Test("nonces_not_serializable: neither a presignature nor a round is stored, encoded or printed")
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

    private static func outcome(of suite: String) -> String {
        "_ output: consuming Sharing.Output<Sharing.\(suite)>, _ data: Sharing.RecoveryData<Sharing.\(suite)>, "
            + "_ hostKey: borrowing Sharing.HostKey<Sharing.\(suite)>, _ session: ECDSA.PairSetup.Session"
    }

    private static let nonces = "_ = FROST.BIP340.Round1.commit(share, random: SystemRandom())"
    private static let pairs =
        "_ = try ECDSA.PairSetup.Round1(session, share: share, hostKey: hostKey, random: SystemRandom())"
    /// The ways to a share from the results of sharing, and from its recovery data.
    private static let shares = [
        "guard let share = output.takeShare() else { return }; ", "let share = try data.share(hostKey: hostKey); ",
    ]

    @Test("control: key generation for ECDSA gives the input of pair set-up, and a Schnorr key that of FROST")
    func purposes() throws {
        for share in Self.shares {
            #expect(try errors(in: share + Self.pairs, Self.outcome(of: "ECDSA")) == nil)
            #expect(try errors(in: share + Self.nonces, Self.outcome(of: "BIP340")) == nil)
        }
        #expect(
            try errors(
                in: "let name: [UInt8] = data.identifier; _ = name; _ = share.group; _ = share.index",
                Self.outcome(of: "ECDSA") + ", _ share: borrowing ECDSA.UnpairedShare") == nil)
    }

    @Test("key_purpose: FROST refuses the share of an ECDSA key before its pairs are set up, and gives no other")
    func unpaired() throws {
        let ecdsa = Self.outcome(of: "ECDSA")
        for share in Self.shares {
            let output = try errors(in: share + Self.nonces, ecdsa)
            #expect(
                output?.contains("cannot convert value of type 'ECDSA.UnpairedShare'") == true,
                "\(output ?? "it compiles")")
        }
        for use in [
            "_ = output.share", "_ = output.keyShare", "_ = output.takeKeyShare()",
            "_ = try data.keyShare(hostKey: hostKey)",
            Self.shares[1] + "_ = share.key", Self.shares[1] + "_ = share.encoded()",
        ] {
            #expect(try errors(in: use, ecdsa)?.contains("error:") == true, "\(use) compiles")
        }
        // A Schnorr key's share gets no pairs either.
        for share in Self.shares {
            let output = try errors(in: share + Self.pairs, Self.outcome(of: "BIP340"))
            #expect(output?.contains("error:") == true)
        }
    }
}
