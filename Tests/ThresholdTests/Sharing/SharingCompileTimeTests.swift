import TestSupport
import Testing

/// States are types: a premature or repeated step does not compile.
@Suite("Sharing: what the compiler refuses", .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct SharingCompileTimeTests {
    private static let parameters =
        "_ introduction: consuming Sharing.Introduction<Sharing.ECDSA>, _ session: Sharing.Session<Sharing.ECDSA>, "
        + "_ committed: consuming Sharing.Committed<Sharing.ECDSA>, _ opened: consuming Sharing.Opened<Sharing.ECDSA>, "
        + "_ pending: consuming Sharing.Pending<Sharing.ECDSA>, _ hostKey: borrowing Sharing.HostKey<Sharing.ECDSA>, "
        + "_ message: [UInt8], _ group: GroupKey<Secp256k1>, _ request: KeyExport<Secp256k1>"

    private func errors(_ body: String) throws -> String? {
        try Compiler.errors(
            in: "func attack(\(Self.parameters)) throws {\n\(body)\n}", importing: ["Curves", "Secrets", "Threshold"])
    }

    private static let steps = [
        "introduction.begin(session, hostKey: hostKey, random: SystemRandom())", "committed.open(message)",
        "opened.receive(message, hostKey: hostKey, random: SystemRandom())", "pending.activate(message)",
    ]

    @Test("control: each state is used once")
    func control() throws {
        #expect(try errors(Self.steps.map { "_ = try \($0)" }.joined(separator: "\n")) == nil)
        #expect(try errors("_ = try request.audited { _ in }.secret()") == nil)
    }

    @Test("no state is used twice")
    func usedTwice() throws {
        for step in Self.steps {
            let output = try errors("_ = try \(step)\n_ = try \(step)")
            #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
        }
    }

    @Test("a host key is not copied, compared or printed, and its secret is not read")
    func hostKeys() throws {
        for use in ["let copy = hostKey; _ = copy", "_ = hostKey == hostKey", "print(hostKey)", "_ = hostKey.secret"] {
            let output = try errors(use)
            #expect(output?.contains("error:") == true, "\(use) compiles")
        }
    }

    @Test("no share without the certificate, no shares before all commitments, no key without an audit")
    func skipped() throws {
        for use in [
            "_ = pending.share", "_ = pending.takeShare()", "_ = committed.opening",
            "_ = try request.secret()", "_ = KeyExport<Secp256k1>.Assembly(of: request)",
            "_ = try KeyExport(of: group, epoch: 0, from: [])",
            "_ = try introduction.begin(session as Any as! Sharing.Session<Sharing.BIP340>, hostKey: hostKey, random: SystemRandom())",
        ] {
            let output = try errors(use)
            #expect(output?.contains("error:") == true, "\(use) compiles")
        }
    }
}
