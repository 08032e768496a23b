import TestSupport
import Testing

/// Threshold ECDSA a second time: `scripts/peers/dkls23`, in Python, written from docs/protocols/threshold-ecdsa.md alone.
@Suite("A second implementation of threshold ECDSA")
struct ModelTests {
    @Test("signs among its own parties, and each of its checks refuses what breaks the rules")
    func selfTest() throws {
        // Only the standard library: this needs none of the Python peers.
        let answer = try Program.output("/usr/bin/python3", ["\(Repository.path)/scripts/peers/dkls23", "selftest"])
        #expect(answer == "dkls23: signatures are right, and every check was seen to fire\n")
    }
}
