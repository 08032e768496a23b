import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@Suite("Threshold keys")
struct KeyTests {
    static let curves: [any Curve.Type] = [Secp256k1.self, Ed25519.self]

    static func dealer<Group: Curve>(
        _ threshold: Int, _ total: Int, _ seed: UInt64, _: Group.Type = Group.self
    ) throws -> TrustedDealerForTesting<Group> {
        try TrustedDealerForTesting(
            parameters: ThresholdParameters(threshold: threshold, total: total), random: SeededRandom(seed: seed))
    }

    @Test("a threshold is from 2 to the total, and the total at most 15")
    func parameters() throws {
        for (threshold, total) in [(2, 2), (2, 3), (2, 15), (15, 15)] {
            #expect(try ThresholdParameters(threshold: threshold, total: total).indices.count == total)
        }
        for (threshold, total) in [(0, 3), (1, 3), (4, 3), (2, 16), (16, 16), (-1, 2), (2, 1), (Int.max, Int.max)] {
            #expect(throws: ThresholdError.invalidParameters) {
                try ThresholdParameters(threshold: threshold, total: total)
            }
        }
    }

    @Test("party_id_zero: there is no participant 0, and none above 15")
    func indices() throws {
        for value in 1...15 { #expect(try ParticipantIndex(value).value == value) }
        for value in [0, -1, 16, Int.min, Int.max] {
            #expect(throws: ThresholdError.invalidParameters) { try ParticipantIndex(value) }
        }
    }

    @Test("duplicate_id: signers are participants, each once, and a threshold of them")
    func signers() throws {
        let parameters = try ThresholdParameters(threshold: 2, total: 3)
        func index(_ value: Int) throws -> ParticipantIndex { try ParticipantIndex(value) }
        for signers in [[1, 2], [3, 1], [1, 2, 3]] { try parameters.check(signers: signers.map(index)) }
        for (signers, error) in [
            ([1, 1], ThresholdError.duplicateParticipant(try index(1))),
            ([2, 1, 2], .duplicateParticipant(try index(2))), ([1, 2, 3, 3], .duplicateParticipant(try index(3))),
            ([1, 4], .unknownParticipant(try index(4))), ([1], .tooFewSigners(needed: 2)),
            ([], .tooFewSigners(needed: 2)),
        ] {
            #expect(throws: error) { try parameters.check(signers: signers.map(index)) }
        }
    }

    @Test("t shares determine the key, and t - 1 do not", arguments: curves)
    func interpolation(_ curve: any Curve.Type) throws {
        func check<Group: Curve>(_: Group.Type) throws {
            let random = SeededRandom(seed: 30)
            for total in 2...15 {
                let threshold = 2 + random.below(total - 1)
                let group = try Self.dealer(threshold, total, 31, Group.self).group
                func interpolated(_ count: Int) throws -> Group.Point {
                    let indices = Array(group.parameters.indices.shuffled(by: random).prefix(count))
                    return try indices.reduce(.identity) { sum, index in
                        sum
                            + (try group.verificationShare(of: index))
                            .multipliedVariableTime(by: Lagrange.coefficient(of: index, among: indices))
                    }
                }
                #expect(try interpolated(threshold) == group.publicKey)
                #expect(try interpolated(total) == group.publicKey)
                #expect(try interpolated(threshold - 1) != group.publicKey)
            }
        }
        try check(curve)
    }

    @Test("verification shares that lie on no polynomial of degree t - 1 are refused", arguments: curves)
    func consistency(_ curve: any Curve.Type) throws {
        func check<Group: Curve>(_: Group.Type) throws {
            let group = try Self.dealer(3, 5, 32, Group.self).group
            func refused(_ threshold: Int, _ key: Group.Point, _ shares: [Group.Point], _ why: Comment) {
                #expect(throws: ThresholdError.inconsistentKey, why) {
                    try GroupKey<Group>(
                        parameters: ThresholdParameters(threshold: threshold, total: 5), publicKey: key,
                        verificationShares: shares)
                }
            }
            let shares = group.verificationShares
            for position in 0..<5 {
                var others = shares
                others[position] = others[position] + .generator
                refused(3, group.publicKey, others, "one share is another")
            }
            var swapped = shares
            swapped.swapAt(0, 1)
            refused(3, group.publicKey, swapped, "two shares changed places")
            refused(3, group.publicKey + .generator, shares, "another key")
            refused(2, group.publicKey, shares, "the threshold is said to be lower than it is")
            refused(4, group.publicKey, shares, "the threshold is said to be higher than it is")
            refused(3, group.publicKey, Array(shares.dropLast()), "a share is missing")
            refused(3, group.publicKey, shares + [.generator], "a share too many")
            // If all shares equal the key, every participant holds the whole key.
            refused(2, group.publicKey, Array(repeating: group.publicKey, count: 5), "a polynomial of degree 0")
            // Points on one line, but the key or a share is zero.
            func line(_ start: UInt64) -> [Group.Point] {
                (0..<6).map { place in
                    Group.Point.generator.multipliedVariableTime(by: Scalar(start + place))
                }
            }
            let up = line(0)
            refused(2, up[0], Array(up.dropFirst()), "no key")
            let down = line(1).map { $0 - .generator - .generator - .generator }
            refused(2, down[0], Array(down.dropFirst()), "a share is zero")
            let right = line(1)
            #expect(throws: Never.self) {
                try GroupKey<Group>(
                    parameters: ThresholdParameters(threshold: 2, total: 5), publicKey: right[0],
                    verificationShares: Array(right.dropFirst()))
            }
        }
        try check(curve)
    }

    @Test("group keys and shares survive encoding", arguments: curves)
    func roundTrip(_ curve: any Curve.Type) throws {
        func check<Group: Curve>(_: Group.Type) throws {
            for (threshold, total) in [(2, 2), (2, 3), (5, 15), (15, 15)] {
                let dealer = try Self.dealer(threshold, total, 33, Group.self)
                #expect(try GroupKey<Group>(decoding: dealer.group.encoded) == dealer.group)
                let share = try dealer.share(of: ParticipantIndex(total))
                let decoded = try KeyShare<Group>(decoding: share.encoded())
                #expect(decoded.index == share.index)
                #expect(decoded.group == share.group)
                #expect(reveal(decoded.secret.encoded()) == reveal(share.secret.encoded()))
                #expect(reveal(share.clone().encoded()) == reveal(share.encoded()))
            }
        }
        try check(curve)
    }

    @Test("a secret that does not belong to its public share is refused", arguments: curves)
    func wrongSecret(_ curve: any Curve.Type) throws {
        func check<Group: Curve>(_: Group.Type) throws {
            let dealer = try Self.dealer(2, 3, 34, Group.self)
            let first = try dealer.share(of: ParticipantIndex(1))
            for index in [2, 3] {
                #expect(throws: ThresholdError.inconsistentKey) {
                    _ = try KeyShare(
                        index: ParticipantIndex(index), secret: first.secret.clone(), group: dealer.group)
                }
            }
            #expect(throws: ThresholdError.unknownParticipant(try ParticipantIndex(4))) {
                _ = try KeyShare(index: ParticipantIndex(4), secret: first.secret.clone(), group: dealer.group)
            }
            // The same, in a changed file.
            var bytes = reveal(first.encoded())
            bytes[3] = 2
            #expect(throws: ThresholdError.inconsistentKey) { _ = try KeyShare<Group>(decoding: secret(bytes)) }
            bytes[3] = 1
            bytes[20] ^= 1
            #expect(throws: ThresholdError.inconsistentKey) { _ = try KeyShare<Group>(decoding: secret(bytes)) }
            bytes.replaceSubrange(4..<36, with: [UInt8](repeating: 255, count: 32))
            #expect(throws: ThresholdError.invalidElement) { _ = try KeyShare<Group>(decoding: secret(bytes)) }
        }
        try check(curve)
    }

    @Test("any changed byte of an encoded key or share is detected", arguments: curves)
    func everyByteCounts(_ curve: any Curve.Type) throws {
        func check<Group: Curve>(_: Group.Type) throws {
            let dealer = try Self.dealer(2, 3, 35, Group.self)
            let key = dealer.group.encoded
            let share = reveal(try dealer.share(of: ParticipantIndex(2)).encoded())
            for offset in key.indices {
                for bit in [0, 7] {
                    var other = key
                    other[offset] ^= 1 << bit
                    #expect(throws: ThresholdError.self, "key, byte \(offset)") {
                        try GroupKey<Group>(decoding: other)
                    }
                }
                #expect(throws: ThresholdError.malformed(.truncated)) {
                    try GroupKey<Group>(decoding: Array(key[..<offset]))
                }
            }
            #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) { try GroupKey<Group>(decoding: key + [0]) }
            for offset in share.indices {
                var other = share
                other[offset] ^= 1
                #expect(throws: ThresholdError.self, "share, byte \(offset)") {
                    _ = try KeyShare<Group>(decoding: secret(other))
                }
                #expect(throws: ThresholdError.malformed(.truncated)) {
                    _ = try KeyShare<Group>(decoding: secret(Array(share[..<offset])))
                }
            }
            #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) {
                _ = try KeyShare<Group>(decoding: secret(share + [0]))
            }
        }
        try check(curve)
    }

    @Test("a key of one curve does not decode as one of the other, nor a share as a key")
    func kinds() throws {
        let dealer = try Self.dealer(2, 3, 36, Secp256k1.self)
        #expect(throws: ThresholdError.malformed(.unsupported)) {
            try GroupKey<Ed25519>(decoding: dealer.group.encoded)
        }
        let share = try dealer.share(of: ParticipantIndex(1)).encoded()
        #expect(throws: ThresholdError.malformed(.unsupported)) {
            try GroupKey<Secp256k1>(decoding: reveal(share))
        }
    }

    @Test("a secret polynomial and its commitment agree", arguments: curves)
    func polynomials(_ curve: any Curve.Type) throws {
        func check<Group: Curve>(_: Group.Type) throws {
            for threshold in [1, 2, 3, 15] {
                let polynomial = SecretPolynomial<Group>(threshold: threshold, from: SeededRandom(seed: 37))
                let commitment = polynomial.commitment()
                #expect(commitment.coefficients.count == threshold)
                #expect(polynomial.withCoefficient(0) { $0.timesGenerator() } == commitment.constant)
                for index in [1, 2, 15] {
                    let index = try ParticipantIndex(index)
                    #expect(polynomial.share(of: index).timesGenerator() == commitment.share(of: index))
                }
                // dkg_rejects_vss_vector_length_ne_t: longer and shorter.
                for count in [threshold - 1, threshold + 1, 0] {
                    #expect(throws: ThresholdError.inconsistentKey) {
                        try PolynomialCommitment<Group>(coefficients: commitment.coefficients, threshold: count)
                    }
                }
            }
        }
        try check(curve)
    }

    @Test("the public parts of all shares match each share", arguments: curves)
    func publicShares(_ curve: any Curve.Type) throws {
        func check<Group: Curve>(_: Group.Type) throws {
            for threshold in [1, 2, 3, 7, 15] {
                let commitment = SecretPolynomial<Group>(threshold: threshold, from: SeededRandom(seed: 39))
                    .commitment()
                for total in [1, 2, 3, 8, 15] {
                    let indices = (1...total).map(ParticipantIndex.init(unchecked:))
                    #expect(commitment.shares(total: total) == indices.map(commitment.share(of:)))
                }
            }
        }
        try check(curve)
    }

    @Test("a polynomial with a zero key, a zero share or a lower threshold is refused", arguments: curves)
    func degenerate(_ curve: any Curve.Type) throws {
        func check<Group: Curve>(_: Group.Type) throws {
            let parameters = try ThresholdParameters(threshold: 2, total: 3)
            func key(_ coefficients: [Group.Point]) throws -> GroupKey<Group> {
                try GroupKey(
                    parameters: parameters, commitment: PolynomialCommitment(uncheckedCoefficients: coefficients))
            }
            let point = Group.Point.generator
            let group = try key([point + point, point])
            #expect(
                try group
                    == GroupKey(
                        parameters: parameters, publicKey: group.publicKey,
                        verificationShares: group.verificationShares))
            for coefficients in [
                [.identity, point], [point, .identity], [point + point, -point], [point], [point, point, point],
            ] {
                #expect(throws: ThresholdError.inconsistentKey) { try key(coefficients) }
            }
        }
        try check(curve)
    }

    @Test("the fingerprint distinguishes renewed shares of a key from the old ones")
    func fingerprint() throws {
        let one = try Self.dealer(2, 3, 38, Secp256k1.self).group
        // The same key, shared by another polynomial.
        let points = try one.parameters.indices.map { index in
            try one.verificationShare(of: index)
                + Secp256k1.Point.generator.multipliedVariableTime(by: index.scalar())
        }
        let renewed = try GroupKey<Secp256k1>(
            parameters: one.parameters, publicKey: one.publicKey, verificationShares: points)
        #expect(one.fingerprint.count == 32)
        #expect(one.fingerprint != renewed.fingerprint)
    }
}
