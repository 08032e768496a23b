import TestSupport
import Testing

/// States are types: a premature or repeated step does not compile.
@Suite("DKG: what the compiler refuses", .enabled(if: Compiler.modules != nil, "the built modules were not found"))
struct DKGCompileTimeTests {
    private static let parameters =
        "_ contribution: consuming DKG.Contribution<DKG.BIP340>, _ pending: consuming DKG.PendingShare<DKG.BIP340>, "
        + "_ hostKey: borrowing DKG.HostKey<DKG.BIP340>, _ message: [UInt8]"

    private func errors(_ body: String) throws -> String? {
        try Compiler.errors(
            in: "func attack(\(Self.parameters)) throws {\n\(body)\n}", importing: ["Curves", "Secrets", "Threshold"])
    }

    @Test("control: each state is used once")
    func control() throws {
        let output = try errors(
            """
            _ = try contribution.receive(message, hostKey: hostKey, random: SystemRandom())
            _ = try pending.activate(message).takeShare()
            """)
        #expect(output == nil)
    }

    @Test("no state is used twice")
    func usedTwice() throws {
        for step in [
            "contribution.receive(message, hostKey: hostKey, random: SystemRandom())", "pending.activate(message)",
        ] {
            let output = try errors("_ = try \(step)\n_ = try \(step)")
            #expect(output?.contains("consumed more than once") == true, "\(output ?? "it compiles")")
        }
    }

    @Test("no share without the certificate: a share is taken from a pending one")
    func taken() throws {
        for use in ["_ = pending.share", "_ = pending.takeShare()", "_ = KeyShare(pending)"] {
            let output = try errors(use)
            #expect(output?.contains("error:") == true, "\(use) compiles")
        }
    }

    @Test("a host key is copied, compared or printed")
    func hostKeys() throws {
        for use in ["let copy = hostKey; _ = copy", "_ = hostKey == hostKey", "print(hostKey)", "_ = hostKey.secret"] {
            let output = try errors(use)
            #expect(output?.contains("error:") == true, "\(use) compiles")
        }
    }
}
