import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// Every decoder with mutated input: it decodes or throws, and never traps. Decoded values encode to the same bytes.
@Suite("Threshold: fuzzed decoders")
struct DecoderFuzzTests {
    private func survives(
        _ seeds: [[UInt8]], iterations: Int = 20_000, _ recode: ([UInt8]) throws(ThresholdError) -> [UInt8]
    ) {
        Fuzz.mutations(of: seeds, iterations: iterations) { bytes in
            guard let again = try? recode(bytes) else { return }
            #expect(again == bytes)
        }
    }

    @Test("commitments and signature shares", arguments: SigningTests.protocols)
    func small(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 3], random: SeededRandom(seed: 40))
            survives(signing.commitments.map(\.encoded)) { bytes throws(ThresholdError) in
                try FROST.Commitment<Scheme.Group>(decoding: bytes).encoded
            }
            survives(try signing.shares(signing.package()).map(\.encoded)) { bytes throws(ThresholdError) in
                try FROST.SignatureShare<Scheme.Group>(decoding: bytes).encoded
            }
        }
        try check(scheme)
    }

    @Test("signing packages", arguments: SigningTests.protocols)
    func packages(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 3], random: SeededRandom(seed: 41))
            survives([Scheme.encode(try signing.package())]) { bytes throws(ThresholdError) in
                Scheme.encode(try Scheme.decode(bytes))
            }
        }
        try check(scheme)
    }

    @Test("group keys and key shares", arguments: KeyTests.curves)
    func keys(_ curve: any Curve.Type) throws {
        func check<Group: Curve>(_: Group.Type) throws {
            let dealer = try KeyTests.dealer(2, 3, 42, Group.self)
            survives([dealer.group.encoded]) { bytes throws(ThresholdError) in
                try GroupKey<Group>(decoding: bytes).encoded
            }
            let share = reveal(try dealer.share(of: ParticipantIndex(2)).encoded())
            survives([share], iterations: 5_000) { bytes throws(ThresholdError) in
                reveal(try KeyShare<Group>(decoding: secret(bytes)).encoded())
            }
        }
        try check(curve)
    }
}
