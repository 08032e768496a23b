import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

@Suite("ECDSA: the stored pair")
struct PairTests {
    let dealt = DealtPair(
        between: ParticipantIndex(unchecked: 1), and: ParticipantIndex(unchecked: 3), random: SeededRandom(seed: 4))

    @Test("A stored pair decodes to the same pair")
    func roundTrip() throws {
        let encoded = reveal(dealt.first.encoded())
        #expect(encoded.count == 1 + 32 + 32 + 32 + 64 * 4 * 32 + 32 + 64 * 2 * 32)
        let decoded = try ECDSA.Pair(decoding: secret(encoded), at: 0)
        #expect(decoded.peer == ParticipantIndex(unchecked: 3))
        #expect(reveal(decoded.encoded()) == encoded)
        #expect(reveal(decoded.seed) == reveal(dealt.first.seed))
        #expect(reveal(decoded.coPaths.bytes) == reveal(dealt.first.coPaths.bytes))
        #expect(reveal(decoded.roots.bytes) == reveal(dealt.first.roots.bytes))
        #expect(decoded.coPaths.seeds() == dealt.first.coPaths.seeds())
        #expect(decoded.roots.seeds() == dealt.first.roots.seeds())
    }

    @Test("Golden bytes of a pair")
    func golden() {
        #expect(
            hex(SHA256.hash(reveal(dealt.first.encoded())))
                == "a39ca182414454eb4b706c7ce4639ac5332b42b7fe1dbe62f6501487250d667a")
    }

    @Test("Another size, and a non-existent peer, are refused")
    func refusals() {
        var encoded = reveal(dealt.first.encoded())
        #expect(throws: ThresholdError.malformed(.truncated)) {
            _ = try ECDSA.Pair(decoding: secret(encoded.dropLast()), at: 0)
        }
        #expect(throws: ThresholdError.malformed(.truncated)) { _ = try ECDSA.Pair(decoding: secret(encoded), at: 1) }
        #expect(throws: ThresholdError.malformed(.truncated)) { _ = try ECDSA.Pair(decoding: secret([]), at: 0) }
        for peer: UInt8 in [0, 16, 255] {
            encoded[0] = peer
            #expect(throws: ThresholdError.invalidParameters) { _ = try ECDSA.Pair(decoding: secret(encoded), at: 0) }
        }
    }

    @Test("The decoder never traps, and is canonical")
    func fuzz() {
        Fuzz.roundTrips(of: [reveal(dealt.first.encoded())], iterations: 300) { bytes in
            guard bytes.count == ECDSA.Pair.encodedSize else { throw ThresholdError.malformed(.truncated) }
            return try ECDSA.Pair(decoding: secret(bytes), at: 0)
        } encode: {
            reveal($0.encoded())
        }
    }

    @Test("A stored pair still works: each side multiplies with the other")
    func directions() throws {
        for (sending, receiving) in [(dealt.first, dealt.second), (dealt.second, dealt.first)] {
            let session = [UInt8](repeating: 9, count: 32)
            let receiver = ECDSA.ExtensionReceiver(
                choice: secret([UInt8](repeating: 0, count: 80)), roots: receiving.roots, shape: .signing,
                session: session, sender: receiving.peer, receiver: sending.peer)
            let sender = try ECDSA.ExtensionSender(
                answering: receiver.message, coPaths: sending.coPaths, shape: .signing, session: session,
                sender: receiving.peer, receiver: sending.peer)
            #expect(reveal(sender.pads(width: 1).zero) == reveal(receiver.pads(width: 1)))
        }
    }
}
