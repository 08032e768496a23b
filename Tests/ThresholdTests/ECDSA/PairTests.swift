import Curves
import Encoding
import Secrets
import TestSupport
import Testing

@testable import Threshold

@Suite("ECDSA: what is kept of a pair")
struct PairTests {
    let dealt = DealtPair(
        between: ParticipantIndex(unchecked: 1), and: ParticipantIndex(unchecked: 3), random: SeededRandom(seed: 4))

    @Test("A pair is the same after it was stored")
    func roundTrip() throws {
        let encoded = reveal(dealt.first.encoded())
        #expect(encoded.count == 1 + 32 + 32 + 64 * 15 * 32 + 64 * 16 * 32)
        let decoded = try ECDSA.Pair(decoding: secret(encoded))
        #expect(decoded.peer == ParticipantIndex(unchecked: 3))
        #expect(reveal(decoded.encoded()) == encoded)
        #expect(reveal(decoded.seed) == reveal(dealt.first.seed))
        #expect(reveal(decoded.sender.bytes) == reveal(dealt.first.sender.bytes))
        #expect(reveal(decoded.receiver.bytes) == reveal(dealt.first.receiver.bytes))
    }

    @Test("A pair's bytes stay what they are")
    func golden() {
        #expect(
            hex(SHA256.hash(reveal(dealt.first.encoded())))
                == "fd991bf091f186d651ea66ec93b69b0c648ae92423415d2a368db344b1b54a3d")
    }

    @Test("Another size, and a peer that is none, are refused")
    func refusals() {
        var encoded = reveal(dealt.first.encoded())
        #expect(throws: ThresholdError.malformed(.truncated)) {
            _ = try ECDSA.Pair(decoding: secret(encoded.dropLast()))
        }
        #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) {
            _ = try ECDSA.Pair(decoding: secret(encoded + [0]))
        }
        #expect(throws: ThresholdError.malformed(.truncated)) { _ = try ECDSA.Pair(decoding: secret([])) }
        for peer: UInt8 in [0, 16, 255] {
            encoded[0] = peer
            #expect(throws: ThresholdError.invalidParameters) { _ = try ECDSA.Pair(decoding: secret(encoded)) }
        }
    }

    @Test("The decoder survives anything, and is canonical")
    func fuzz() {
        Fuzz.roundTrips(of: [reveal(dealt.first.encoded())], iterations: 300) { bytes in
            try ECDSA.Pair(decoding: secret(bytes))
        } encode: {
            reveal($0.encoded())
        }
    }

    @Test("A stored pair still works: each side multiplies with the other")
    func directions() throws {
        for (sending, receiving) in [(dealt.first, dealt.second), (dealt.second, dealt.first)] {
            let session = [UInt8](repeating: 9, count: 32)
            let receiver = ECDSA.ExtensionReceiver(
                choice: secret([UInt8](repeating: 0, count: 80)), seeds: receiving.receiver, session: session,
                sender: receiving.peer, receiver: sending.peer)
            let sender = try ECDSA.ExtensionSender(
                answering: receiver.message, seeds: sending.sender, session: session, sender: receiving.peer,
                receiver: sending.peer)
            #expect(reveal(sender.pads(width: 1).zero) == reveal(receiver.pads(width: 1)))
        }
    }
}
