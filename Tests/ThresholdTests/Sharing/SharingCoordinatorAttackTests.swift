import Curves
import Secrets
import TestSupport
import Testing
import Threshold

/// A malicious coordinator can stop a session, and nothing else: no participant gets a share that others lack.
@Suite("Sharing: a faulty coordinator")
struct SharingCoordinatorAttackTests {
    private static let faulty = ThresholdError.sharing(.coordinator)

    @Test("a dealer detects that its own commitment or opening was changed", arguments: SharingTests.suites)
    func ownMessages(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            func commitments(_ change: (inout Sharing.CommitmentList<Suite>) -> Void) throws {
                let run = try SharingRun<Suite>.fresh(2, of: 3)
                var list = Sharing.CommitmentList<Suite>(
                    commitments: try run.commit().sorted { $0.key < $1.key }.map { Array($0.value.suffix(32)) })
                change(&list)
                #expect(throws: Self.faulty) { try run.holders[1].open(list.encoded(in: run.session)) }
            }
            try commitments { $0.commitments[1][0] ^= 1 }
            try commitments { $0.commitments.swapAt(1, 2) }
            try commitments { $0.commitments[1] = [UInt8](repeating: 0, count: 32) }

            func openings(_ change: (inout [Sharing.Party: [UInt8]], [Sharing.Party]) -> Void) throws {
                let run = try SharingRun<Suite>.fresh(2, of: 3)
                var (_, openings) = try run.deal()
                change(&openings, run.dealers)
                #expect(throws: Self.faulty) { try run.holders[1].receive(run.list(openings)) }
            }
            try openings { $0[$1[1]]?[40] ^= 1 }
            try openings { $0[$1[1]] = $0[$1[0]] }
            try openings { $0[$1[1]] = [] }
        }
        try check(suite)
    }

    @Test("a malformed message, or one of another session, is the coordinator's fault", arguments: SharingTests.suites)
    func wrongMessages(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let changes: [(String, (inout [UInt8]) -> Void)] = [
                ("too short", { $0.removeLast() }), ("too long", { $0.append(0) }), ("empty", { $0 = [] }),
                ("another session", { $0[5] ^= 1 }), ("another kind", { $0[1] = 0x30 }),
                ("another version", { $0[0] = 2 }), ("another curve", { $0[2] ^= 3 }),
            ]
            for (comment, change) in changes {
                let run = try SharingRun<Suite>.fresh(2, of: 3)
                var message = try Sharing.Coordinator(session: run.session, commitments: run.commit()).message
                change(&message)
                #expect(throws: Self.faulty, "\(comment)") { try run.holders[0].open(message) }

                let second = try SharingRun<Suite>.fresh(2, of: 3)
                let (coordinator, openings) = try second.deal()
                message = try coordinator.collect(openings: openings).message
                change(&message)
                #expect(throws: Self.faulty, "\(comment)") { try second.holders[0].receive(message) }

                let third = try SharingRun<Suite>.fresh(2, of: 3)
                message = try third.certificate().message
                change(&message)
                #expect(throws: Self.faulty, "\(comment)") { _ = try third.holders[0].activate(message) }
            }
        }
        try check(suite)
    }

    /// A resharing in which the first dealer and the coordinator show the second half of the parties another dealing.
    private func splitView<Suite: Sharing.Ciphersuite>(
        _ run: SharingRun<Suite>
    ) throws -> (dealings: [Sharing.Dealings<Suite>], confirmations: [Sharing.Party: [UInt8]]) {
        var commitments = try run.commit()
        let dealer = run.dealers[0]
        let own = try #require(commitments[dealer])
        let list = Sharing.CommitmentList<Suite>(commitments: run.dealers.map { _ in Array(own.suffix(32)) })
        let honest = try #require(try run.holder(dealer).open(list.encoded(in: run.session)))
        var other = try Sharing.Opening<Suite>(decoding: honest, from: dealer, in: run.session)
        other.salt[0] ^= 1
        let openings = [honest, other.encoded(from: dealer, in: run.session)]

        var coordinators: [Sharing.Coordinator<Suite>] = []
        for opening in openings {
            commitments[dealer] = own.dropLast(32) + run.commitment(to: opening, from: dealer)
            coordinators.append(try Sharing.Coordinator(session: run.session, commitments: commitments))
        }
        func side(_ party: Sharing.Party) -> Int { party.number == run.parties.count ? 1 : 0 }
        var messages: [Sharing.Party: [UInt8]] = [:]
        for party in run.parties where party != dealer {
            messages[party] = try run.holder(party).open(coordinators[side(party)].message)
        }
        var dealings: [Sharing.Dealings<Suite>] = []
        for (coordinator, opening) in zip(coordinators, openings) {
            messages[dealer] = opening
            dealings.append(try coordinator.collect(openings: messages))
        }
        var confirmations: [Sharing.Party: [UInt8]] = [:]
        for party in run.parties where party != dealer {
            confirmations[party] = try run.holder(party).receive(dealings[side(party)].message)
        }
        return (dealings, confirmations)
    }

    @Test(
        "equivocation_detected_by_transcript: two views, each right in itself, never make one certificate",
        arguments: SharingTests.suites)
    func equivocation(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let run = try SharingRun<Suite>.fresh(2, of: 3)
            var (dealings, confirmations) = try splitView(run)
            // The faulty dealer would sign both; here it signs neither.
            confirmations[run.parties[0]] = confirmations[run.parties[1]].map { message in
                var message = message
                message[35] = 1
                return message
            }
            #expect(throws: ThresholdError.sharing(.faulty([run.parties[0], run.parties[2]]))) {
                try dealings[0].certify(confirmations)
            }
            #expect(throws: ThresholdError.sharing(.faulty([run.parties[0], run.parties[1]]))) {
                try dealings[1].certify(confirmations)
            }
        }
        try check(suite)
    }

    @Test(
        "reshare_split_view_keeps_the_old_shares: without the whole certificate nobody has a new share, and the old sign",
        arguments: SharingTests.suites)
    func splitViewReshare(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let secret = SharingTests.secret(holders)
            let run = try SharingRun.reshare(from: Array(holders.prefix(2)), 2, to: holders)
            let (_, confirmations) = try splitView(run)
            // The coordinator sends each side the confirmations that it has, as a certificate.
            let list = Sharing.ConfirmationList<Suite>(
                confirmations: try run.parties.map { party in
                    try Sharing.Confirmation(
                        decoding: try #require(
                            confirmations[party]
                                ?? confirmations[run.parties[1]].map {
                                    var message = $0
                                    message[35] = UInt8(party.number)
                                    return message
                                }), from: party, in: run.session)
                })
            for party in run.parties.dropFirst() {
                #expect(throws: Self.faulty) { _ = try run.holder(party).renew(list.encoded(in: run.session)) }
            }
            #expect(holders.allSatisfy { $0.epoch == 0 })
            #expect(SharingTests.secret(Array(holders.dropFirst())) == secret)
            // They can start again.
            try SharingRun.reshare(from: Array(holders.dropFirst()), 2, to: holders).finish()
            #expect(SharingTests.secret(Array(holders.prefix(2))) == secret)
        }
        try check(suite)
    }

    @Test(
        "a participant without the certificate keeps its old share, and gets the new one from recovery data",
        arguments: SharingTests.suites)
    func missingCertificate(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let secret = SharingTests.secret(holders)
            let run = try SharingRun.reshare(from: holders, 2, to: holders)
            let certificate = try run.certificate()
            let data = try holders[0].renew(certificate.message)
            // The two others still have their shares, and they still give the key.
            #expect(SharingTests.secret([holders[1], holders[2]]) == secret)
            #expect(throws: ThresholdError.sharing(.missing(run.parties[1]))) {
                try data.verify(acknowledgements: [
                    run.parties[0]: try data.acknowledgement(hostKey: holders[0].hostKey, random: holders[0].random)
                ])
            }
            let recovered = try Sharing.RecoveryData<Suite>(decoding: data.encoded)
            let share = try recovered.keyShare(hostKey: holders[1].hostKey)
            holders[1].share = consume share
            #expect(SharingTests.secret([holders[0], holders[1]]) == secret)
        }
        try check(suite)
    }

    @Test("each confirmation in a certificate is checked", arguments: SharingTests.suites)
    func certificates(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            // Party 2 deals and receives nothing; parties 3 and 4 receive only.
            func make() throws -> SharingRun<Suite> {
                let holders = try SharingRun<Suite>.key(2, of: 3)
                return try .reshare(
                    from: Array(holders.prefix(2)), 2,
                    to: [holders[0], holders[2], Holder<Suite>(40, seed: 80)])
            }
            func refused(
                _ comment: Comment, _ change: (inout Sharing.ConfirmationList<Suite>) -> Void
            ) throws {
                let run = try make()
                var list = try Sharing.ConfirmationList<Suite>(
                    decoding: try run.certificate().message, in: run.session)
                change(&list)
                #expect(throws: Self.faulty, comment) {
                    _ = try run.holders[0].activate(list.encoded(in: run.session))
                }
            }
            for position in 0..<4 {
                try refused("a signature of \(position)") { $0.confirmations[position].signature[40] ^= 1 }
                guard position != 1 else { continue }
                try refused("a proof of \(position)") { $0.confirmations[position].proof?[40] ^= 1 }
            }
            try refused("confirmations exchanged") { list in
                let first = list.confirmations[2]
                list.confirmations[2] = list.confirmations[3]
                list.confirmations[3] = first
            }
            try refused("another's proof") { $0.confirmations[2].proof = $0.confirmations[3].proof }

            // The coordinator names the parties that did not confirm, including dealers without shares.
            let run = try make()
            var (dealings, confirmations) = try run.confirm()
            #expect(confirmations.count == 4)
            for party in run.parties {
                var changed = confirmations
                changed[party]?[60] ^= 1
                #expect(throws: ThresholdError.sharing(.faulty([party]))) { try dealings.certify(changed) }
                changed[party] = confirmations[party].map { $0 + [0] }
                #expect(throws: ThresholdError.sharing(.faulty([party]))) { try dealings.certify(changed) }
                changed[party] = nil
                #expect(throws: ThresholdError.sharing(.missing(party))) { try dealings.certify(changed) }
            }
            let stranger = try SharingRun<Suite>.fresh(5, of: 5).parties[4]
            confirmations[stranger] = []
            #expect(throws: ThresholdError.sharing(.unknown(stranger))) { try dealings.certify(confirmations) }
        }
        try check(suite)
    }

    @Test(
        "the coordinator names who sent no message of this session, nothing, or too much",
        arguments: SharingTests.suites)
    func coordinatorBlame(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let run = try SharingRun.reshare(from: Array(holders.prefix(2)), 2, to: holders)
            let commitments = try run.commit()
            #expect(commitments.count == 2)
            func refused(_ fault: Sharing.Fault, _ change: (inout [Sharing.Party: [UInt8]]) -> Void) {
                var messages = commitments
                change(&messages)
                #expect(throws: ThresholdError.sharing(fault)) {
                    try Sharing.Coordinator(session: run.session, commitments: messages)
                }
            }
            refused(.missing(run.parties[1])) { $0[run.parties[1]] = nil }
            refused(.unknown(run.parties[2])) { $0[run.parties[2]] = $0[run.parties[0]] }
            refused(.faulty([run.parties[1]])) { $0[run.parties[1]] = $0[run.parties[0]] }
            refused(.faulty([run.parties[0]])) { $0[run.parties[0]]?.append(0) }
            refused(.faulty([run.parties[0], run.parties[1]])) { messages in
                for party in run.dealers { messages[party]?[4] ^= 1 }
            }
        }
        try check(suite)
    }

    @Test("a host key that differs from the one at the beginning is refused", arguments: SharingTests.suites)
    func foreignHostKey(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let run = try SharingRun<Suite>.fresh(2, of: 3)
            let (coordinator, openings) = try run.deal()
            let message = try coordinator.collect(openings: openings).message
            #expect(throws: ThresholdError.sharing(.foreignHostKey)) {
                try run.holders[0].receive(message, withKeyOf: run.holders[1])
            }
        }
        try check(suite)
    }
}
