import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

/// The fields of a session, and the inputs with which it may begin.
@Suite("Sharing: sessions")
struct SharingSessionTests {
    private func index(_ value: Int) -> ParticipantIndex { ParticipantIndex(unchecked: value) }

    @Test("threshold and number of receivers are within the limits", arguments: SharingTests.suites)
    func limits(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let hellos = SharingRun<Suite>.holders(16).map { $0.introduce() }
            for (threshold, total) in [(0, 3), (1, 3), (4, 3), (2, 1), (2, 0), (-1, 3), (2, 16)] {
                #expect(throws: ThresholdError.invalidParameters, "\(threshold) of \(total)") {
                    try Sharing.Session<Suite>(fresh: threshold, participants: Array(hellos.prefix(total)))
                }
                #expect(throws: ThresholdError.invalidParameters, "\(threshold) of \(total)") {
                    try Sharing.Session<Suite>(
                        importing: .generator, dealer: hellos[0], threshold: threshold,
                        receivers: Array(hellos.prefix(total)))
                }
            }
            #expect(throws: ThresholdError.invalidElement) {
                try Sharing.Session<Suite>(
                    importing: .identity, dealer: hellos[0], threshold: 2, receivers: Array(hellos.prefix(2)))
            }
        }
        try check(suite)
    }

    @Test(
        "party_id_zero_rejected, duplicate_id_rejected: dealers are distinct holders of the old key, and enough of them",
        arguments: SharingTests.suites)
    func dealers(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            #expect(throws: ThresholdError.invalidParameters) { try ParticipantIndex(0) }
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let group = try #require(holders[0].group)
            let hellos = holders.map { $0.introduce() }
            func make(_ dealers: [ParticipantIndex: [UInt8]], epoch: Int = 0) throws -> Sharing.Session<Suite> {
                try Sharing.Session(
                    resharing: group, epoch: epoch, dealers: dealers, threshold: 2, receivers: hellos)
            }
            let session = try make([index(1): hellos[0], index(3): hellos[2]])
            #expect(session.parties.map(\.dealer) == [index(1), index(3), nil])
            #expect(session.parties.map(\.receiver) == [index(1), index(3), index(2)])
            #expect(throws: ThresholdError.tooFewSigners(needed: 2)) { try make([index(1): hellos[0]]) }
            #expect(throws: ThresholdError.tooFewSigners(needed: 2)) { try make([:]) }
            #expect(throws: ThresholdError.unknownParticipant(index(4))) {
                try make([index(1): hellos[0], index(4): hellos[1]])
            }
            for epoch in [-1, ThresholdLimits.lastEpoch] {
                #expect(throws: ThresholdError.invalidParameters) {
                    try make([index(1): hellos[0], index(3): hellos[2]], epoch: epoch)
                }
            }
            #expect(try make([index(1): hellos[0], index(3): hellos[2]], epoch: 0xffff_fffe).epoch == 0xffff_ffff)

            // In bytes a list can contain anything: zero, a repeated index, or a wrong order.
            var bytes = session.encoded
            let member = Suite.Group.Point.generator.encoded.count + 32
            let places = [bytes.count - 2 * (member + 1), bytes.count - (member + 1)]
            #expect(places.map { bytes[$0] } == [1, 3])
            bytes[places[0]] = 0
            #expect(throws: ThresholdError.invalidParameters) { try Sharing.Session<Suite>(decoding: bytes) }
            bytes[places[0]] = 3
            #expect(throws: ThresholdError.duplicateParticipant(index(3))) {
                try Sharing.Session<Suite>(decoding: bytes)
            }
            bytes[places[1]] = 1
            #expect(throws: ThresholdError.duplicateParticipant(index(1))) {
                try Sharing.Session<Suite>(decoding: bytes)
            }
        }
        try check(suite)
    }

    @Test("a host key takes part once: no participant has two shares", arguments: SharingTests.suites)
    func hostKeys(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let group = try #require(holders[0].group)
            let hellos = holders.map { $0.introduce() }
            let again = holders[0].introduce()
            #expect(
                throws: ThresholdError.sharing(.duplicateHostKey(of: .dealer(index(1)), and: .dealer(index(2))))
            ) {
                try Sharing.Session<Suite>(
                    resharing: group, epoch: 0, dealers: [index(1): hellos[0], index(2): again], threshold: 2,
                    receivers: hellos)
            }
            #expect(
                throws: ThresholdError.sharing(.duplicateHostKey(of: .receiver(index(1)), and: .receiver(index(3))))
            ) { try Sharing.Session<Suite>(fresh: 2, participants: [hellos[0], hellos[1], again]) }
            #expect(
                throws: ThresholdError.sharing(.duplicateHostKey(of: .dealer(index(1)), and: .receiver(index(2)))),
                "the same with another nonce"
            ) {
                try Sharing.Session<Suite>(
                    importing: .generator, dealer: again, threshold: 2, receivers: [hellos[1], hellos[0]])
            }
            for broken in [Array(hellos[1].dropLast()), hellos[1] + [0], []] {
                #expect(throws: ThresholdError.sharing(.invalidIntroduction(of: .receiver(index(2))))) {
                    try Sharing.Session<Suite>(fresh: 2, participants: [hellos[0], broken])
                }
                #expect(throws: ThresholdError.sharing(.invalidIntroduction(of: .dealer(index(1))))) {
                    try Sharing.Session<Suite>(
                        importing: .generator, dealer: broken, threshold: 2, receivers: [hellos[0], hellos[2]])
                }
            }
        }
        try check(suite)
    }

    @Test("transcript_encoding_injective: each field changes the session", arguments: SharingTests.suites)
    func hashes(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            typealias Session = Sharing.Session<Suite>
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let others = try SharingRun<Suite>.key(2, of: 3, seed: 83)
            let group = try #require(holders[0].group)
            let hellos = holders.map { $0.introduce() }
            let again = holders[2].introduce()
            let both = [index(1): hellos[0], index(3): hellos[2]]
            let sessions = [
                try Session(fresh: 2, participants: hellos),
                try Session(fresh: 3, participants: hellos),
                try Session(fresh: 2, participants: [hellos[1], hellos[0], hellos[2]]),
                try Session(fresh: 2, participants: [hellos[0], hellos[1], again]),
                try Session(fresh: 2, participants: Array(hellos.prefix(2))),
                try Session(resharing: group, epoch: 0, dealers: both, threshold: 2, receivers: hellos),
                try Session(resharing: group, epoch: 1, dealers: both, threshold: 2, receivers: hellos),
                try Session(resharing: group, epoch: 0, dealers: both, threshold: 3, receivers: hellos),
                try Session(
                    resharing: try #require(others[0].group), epoch: 0, dealers: both, threshold: 2,
                    receivers: hellos),
                try Session(
                    resharing: group, epoch: 0, dealers: [index(1): hellos[0], index(2): hellos[2]], threshold: 2,
                    receivers: hellos),
                try Session(
                    resharing: group, epoch: 0, dealers: [index(1): hellos[2], index(3): hellos[0]], threshold: 2,
                    receivers: hellos),
                try Session(importing: .generator, dealer: hellos[0], threshold: 2, receivers: hellos),
                try Session(importing: .generator, dealer: hellos[1], threshold: 2, receivers: hellos),
                try Session(importing: group.publicKey, dealer: hellos[0], threshold: 2, receivers: hellos),
            ]
            #expect(Set(sessions.map(\.hash)).count == sessions.count)
            #expect(Set(sessions.map(\.encoded)).count == sessions.count)
            for session in sessions {
                #expect(session.hash == Array(Suite.hash("sharing session", session.encoded).prefix(32)))
                #expect(try Session(decoding: session.encoded) == session)
                #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) {
                    try Session(decoding: session.encoded + [0])
                }
            }
        }
        try check(suite)
    }

    @Test(
        "key_purpose_bound_in_session: nothing of a Schnorr key is accepted for an ECDSA key, on the same curve and with the same host keys"
    )
    func purpose() throws {
        func same<One: Sharing.Ciphersuite, Other: Sharing.Ciphersuite>(_: One.Type, _: Other.Type) throws
        where One.Group == Secp256k1, Other.Group == Secp256k1 {
            let ones = SharingRun<One>.holders(2)
            let others = SharingRun<Other>.holders(2)
            let oneHellos = ones.map { $0.introduce() }
            let otherHellos = others.map { $0.introduce() }
            #expect(oneHellos[0].suffix(65) == otherHellos[0].suffix(65), "the same host key, the same nonce")
            let one = try SharingRun(Sharing.Session<One>(fresh: 2, participants: oneHellos), ones)
            let other = try SharingRun(Sharing.Session<Other>(fresh: 2, participants: otherHellos), others)
            #expect(one.session.hash != other.session.hash)
            let wrongPurpose = ThresholdError.sharing(.wrongPurpose)
            #expect(throws: ThresholdError.sharing(.invalidIntroduction(of: .receiver(index(2))))) {
                try Sharing.Session<Other>(fresh: 2, participants: [otherHellos[0], oneHellos[1]])
            }
            #expect(throws: ThresholdError.sharing(.invalidIntroduction(of: .dealer(index(1))))) {
                try Sharing.Session<Other>(
                    importing: .generator, dealer: oneHellos[0], threshold: 2, receivers: otherHellos)
            }
            #expect(throws: wrongPurpose) { try Sharing.Session<Other>(decoding: one.session.encoded) }

            let party = one.parties[0]
            let commitments = try one.commit()
            #expect(throws: ThresholdError.sharing(.faulty(one.parties))) {
                try Sharing.Coordinator(session: other.session, commitments: commitments)
            }
            // Not even with the other session's hash in front: the hash after it differs.
            func forge(_ message: [UInt8]) -> [UInt8] {
                Array(message.prefix(3)) + other.session.hash + message.dropFirst(35)
            }
            let list = try Sharing.Coordinator(session: one.session, commitments: commitments).message
            let bytes = try #require(try one.holder(party).open(list))
            let opening = try Sharing.Opening<Other>(decoding: forge(bytes), from: party, in: other.session)
            _ = try other.commit()
            let otherList = Sharing.CommitmentList<Other>(
                commitments: [
                    other.commitment(to: opening.encoded(from: party, in: other.session), from: party),
                    [UInt8](repeating: 0, count: 32),
                ])
            #expect(throws: ThresholdError.sharing(.coordinator)) {
                try other.holders[1].open(otherList.encoded(in: other.session))
            }
            for proof in opening.proofs {
                let key = opening.polynomial.constant
                let message = Other.hash("sharing coefficient proof", other.session.hash + [0, 0, 0, 1, 0, 0, 0, 0])
                #expect(!Other.isProofOfPossession(proof, of: key, message: message))
            }
            let signature = One.provePossession(
                of: SecretScalar(Scalar(3)), publicKey: SharingTests.publicKey(of: Scalar<Secp256k1>(3)), message: [1],
                auxiliary: SecretBytes(count: 32, from: ones[0].random))
            #expect(
                One.isProofOfPossession(signature, of: SharingTests.publicKey(of: Scalar<Secp256k1>(3)), message: [1])
                    && !Other.isProofOfPossession(
                        signature, of: SharingTests.publicKey(of: Scalar<Secp256k1>(3)), message: [1])
            )

            let data = try SharingRun<One>.fresh(2, of: 2).certificate().recoveryData.encoded
            #expect(throws: wrongPurpose) { try Sharing.RecoveryData<Other>(decoding: data) }
            // With the other purpose written over it, and lengths corrected, nothing in it is valid.
            var session = Array(one.session.encoded.prefix(3))
            session += [UInt8(Other.domain.utf8.count)] + Array(Other.domain.utf8)
            session += one.session.encoded.dropFirst(4 + One.domain.utf8.count)
            #expect(try Sharing.Session<Other>(decoding: session).hash == other.session.hash)
        }
        try same(Sharing.BIP340.self, Sharing.ECDSA.self)
        try same(Sharing.ECDSA.self, Sharing.BIP340.self)
        let domains = SharingTests.suites.map { $0.domain }
        #expect(Set(domains).count == domains.count)
    }

    @Test(
        "a session that was made with another introduction is refused: it may be an old one",
        arguments: SharingTests.suites)
    func introductions(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = SharingRun<Suite>.holders(3)
            let session = try Sharing.Session<Suite>(fresh: 2, participants: holders.map { $0.introduce() })
            _ = holders[0].introduce()
            #expect(throws: ThresholdError.sharing(.foreignIntroduction)) {
                _ = try holders[0].introduction.take()?.begin(
                    session, hostKey: holders[0].hostKey, random: holders[0].random)
            }
            #expect(throws: ThresholdError.sharing(.foreignHostKey)) {
                _ = try holders[1].introduction.take()?.begin(
                    session, hostKey: holders[2].hostKey, random: holders[1].random)
            }
            let stranger = Holder<Suite>(50, seed: 80)
            _ = stranger.introduce()
            #expect(throws: ThresholdError.sharing(.foreignHostKey)) {
                _ = try stranger.introduction.take()?.begin(
                    session, hostKey: stranger.hostKey, random: stranger.random)
            }
            #expect(throws: ThresholdError.sharing(.brokenRandomness)) {
                _ = try holders[2].introduction.take()?.begin(
                    session, hostKey: holders[2].hostKey,
                    random: PrescribedRandom(bytes: [UInt8](repeating: 0, count: 32)))
            }
        }
        try check(suite)
    }

    @Test("a host key that is zero, not below the order, or of another size is refused", arguments: SharingTests.suites)
    func invalidHostKeys(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let sizes = [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32), [], [1]]
            for bytes in sizes + [[UInt8](repeating: 1, count: 31), [UInt8](repeating: 1, count: 33)] {
                #expect(throws: ThresholdError.invalidElement) {
                    _ = try Sharing.HostKey<Suite>(decoding: secret(bytes))
                }
            }
        }
        try check(suite)
    }

    @Test("a dealer deals the key that the session names, or nothing", arguments: SharingTests.suites)
    func roles(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let wrongRole = ThresholdError.sharing(.wrongRole)
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let random = holders[0].random
            func begin(_ holder: Holder<Suite>, _ session: Sharing.Session<Suite>) throws {
                _ = try holder.introduction.take()?.begin(session, hostKey: holder.hostKey, random: random)
            }
            func begin(_ holder: Holder<Suite>, _ session: Sharing.Session<Suite>, share: Holder<Suite>) throws {
                let introduction = holder.introduction.take()
                guard let introduction else { return }
                let share = share.clone()
                _ = try introduction.begin(
                    session, hostKey: holder.hostKey, share: share, epoch: 0, random: random)
            }
            func begin(_ holder: Holder<Suite>, _ session: Sharing.Session<Suite>, whole: UInt64) throws {
                _ = try holder.introduction.take()?.begin(
                    session, hostKey: holder.hostKey, whole: SecretScalar(Scalar(whole)), random: random)
            }
            func reshare() throws -> Sharing.Session<Suite> {
                try SharingRun.reshare(from: Array(holders.prefix(2)), 2, to: holders).session
            }
            #expect(throws: wrongRole, "a dealer of shares without one") { try begin(holders[0], reshare()) }
            #expect(throws: wrongRole, "who deals nothing") { try begin(holders[2], reshare(), share: holders[2]) }
            #expect(throws: wrongRole, "another's share") { try begin(holders[0], reshare(), share: holders[1]) }
            #expect(throws: wrongRole, "a whole key") { try begin(holders[0], reshare(), whole: 7) }
            func fresh() throws -> Sharing.Session<Suite> {
                try Sharing.Session(fresh: 2, participants: holders.map { $0.introduce() })
            }
            #expect(throws: wrongRole, "a share into a new key") { try begin(holders[0], fresh(), share: holders[0]) }
            #expect(throws: wrongRole, "a whole key into a new one") { try begin(holders[0], fresh(), whole: 7) }
            func imported() throws -> Sharing.Session<Suite> {
                let hellos = holders.map { $0.introduce() }
                return try Sharing.Session(
                    importing: SharingTests.publicKey(of: Scalar<Suite.Group>(7)), dealer: hellos[0], threshold: 2,
                    receivers: hellos)
            }
            #expect(throws: wrongRole, "nothing in place of a whole key") { try begin(holders[0], imported()) }
            #expect(throws: wrongRole, "a share in place of it") {
                try begin(holders[0], imported(), share: holders[0])
            }
            #expect(throws: wrongRole, "by who only receives") { try begin(holders[1], imported(), whole: 7) }
            #expect(throws: ThresholdError.wrongGroup) { try begin(holders[0], imported(), whole: 8) }
            try begin(holders[0], imported(), whole: 7)
        }
        try check(suite)
    }

    @Test("epoch_mismatch_clear_error: a share of another epoch causes a clear error", arguments: SharingTests.suites)
    func epochs(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let old = holders.map { $0.thief() }
            try SharingRun.reshare(from: holders, 2, to: holders).finish()
            #expect(holders.map(\.epoch) == [1, 1, 1])

            func begin(_ share: Holder<Suite>, epoch: Int, in group: GroupKey<Suite.Group>?, _ present: Int) throws {
                let hellos = holders.map { $0.introduce() }
                let session = try Sharing.Session<Suite>(
                    resharing: try #require(group), epoch: present,
                    dealers: [index(1): hellos[0], index(2): hellos[1]], threshold: 2, receivers: hellos)
                guard let introduction = holders[0].introduction.take() else { return }
                let key = share.clone()
                _ = try introduction.begin(
                    session, hostKey: holders[0].hostKey, share: key, epoch: epoch, random: holders[0].random)
            }
            try begin(holders[0], epoch: 1, in: holders[1].group, 1)
            #expect(throws: ThresholdError.wrongEpoch(expected: 1, got: 0), "left behind") {
                try begin(old[0], epoch: 0, in: holders[1].group, 1)
            }
            #expect(throws: ThresholdError.wrongEpoch(expected: 0, got: 1), "a session of yesterday") {
                try begin(holders[0], epoch: 1, in: old[1].group, 0)
            }
            #expect(throws: ThresholdError.wrongGroup, "the epoch is right, the shares are not") {
                try begin(old[0], epoch: 1, in: holders[1].group, 1)
            }
            let other = try SharingRun<Suite>.key(2, of: 3, seed: 84)
            #expect(throws: ThresholdError.wrongGroup, "another key") {
                try begin(other[0], epoch: 0, in: holders[1].group, 1)
            }
        }
        try check(suite)
    }

    @Test("repeated random bytes do not repeat a polynomial in another session", arguments: SharingTests.suites)
    func repeatedRandomness(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let random = PrescribedRandom(bytes: [UInt8](repeating: 7, count: 32))
            let hostKey = Sharing.HostKey<Suite>(from: SeededRandom(seed: 85))
            let other = Holder<Suite>(2, seed: 80)
            var openings: [Sharing.Opening<Suite>] = []
            for _ in 0..<2 {
                let introduction = Sharing.Introduction(hostKey: hostKey, random: random)
                let session = try Sharing.Session<Suite>(
                    fresh: 2, participants: [introduction.message, other.introduce()])
                let committed = try introduction.begin(session, hostKey: hostKey, random: random)
                let party = committed.party
                guard let own = committed.message else { continue }
                let list = Sharing.CommitmentList<Suite>(commitments: [Array(own.suffix(32)), own.suffix(32)])
                let message = try committed.open(list.encoded(in: session)).message
                openings.append(
                    try Sharing.Opening(decoding: try #require(message), from: party, in: session))
            }
            #expect(openings[0].salt != openings[1].salt)
            #expect(openings[0].publicNonce != openings[1].publicNonce)
            for power in 0...1 {
                #expect(
                    openings[0].polynomial.coefficients[power] != openings[1].polynomial.coefficients[power])
            }
        }
        try check(suite)
    }
}
