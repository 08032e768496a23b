import Curves
import TestSupport
import Testing
import Threshold

@testable import ThresholdECDSA

@Suite("ECDSA: a second implementation, in Python")
struct ModelTests {
    @Test("it signs among its own parties, and each of its checks refuses a violation")
    func selfTest() throws {
        // Only the standard library: this test needs none of the Python peers.
        let answer = try Program.output(Python.system, ["\(Repository.path)/scripts/peers/dkls23", "selftest"])
        #expect(answer == "dkls23: signatures are right, and every check was seen to fire\n")
    }

    @Test("it sends the same bytes in every message of every round, and makes the same signature")
    func signing() throws {
        for known in try [
            GoldenSigning.twoOfTwo(), GoldenSigning.twoOfThree(),
            KnownSigning(2, of: 3, signers: [2, 3], tweak: 7, isPresigned: true, seed: 3),
            KnownSigning(3, of: 5, signers: [1, 4, 5], seed: 4),
        ] {
            let model = try Model.sign(known.forModel())
            for sent in known.sent {
                let step = sent.step.rawValue
                let expected = model.rounds[step - 1].filter {
                    $0.from == sent.from.value && ($0.to == nil || $0.to == sent.to.value)
                }
                // Digests: a differing message would fill the screen.
                #expect(
                    expected.map { hex(SHA256.hash(hex($0.message))) } == [hex(SHA256.hash(sent.bytes))],
                    "message \(step) of \(sent.from.value) to \(sent.to.value), signers \(known.request.signers)")
            }
            #expect(hex(known.result.signature.compact) == model.r + model.s)
            #expect(known.result.recoveryID == model.recoveryID)
        }
    }
}
