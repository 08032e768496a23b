import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// Each test is named after its attack.
@Suite("FROST: attacks on both protocols")
struct AttackTests {
    static let protocols = SigningTests.protocols

    @Test("randomness_repeats: signers with equal random generators still have different nonces")
    func randomnessRepeats() throws {
        // Signing twice with one nonce does not compile: see CompileTimeTests.
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: SeededRandom(seed: 1))
            let first = signing.signers[0].commit(SeededRandom(seed: 99))
            let other = signing.signers[1].commit(SeededRandom(seed: 99))
            #expect(first.hiding != first.binding)
            #expect(first.hiding != other.hiding, "the share goes into the nonces beside the randomness")
            let again = SeededRandom(seed: 99)
            #expect(signing.signers[0].commit(again) == first)
            #expect(signing.signers[0].commit(again) != first)
        }
        try check(BIP340UnderTest.self)
        try check(Ed25519UnderTest.self)
    }

    @Test(
        "randomness_repeats: nonces for a message are others for another message, session or share",
        arguments: protocols)
    func randomnessRepeatsForAnotherMessage(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let dealer = try TrustedDealerForTesting<Scheme.Group>(
                parameters: ThresholdParameters(threshold: 2, total: 3), random: SeededRandom(seed: 1))
            let share = try dealer.share(of: ParticipantIndex(1))
            let otherShare = try dealer.share(of: ParticipantIndex(2))
            func commit(_ message: [UInt8], _ session: [UInt8]) -> FROST.Commitment<Scheme.Group> {
                Scheme.commit(share, to: message, in: session, SeededRandom(seed: 99)).commitment
            }
            let first = commit([1], [7])
            #expect(commit([1], [7]) == first)
            #expect(first.hiding != first.binding)
            let ofOther = Scheme.commit(otherShare, to: [1], in: [7], SeededRandom(seed: 99)).commitment
            for other in [
                commit([2], [7]), commit([1], [8]), commit([1, 7], []), commit([], [1, 7]), commit([1], []), ofOther,
                Scheme.commit(share, to: [1], in: [7], SeededRandom(seed: 98)).commitment,
            ] {
                #expect(other.hiding != first.hiding && other.binding != first.binding)
            }
        }
        try check(scheme)
    }

    @Test("nonce_consumed: a refused package also consumes the signer's nonces", arguments: protocols)
    func nonceConsumed(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 2)
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: random)
            let other = try Signing<Scheme>(2, of: 3, by: [1, 2], random: random)
            #expect(throws: ThresholdError.wrongGroup) { try signing.signers[0].sign(other.package()) }
            // `Signer` has no nonces left, and no call returns them. Only a new round 1 does, with other nonces.
            #expect(signing.signers[0].commit(random) != signing.commitments[0])
        }
        try check(scheme)
    }

    @Test(
        "own_commitment_must_match: a signer refuses a package with another commitment under its index",
        arguments: protocols)
    func ownCommitmentMustMatch(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 3)
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: random)
            let mine = signing.signers[0].commit(SeededRandom(seed: 4))
            let stale = signing.commitments[0]
            let swapped = [
                stale,
                FROST.Commitment<Scheme.Group>(index: mine.index, hiding: mine.binding, binding: mine.hiding),
                FROST.Commitment<Scheme.Group>(index: mine.index, hiding: mine.hiding, binding: stale.binding),
                FROST.Commitment<Scheme.Group>(index: mine.index, hiding: stale.hiding, binding: mine.binding),
            ]
            for replacement in swapped {
                #expect(signing.signers[0].commit(SeededRandom(seed: 4)) == mine)
                let package = try Scheme.package(signing.group, [replacement, signing.commitments[1]], signing.message)
                #expect(throws: ThresholdError.ownCommitmentMismatch) { try signing.signers[0].sign(package) }
                #expect(throws: ThresholdError.ownCommitmentMismatch) {
                    try Scheme.decode(Scheme.encode(package), own: mine)
                }
            }
        }
        try check(scheme)
    }

    @Test(
        "own_commitment_is_read_once: a signer reads the same package with its own commitment as without it, and none that leaves it out",
        arguments: protocols)
    func ownCommitmentIsReadOnce(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2, 3], random: SeededRandom(seed: 7))
            let bytes = Scheme.encode(try Scheme.package(signing.group, signing.commitments, signing.message))
            for own in signing.commitments {
                #expect(try Scheme.decode(bytes, own: own) == Scheme.decode(bytes))
            }
            let others = Scheme.encode(
                try Scheme.package(signing.group, Array(signing.commitments[..<2]), signing.message))
            #expect(throws: ThresholdError.unknownParticipant(try ParticipantIndex(3))) {
                try Scheme.decode(others, own: signing.commitments[2])
            }
            // The others' points are read as before.
            var damaged = bytes
            let point = 36 + 1 + Scheme.Group.pointSize * 2 + 1
            damaged.replaceSubrange(
                point..<(point + Scheme.Group.pointSize), with: [UInt8](repeating: 0xff, count: Scheme.Group.pointSize))
            #expect(throws: ThresholdError.invalidElement) { try Scheme.decode(damaged, own: signing.commitments[0]) }
        }
        try check(scheme)
    }

    @Test("a signer that the package omits does not sign", arguments: protocols)
    func notASigner(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2, 3], random: SeededRandom(seed: 5))
            let package = try Scheme.package(signing.group, Array(signing.commitments[..<2]), signing.message)
            #expect(throws: ThresholdError.unknownParticipant(try ParticipantIndex(3))) {
                try signing.signers[2].sign(package)
            }
        }
        try check(scheme)
    }

    @Test("nonces of one share do not sign with another", arguments: protocols)
    func noncesOfAnotherShare(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 6)
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: random)
            let foreign = Scheme.commit(signing.signers[1].share, random)
            let package = try Scheme.package(
                signing.group, [signing.commitments[0], foreign.commitment], signing.message)
            do {
                _ = try Scheme.sign(package, signing.signers[0].share, foreign)
                Issue.record("signed with another's nonces")
            } catch {
                #expect(error == .ownCommitmentMismatch)
            }
        }
        try check(scheme)
    }

    @Test(
        "binding_factor_covers_full_commitment_list: any change of it changes every signer's share",
        arguments: protocols)
    func bindingFactorCoversCommitments(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            // The same signer, with the same nonces (the generator is set back), in sessions that differ in one point.
            let random = SeededRandom(seed: 7)
            let signing = try Signing<Scheme>(2, of: 4, by: [1, 2, 3], random: random)
            let third = signing.commitments[2]
            let fresh = Scheme.commit(signing.signers[2].share, random).commitment
            let mine = signing.signers[0].commit(SeededRandom(seed: 8))
            let lists = [
                [mine, signing.commitments[1], third],
                [mine, signing.commitments[1]],
                [
                    mine, signing.commitments[1],
                    FROST.Commitment<Scheme.Group>(index: third.index, hiding: fresh.hiding, binding: third.binding),
                ],
                [
                    mine, signing.commitments[1],
                    FROST.Commitment<Scheme.Group>(index: third.index, hiding: third.hiding, binding: fresh.binding),
                ],
                [
                    mine, signing.commitments[1],
                    FROST.Commitment<Scheme.Group>(
                        index: try ParticipantIndex(4), hiding: third.hiding, binding: third.binding),
                ],
            ]
            var answers: [[UInt8]] = []
            for list in lists {
                _ = signing.signers[0].commit(SeededRandom(seed: 8))
                let package = try Scheme.package(signing.group, list, signing.message)
                answers.append(try signing.signers[0].sign(package).encoded)
            }
            #expect(Set(answers).count == lists.count)
        }
        try check(scheme)
    }

    @Test(
        "commitment_replaced: a share made for other commitments is named, and gives no signature", arguments: protocols
    )
    func commitmentReplaced(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 9)
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: random)
            let shares = try signing.shares(signing.package())
            // The coordinator's own list is changed afterwards: 2's commitment differs.
            let fresh = Scheme.commit(signing.signers[1].share, random).commitment
            let replaced = try Scheme.package(signing.group, [signing.commitments[0], fresh], signing.message)
            // Both shares are wrong for this list: it is an input of 1's binding factor and of the challenge.
            #expect(throws: ThresholdError.faulty(culprits: try [1, 2].map { try ParticipantIndex($0) })) {
                try Scheme.aggregate(shares, replaced, signing.group)
            }
        }
        try check(scheme)
    }

    @Test("wrong_share_named: the sender of a wrong share is named, and no other participant", arguments: protocols)
    func wrongShareNamed(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 10)
            let indices = [5, 2, 4, 1]
            for culprits in [[2], [5], [1, 4], [1, 2, 4, 5]] {
                let signing = try Signing<Scheme>(3, of: 5, by: indices, random: random)
                let package = try signing.package()
                let shares = try signing.shares(package).map { share in
                    culprits.contains(share.index.value)
                        ? FROST.SignatureShare(index: share.index, value: share.value + .one) : share
                }
                #expect(throws: ThresholdError.faulty(culprits: try culprits.map { try ParticipantIndex($0) })) {
                    try Scheme.aggregate(shares, package, signing.group)
                }
                for share in shares {
                    #expect(
                        try Scheme.isValid(share, package, signing.group) != culprits.contains(share.index.value))
                }
            }
        }
        try check(scheme)
    }

    @Test("two wrong shares that cancel out give a valid signature, and no culprit", arguments: protocols)
    func wrongSharesThatCancel(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: SeededRandom(seed: 11))
            let package = try signing.package()
            let shares = try signing.shares(package)
            let signature = try Scheme.aggregate(
                [
                    FROST.SignatureShare(index: shares[0].index, value: shares[0].value + .one),
                    FROST.SignatureShare(index: shares[1].index, value: shares[1].value - .one),
                ], package, signing.group)
            #expect(Scheme.verifies(signature, signing.message, signing.group))
        }
        try check(scheme)
    }

    @Test("share_replayed_in_another_session: its sender is named there", arguments: protocols)
    func shareReplayed(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 12)
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: random)
            let old = try signing.shares(signing.package())
            let commitments = signing.signers.map { $0.commit(random) }
            let package = try Scheme.package(signing.group, commitments, signing.message)
            let new = try signing.shares(package)
            #expect(throws: ThresholdError.faulty(culprits: [old[0].index])) {
                try Scheme.aggregate([old[0], new[1]], package, signing.group)
            }
        }
        try check(scheme)
    }

    @Test("exactly the signers: a missing, repeated or unexpected share is refused", arguments: protocols)
    func exactlyTheSigners(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 4, by: [1, 2, 3], random: SeededRandom(seed: 13))
            let package = try signing.package()
            let shares = try signing.shares(package)
            let stranger = FROST.SignatureShare<Scheme.Group>(index: try ParticipantIndex(4), value: .one)
            #expect(throws: ThresholdError.missingParticipant(try ParticipantIndex(2))) {
                try Scheme.aggregate([shares[0], shares[2]], package, signing.group)
            }
            #expect(throws: ThresholdError.duplicateParticipant(try ParticipantIndex(1))) {
                try Scheme.aggregate(shares + [shares[0]], package, signing.group)
            }
            #expect(throws: ThresholdError.unknownParticipant(try ParticipantIndex(4))) {
                try Scheme.aggregate(shares + [stranger], package, signing.group)
            }
            #expect(throws: ThresholdError.missingParticipant(try ParticipantIndex(1))) {
                try Scheme.aggregate([], package, signing.group)
            }
            #expect(throws: ThresholdError.unknownParticipant(try ParticipantIndex(4))) {
                try Scheme.isValid(stranger, package, signing.group)
            }
        }
        try check(scheme)
    }

    @Test("duplicate_id: a signer listed twice does not make a quorum", arguments: protocols)
    func duplicateID(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 14)
            let signing = try Signing<Scheme>(2, of: 3, by: [1], random: random)
            let again = Scheme.commit(signing.signers[0].share, random).commitment
            #expect(throws: ThresholdError.duplicateParticipant(try ParticipantIndex(1))) {
                try Scheme.package(signing.group, [signing.commitments[0], again], signing.message)
            }
            #expect(throws: ThresholdError.duplicateParticipant(try ParticipantIndex(1))) {
                try FROST.CommitmentList([again, signing.commitments[0]])
            }
        }
        try check(scheme)
    }

    @Test("party_id_zero and party_id_above_n: both are refused", arguments: protocols)
    func partyIDOutOfRange(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: SeededRandom(seed: 15))
            let stranger = FROST.Commitment<Scheme.Group>(
                index: try ParticipantIndex(4), hiding: signing.commitments[1].hiding,
                binding: signing.commitments[1].binding)
            #expect(throws: ThresholdError.unknownParticipant(try ParticipantIndex(4))) {
                try Scheme.package(signing.group, [signing.commitments[0], stranger], signing.message)
            }
            for bad: UInt8 in [0, 16, 255] {
                var bytes = signing.commitments[0].encoded
                bytes[3] = bad
                #expect(throws: ThresholdError.invalidParameters) {
                    try FROST.Commitment<Scheme.Group>(decoding: bytes)
                }
            }
        }
        try check(scheme)
    }

    @Test(
        "too few signers are refused by the coordinator, and by a signer that is sent such a package",
        arguments: protocols)
    func tooFewSigners(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let signing = try Signing<Scheme>(3, of: 4, by: [1, 2, 3], random: SeededRandom(seed: 16))
            #expect(throws: ThresholdError.tooFewSigners(needed: 3)) {
                try Scheme.package(signing.group, Array(signing.commitments[..<2]), signing.message)
            }
            // A package with one commitment cut out, as a hostile coordinator would encode it.
            var bytes = Scheme.encode(try signing.package())
            let commitmentSize = signing.commitments[0].encoded.count - 3
            bytes[35] = 2
            bytes.removeSubrange((36 + 2 * commitmentSize)..<(36 + 3 * commitmentSize))
            let short = try Scheme.decode(bytes)
            #expect(throws: ThresholdError.tooFewSigners(needed: 3)) { try signing.signers[0].sign(short) }
        }
        try check(scheme)
    }

    @Test("a package for another key, or for renewed shares of the same key, is refused", arguments: protocols)
    func wrongGroup(_ scheme: any SigningProtocol.Type) throws {
        func check<Scheme: SigningProtocol>(_: Scheme.Type) throws {
            let random = SeededRandom(seed: 17)
            let signing = try Signing<Scheme>(2, of: 3, by: [1, 2], random: random)
            let other = try Signing<Scheme>(2, of: 3, by: [1, 2], random: random)
            let package = try Scheme.package(other.group, signing.commitments, signing.message)
            #expect(throws: ThresholdError.wrongGroup) { try signing.signers[0].sign(package) }
            #expect(throws: ThresholdError.wrongGroup) { try Scheme.aggregate([], package, signing.group) }
        }
        try check(scheme)
    }

    @Test("nonces_cancelled: commitments that cancel each other out make no Ed25519 session")
    func noncesCancelled() throws {
        let signing = try Signing<Ed25519UnderTest>(2, of: 3, by: [1, 2], random: SeededRandom(seed: 18))
        // An attacker would have to know the binding factors before it commits. Here they are removed by commitments
        // without a binding part, which no decoder accepts.
        let mine = signing.commitments[0]
        let list = try FROST.CommitmentList([
            FROST.Commitment<Ed25519>(index: mine.index, hiding: mine.hiding, binding: .identity),
            FROST.Commitment<Ed25519>(index: signing.commitments[1].index, hiding: -mine.hiding, binding: .identity),
        ])
        #expect(throws: ThresholdError.faulty(culprits: list.signers)) {
            _ = try FROST.Ed25519.Session(list: list, publicKey: signing.group.publicKey, message: signing.message)
        }
    }

    @Test("nonces_cancelled: with BIP-445 signing continues, and the conspirators are named")
    func noncesCancelledBIP340() throws {
        // BIP-445, Dealing with Infinity in Nonce Aggregation. Both signers conspire: 3's nonces are 1's, negated.
        let known = try KnownSession<Secp256k1>()
        let one = try known.nonces(1).commitment
        let three = try ParticipantIndex(3)
        let cancelling = FROST.Commitment<Secp256k1>(index: three, hiding: -one.hiding, binding: -one.binding)
        let package = try FROST.BIP340.SigningPackage(
            group: known.group, commitments: [one, cancelling], tweaks: [], message: [])
        let nonces = try FROST.BIP340.SigningNonces(
            forTestingIndex: three, hiding: KnownSession<Secp256k1>.secret(0x31).negated(),
            binding: KnownSession<Secp256k1>.secret(0x32).negated())
        let shares = [
            try FROST.BIP340.Round2.sign(package, with: known.share(1), nonces: known.nonces(1)),
            try FROST.BIP340.Round2.sign(package, with: known.share(3), nonces: nonces),
        ]
        for share in shares { #expect(try FROST.BIP340.isValid(share, of: package, in: known.group)) }
        #expect(throws: ThresholdError.faulty(culprits: package.signers)) {
            try FROST.BIP340.aggregate(shares, of: package, in: known.group)
        }
    }

    @Test("tweaks_exhausted: more tweaks than the limit are refused, and so are tweaks that leave no key")
    func tweaks() throws {
        let known = try KnownSession<Secp256k1>()
        let many = [FROST.BIP340.Tweak](repeating: .plain(.one), count: ThresholdLimits.tweaks + 1)
        #expect(throws: ThresholdError.invalidTweak) {
            try FROST.BIP340.SigningPackage(
                group: known.group, commitments: known.commitments(), tweaks: many, message: [])
        }
        #expect(throws: ThresholdError.invalidTweak) {
            try FROST.BIP340.TweakedKey(known.group.publicKey, tweaks: many)
        }
        var bytes = try FROST.BIP340.SigningPackage(
            group: known.group, commitments: known.commitments(), tweaks: many.dropLast(), message: []
        ).encoded
        let count = 36 + 2 * 67
        #expect(bytes[count] == UInt8(ThresholdLimits.tweaks))
        bytes[count] += 1
        bytes.insert(contentsOf: [UInt8](repeating: 0, count: 33), at: count + 1)
        #expect(throws: ThresholdError.malformed(.tooLong(limit: ThresholdLimits.tweaks))) {
            try FROST.BIP340.SigningPackage(decoding: bytes)
        }
        // The secret key is 0x1111…: this tweak cancels it.
        let key = try Scalar<Secp256k1>(canonical: [UInt8](repeating: 0x11, count: 32))
        #expect(throws: ThresholdError.invalidTweak) {
            try FROST.BIP340.TweakedKey(known.group.publicKey, tweaks: [.plain(-key)])
        }
    }
}
