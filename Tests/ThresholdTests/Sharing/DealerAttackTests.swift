import Curves
import Secrets
import TestSupport
import Testing
import Threshold

/// Malicious dealers: all participants detect the fault, and the dealer is named.
@Suite("Sharing: faulty dealers")
struct DealerAttackTests {
    typealias Change<Suite: Sharing.Ciphersuite> = (SharingRun<Suite>, Sharing.Party, inout Sharing.Opening<Suite>)
        throws
        -> Void

    /// The last dealer deals and commits to something else. The first check of it names the dealer.
    private func refused<Suite: Sharing.Ciphersuite>(
        _ offence: Sharing.Offence, in make: () throws -> SharingRun<Suite>, _ comment: Comment,
        sourceLocation: SourceLocation = #_sourceLocation, _ change: @escaping Change<Suite>
    ) throws {
        let run = try make()
        let dealer = try #require(run.dealers.last)
        let (coordinator, openings) = try run.deal([dealer: { try change(run, dealer, &$0) }])
        let fault = ThresholdError.sharing(.suspect(dealer, offence))
        if offence != .share {
            #expect(throws: fault, comment, sourceLocation: sourceLocation) {
                try coordinator.collect(openings: openings)
            }
        }
        for party in run.parties where party != dealer && party.receiver != nil {
            #expect(throws: fault, comment, sourceLocation: sourceLocation) {
                try run.holder(party).receive(run.list(openings))
            }
        }
    }

    private func adding<Suite>(
        _ coefficient: Scalar<Suite.Group>, power: Int, in run: SharingRun<Suite>, by dealer: Sharing.Party,
        to opening: inout Sharing.Opening<Suite>
    ) {
        // The pads are added to the shares: a change of the sum is a change of the share.
        for (position, index) in run.session.parameters.indices.enumerated() {
            let x: Scalar<Suite.Group> = index.scalar()
            let term = (0..<power).reduce(coefficient) { term, _ in term * x }
            opening.encryptedShares[position] = opening.encryptedShares[position] + term
        }
    }

    @Test(
        "threshold_raise_rejected: a polynomial of another degree, with valid proofs and shares to match",
        arguments: SharingTests.suites)
    func thresholdRaise(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let makes: [() throws -> SharingRun<Suite>] = [
                { try .fresh(2, of: 3) },
                { [holders = try SharingRun<Suite>.key(2, of: 3)] in
                    try .reshare(from: Array(holders.prefix(2)), 2, to: holders)
                },
            ]
            for make in makes {
                try refused(.degree, in: make, "one coefficient more") { run, dealer, opening in
                    let secret = SecretScalar<Suite.Group>(Scalar(77))
                    opening.polynomial = PolynomialCommitment(
                        uncheckedCoefficients: opening.polynomial.coefficients + [secret.timesGenerator()])
                    opening.proofs.append(run.proof(of: secret, power: 2, by: dealer))
                    adding(Scalar(77), power: 2, in: run, by: dealer, to: &opening)
                }
                try refused(.degree, in: make, "one coefficient less") { _, _, opening in
                    opening.polynomial = PolynomialCommitment(
                        uncheckedCoefficients: Array(opening.polynomial.coefficients.prefix(1)))
                    opening.proofs.removeLast()
                }
                try refused(.degree, in: make, "none") { _, _, opening in
                    opening.polynomial = PolynomialCommitment(uncheckedCoefficients: [])
                    opening.proofs = []
                }
            }
        }
        try check(suite)
    }

    @Test("rogue_key_rejected: coefficients whose secrets the dealer does not know", arguments: SharingTests.suites)
    func rogueKey(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            for power in 0...1 {
                func replace(_ opening: inout Sharing.Opening<Suite>, with point: Suite.Group.Point) {
                    var coefficients = opening.polynomial.coefficients
                    coefficients[power] = point
                    opening.polynomial = PolynomialCommitment(uncheckedCoefficients: coefficients)
                }
                let offence = Sharing.Offence.proof(power: power)
                try refused(offence, in: { try SharingRun<Suite>.fresh(2, of: 3) }, "another coefficient") {
                    _, _, opening in
                    replace(&opening, with: .generator - opening.polynomial.coefficients[power])
                }
                for offset in [0, 40] {
                    try refused(offence, in: { try SharingRun<Suite>.fresh(2, of: 3) }, "a proof that is changed") {
                        _, _, opening in
                        opening.proofs[power][offset] ^= 1
                    }
                }
                try refused(offence, in: { try SharingRun<Suite>.fresh(2, of: 3) }, "no proof") { _, _, opening in
                    opening.proofs[power] = [UInt8](repeating: 0, count: 64)
                }
            }
        }
        try check(suite)
    }

    @Test(
        "proof_replay_rejected: a proof holds for its session, its dealer and its power only",
        arguments: SharingTests.suites)
    func proofReplay(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            // The same participants in another session.
            let earlier = try SharingRun<Suite>.fresh(2, of: 3)
            let (_, openings) = try earlier.deal()
            let make: () throws -> SharingRun<Suite> = {
                try SharingRun(
                    Sharing.Session(fresh: 2, participants: earlier.holders.map { $0.introduce() }), earlier.holders)
            }
            func old(_ number: Int) throws -> Sharing.Opening<Suite> {
                let dealer = earlier.dealers[number - 1]
                return try Sharing.Opening(
                    decoding: try #require(openings[dealer]), from: dealer, in: earlier.session)
            }
            try refused(.proof(power: 0), in: make, "its own of another session") { _, _, opening in
                opening = try old(3)
            }
            try refused(.proof(power: 0), in: make, "another dealer's of another session") { _, _, opening in
                opening = try old(1)
            }
            try refused(.proof(power: 0), in: make, "of another power") { _, _, opening in
                opening.polynomial = PolynomialCommitment(
                    uncheckedCoefficients: opening.polynomial.coefficients.reversed())
                opening.proofs.reverse()
            }
        }
        try check(suite)
    }

    @Test(
        "commitment_copy_rejected: what another dealer committed to is nothing to copy", arguments: SharingTests.suites)
    func commitmentCopy(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            /// The third dealer waits for the first one's commitment, and sends it as its own; then the opening as
            /// well.
            func copy(_ change: (inout [UInt8]) -> Void) throws -> (
                SharingRun<Suite>, [Sharing.Party: [UInt8]], Sharing.Coordinator<Suite>
            ) {
                let run = try SharingRun<Suite>.fresh(2, of: 3)
                var commitments = try run.commit()
                let first = try #require(commitments[run.dealers[0]])
                commitments[run.dealers[2]] = commitments[run.dealers[2], default: []].dropLast(32) + first.suffix(32)
                let coordinator = try Sharing.Coordinator(session: run.session, commitments: commitments)
                // The copied dealer detects no fault in the list; the dealer whose commitment was removed does.
                var openings: [Sharing.Party: [UInt8]] = [:]
                for dealer in run.dealers.prefix(2) {
                    openings[dealer] = try run.holder(dealer).open(coordinator.message)
                }
                var copied = openings[run.dealers[0], default: []]
                change(&copied)
                openings[run.dealers[2]] = copied
                return (run, openings, coordinator)
            }
            for change in [{ (_: inout [UInt8]) in }, { (bytes: inout [UInt8]) in bytes[35] = 3 }] {
                let (run, openings, coordinator) = try copy(change)
                let fault = ThresholdError.sharing(.suspect(run.dealers[2], .commitment))
                #expect(throws: fault) { try coordinator.collect(openings: openings) }
                #expect(throws: fault) { try run.holders[0].receive(run.list(openings)) }
            }
            // With its own commitment to the other's polynomial, the proofs are another's.
            try refused(.proof(power: 0), in: { try SharingRun<Suite>.fresh(2, of: 3) }, "the first dealer's opening") {
                run, dealer, opening in
                let (_, openings) = try SharingRun<Suite>.fresh(2, of: 3).deal()
                opening = try Sharing.Opening(
                    decoding: try #require(openings[run.dealers[0]]), from: run.dealers[0], in: run.session)
            }
        }
        try check(suite)
    }

    @Test("a dealer that opens another value than it committed to is named", arguments: SharingTests.suites)
    func otherOpening(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let run = try SharingRun<Suite>.fresh(2, of: 3)
            var (coordinator, openings) = try run.deal()
            let dealer = run.dealers[1]
            var opening = try Sharing.Opening<Suite>(
                decoding: try #require(openings[dealer]), from: dealer, in: run.session)
            // Everything is valid and consistent; but it was chosen after the others' was seen.
            let secret = SecretScalar<Suite.Group>(Scalar(5))
            opening.salt[0] ^= 1
            opening.polynomial = PolynomialCommitment(
                uncheckedCoefficients: [secret.timesGenerator(), secret.timesGenerator()])
            opening.proofs = (0...1).map { run.proof(of: secret, power: $0, by: dealer) }
            openings[dealer] = opening.encoded(from: dealer, in: run.session)
            let fault = ThresholdError.sharing(.suspect(dealer, .commitment))
            #expect(throws: fault) { try coordinator.collect(openings: openings) }
            #expect(throws: fault) { try run.holders[0].receive(run.list(openings)) }
        }
        try check(suite)
    }

    @Test("a malformed dealing names its dealer", arguments: SharingTests.suites)
    func malformed(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let size = Suite.Group.Point.generator.encoded.count
            let changes: [(String, (inout [UInt8]) -> Void)] = [
                ("too short", { $0.removeLast() }), ("too long", { $0.append(0) }), ("empty", { $0 = [] }),
                ("of another sender", { $0[35] = 1 }), ("of another session", { $0[3] ^= 1 }),
                ("of another kind", { $0[1] = 0x32 }), ("16 coefficients announced", { $0[68] = 16 }),
                ("255 coefficients announced", { $0[68] = 255 }),
                (
                    "the identity, or a point of small order, as a coefficient",
                    { $0.replaceSubrange(69..<(69 + size), with: [UInt8](repeating: 0, count: size)) }
                ),
                (
                    "no point",
                    { $0.replaceSubrange(69..<(69 + size), with: [UInt8](repeating: 255, count: size)) }
                ),
                (
                    "a nonce that is no point",
                    {
                        let end = $0.count - 3 * 32
                        $0.replaceSubrange((end - size)..<end, with: [UInt8](repeating: 255, count: size))
                    }
                ),
                (
                    "the identity as a nonce",
                    {
                        let end = $0.count - 3 * 32
                        $0.replaceSubrange((end - size)..<end, with: [UInt8](repeating: 0, count: size))
                    }
                ),
                (
                    "a share that is no scalar",
                    { $0.replaceSubrange(($0.count - 32)..., with: [UInt8](repeating: 255, count: 32)) }
                ),
            ]
            for (comment, change) in changes {
                let run = try SharingRun<Suite>.fresh(2, of: 3)
                var commitments = try run.commit()
                let dealer = run.dealers[1]
                let own = try #require(commitments[dealer])
                let list = Sharing.CommitmentList<Suite>(commitments: run.dealers.map { _ in Array(own.suffix(32)) })
                var opening = try #require(try run.holder(dealer).open(list.encoded(in: run.session)))
                change(&opening)
                commitments[dealer] = own.dropLast(32) + run.commitment(to: opening, from: dealer)
                let coordinator = try Sharing.Coordinator(session: run.session, commitments: commitments)
                var openings = [dealer: opening]
                for other in run.dealers where other != dealer {
                    openings[other] = try run.holder(other).open(coordinator.message)
                }
                let fault = ThresholdError.sharing(.suspect(dealer, .malformed))
                #expect(throws: fault, "\(comment)") { try coordinator.collect(openings: openings) }
                #expect(throws: fault, "\(comment)") { try run.holders[0].receive(run.list(openings)) }
            }
        }
        try check(suite)
    }

    @Test(
        "wrong_share_names_its_dealer: at once, by the one that it was for; and there is no certificate",
        arguments: SharingTests.suites)
    func wrongShare(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let run = try SharingRun<Suite>.fresh(2, of: 3)
            let dealer = run.dealers[1]
            let (coordinator, openings) = try run.deal([
                dealer: { $0.encryptedShares[0] = $0.encryptedShares[0] + .one }
            ])
            let dealings = try coordinator.collect(openings: openings)
            #expect(throws: ThresholdError.sharing(.suspect(dealer, .share))) {
                try run.holders[0].receive(dealings.message)
            }
            // It was right for the third. Without the first one's signature that is useless.
            let confirmation = try run.holders[2].receive(dealings.message)
            #expect(throws: ThresholdError.sharing(.missing(run.parties[0]))) {
                try dealings.certify([run.parties[2]: confirmation])
            }
            // The nonce belongs to the polynomial's dealer: with another one all pads are wrong.
            try refused(.share, in: { try SharingRun<Suite>.fresh(2, of: 3) }, "another nonce") { _, _, opening in
                opening.publicNonce = .generator
            }
        }
        try check(suite)
    }

    @Test(
        "a sum without a key is refused: it is zero, has a lower degree, or leaves a participant with nothing",
        arguments: SharingTests.suites)
    func noKey(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            /// The change of the last dealer's coefficient at a power, from the sum of all dealers' polynomials. The
            /// dealer knows the others' secrets, which no real one does.
            let changes: [(power: Int, change: ([Scalar<Suite.Group>]) -> Scalar<Suite.Group>)] = [
                (0, { -$0[0] }), (1, { -$0[1] }), (0, { -($0[0] + $0[1]) }), (0, { -($0[0] + $0[1] + $0[1] + $0[1]) }),
            ]
            for (power, change) in changes {
                let run = try SharingRun<Suite>.fresh(2, of: 3)
                let dealer = run.dealers[2]
                let (coordinator, openings) = try run.deal([
                    dealer: { opening in
                        let dealt = try run.holders.map { holder in
                            let polynomial = try SharingRecoveryTests.honest(holder, in: run)
                            return (0...1).map { power in polynomial.withCoefficient(power) { $0.clone().revealed() } }
                        }
                        let delta = change((0...1).map { power in dealt.reduce(.zero) { $0 + $1[power] } })
                        let secret = SecretScalar(dealt[2][power] + delta)
                        var coefficients = opening.polynomial.coefficients
                        coefficients[power] = secret.timesGenerator()
                        opening.polynomial = PolynomialCommitment(uncheckedCoefficients: coefficients)
                        opening.proofs[power] = run.proof(of: secret, power: power, by: dealer)
                        adding(delta, power: power, in: run, by: dealer, to: &opening)
                    }
                ])
                #expect(throws: ThresholdError.inconsistentKey) { try coordinator.collect(openings: openings) }
                #expect(throws: ThresholdError.inconsistentKey) { try run.holders[0].receive(run.list(openings)) }
            }
        }
        try check(suite)
    }

    @Test(
        "dealer_lies_about_its_share: what it deals must be its old share times its factor",
        arguments: SharingTests.suites)
    func wrongConstant(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let make: () throws -> SharingRun<Suite> = { try .reshare(from: Array(holders.prefix(2)), 3, to: holders) }
            /// Deals this constant in place of the right one, with matching commitments.
            func deal(_ constant: @escaping (Scalar<Suite.Group>) -> Scalar<Suite.Group>) -> Change<Suite> {
                { run, dealer, opening in
                    let share = try #require(holders[1].withShare { $0.secret.clone().revealed() })
                    let indices = [try ParticipantIndex(1), try ParticipantIndex(2)]
                    let factor: Scalar<Suite.Group> = Lagrange.coefficient(of: indices[1], among: indices)
                    let right = share * factor
                    let wrong = constant(share)
                    #expect(SharingTests.publicKey(of: right) == opening.polynomial.constant)
                    opening.polynomial = PolynomialCommitment(
                        uncheckedCoefficients: [SharingTests.publicKey(of: wrong)]
                            + opening.polynomial.coefficients.dropFirst())
                    opening.proofs[0] = run.proof(of: SecretScalar(wrong), power: 0, by: dealer)
                    adding(wrong - right, power: 0, in: run, by: dealer, to: &opening)
                }
            }
            try refused(.constant, in: make, "another secret", deal { $0 + .one })
            try refused(.constant, in: make, "its share without the factor", deal { $0 })
            try refused(.constant, in: make, "an old share of another key", deal { _ in Scalar(9) })
        }
        try check(suite)
    }

    @Test("a dealer that imports another key than it announced is named", arguments: SharingTests.suites)
    func wrongImport(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let make: () throws -> SharingRun<Suite> = { try .imported(SecretScalar(Scalar(1_234)), 2, of: 3) }
            try refused(.constant, in: make, "another key") { run, dealer, opening in
                opening.polynomial = PolynomialCommitment(
                    uncheckedCoefficients: [SharingTests.publicKey(of: Scalar<Suite.Group>(1_235))]
                        + opening.polynomial.coefficients.dropFirst())
                opening.proofs[0] = run.proof(of: SecretScalar(Scalar(1_235)), power: 0, by: dealer)
                adding(.one, power: 0, in: run, by: dealer, to: &opening)
            }
        }
        try check(suite)
    }

    @Test(
        "sum_is_the_old_key: polynomials that add up to another key are no shares of this",
        arguments: SharingTests.suites)
    func wrongSum(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            typealias Point = Suite.Group.Point
            func polynomial(_ coefficients: Int...) -> PolynomialCommitment<Suite.Group> {
                PolynomialCommitment(
                    uncheckedCoefficients: coefficients.map {
                        SharingTests.publicKey(of: Scalar<Suite.Group>(UInt64($0)))
                    })
            }
            let moved = try SharingRun<Suite>.imported(SecretScalar(Scalar(7)), 2, of: 3).session
            #expect(
                try moved.group(of: [polynomial(7, 3)]).publicKey == SharingTests.publicKey(of: Scalar<Suite.Group>(7)))
            #expect(throws: ThresholdError.inconsistentKey) { try moved.group(of: [polynomial(8, 3)]) }
            #expect(throws: ThresholdError.inconsistentKey) { try moved.group(of: []) }

            let holders = try SharingRun<Suite>.key(2, of: 3)
            let session = try SharingRun.reshare(from: holders, 2, to: holders).session
            #expect(throws: ThresholdError.inconsistentKey) {
                try session.group(of: [polynomial(1, 2), polynomial(3, 4), polynomial(5, 6)])
            }
            // Leading coefficients that cancel would make the threshold smaller than announced.
            let fresh = try SharingRun<Suite>.fresh(2, of: 2).session
            let cancelling = PolynomialCommitment<Suite.Group>(
                uncheckedCoefficients: [.generator, -SharingTests.publicKey(of: Scalar<Suite.Group>(2))])
            #expect(throws: ThresholdError.inconsistentKey) { try fresh.group(of: [polynomial(1, 2), cancelling]) }
        }
        try check(suite)
    }
}
