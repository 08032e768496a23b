import Curves
import Secrets
import TestSupport
import Testing
import Threshold

/// Every message of a resharing is changed in transit, in every field: that gives a named error, or makes no
/// difference.
@Suite("Sharing: mutated messages")
struct SharingMutationTests {
    /// The messages in the order of the protocol. The coordinator's messages are changed for the last dealer only.
    enum Message: CaseIterable, Sendable {
        case introduction, session, commitment, commitments, opening, openings, confirmation, certificate
    }

    /// Runs a resharing by the first two participants, in which `change` is called with the first message of this kind.
    private func reshare<Suite: Sharing.Ciphersuite>(
        _ holders: [Holder<Suite>], mutating kind: Message, _ change: ([UInt8]) -> [UInt8]
    ) throws -> [Shown<Suite.Group>] {
        func pass(_ message: [UInt8], as other: Message) -> [UInt8] { kind == other ? change(message) : message }
        let dealers = Array(holders.prefix(2))
        let hellos = holders.map { $0.introduce() }
        let group = try #require(holders[0].group)
        let indices = group.parameters.indices
        let changed = [hellos[0], pass(hellos[1], as: .introduction), hellos[2]]
        let session = try Sharing.Session<Suite>(
            resharing: group, epoch: 0, dealers: [indices[0]: changed[0], indices[1]: changed[1]], threshold: 2,
            receivers: changed)
        let other = try Sharing.Session<Suite>(decoding: pass(session.encoded, as: .session))
        let zero = SecretScalar<Suite.Group>(.zero)
        let parties = session.parties
        func seen(_ holder: Holder<Suite>) -> Sharing.Session<Suite> { holder === holders[1] ? other : session }
        func view(_ message: [UInt8], of holder: Holder<Suite>, as kind: Message) -> [UInt8] {
            holder === holders[1] ? pass(message, as: kind) : message
        }

        var messages: [Sharing.Party: [UInt8]] = [:]
        for (party, dealer) in zip(parties, dealers) {
            // In a changed session it may not be a dealer, and is missing.
            messages[party] = try dealer.begin(seen(dealer), whole: zero).map { view($0, of: dealer, as: .commitment) }
        }
        _ = try holders[2].begin(session, whole: zero)
        let coordinator = try Sharing.Coordinator(session: session, commitments: messages)
        for (party, holder) in zip(parties, holders) {
            let message = try holder.open(view(coordinator.message, of: holder, as: .commitments))
            messages[party] = message.map { view($0, of: holder, as: .opening) }
        }
        let dealings = try coordinator.collect(openings: messages)
        for (party, holder) in zip(parties, holders) {
            let message = try holder.receive(view(dealings.message, of: holder, as: .openings))
            messages[party] = view(message, of: holder, as: .confirmation)
        }
        let certificate = try dealings.certify(messages)
        return try holders.map { holder in
            let output = try holder.activate(view(certificate.message, of: holder, as: .certificate))
            #expect(output.recoveryData.epoch == 1)
            guard let share = output.takeKeyShare() else { preconditionFailure("a receiver without a share") }
            return Shown(group: share.group, secret: share.secret.clone().revealed())
        }
    }

    private struct Shown<Group: Curve> {
        let group: GroupKey<Group>
        let secret: Scalar<Group>
    }

    @Test("a mutated message gives a named error or the right key", arguments: SharingTests.suites, Message.allCases)
    func mutated(_ suite: any Sharing.Ciphersuite.Type, _ kind: Message) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let secret = SharingTests.secret(holders)
            let old = try #require(holders[0].group)
            let random = SeededRandom(seed: 90)
            let rounds = 20
            var refused = 0
            for round in 0..<(rounds + 2) {
                func change(_ message: [UInt8]) -> [UInt8] {
                    var bytes = message
                    // Each part of the message is changed in turn; then it is truncated, and then extended.
                    let start = message.count * round / rounds
                    if round == rounds { return message.dropLast() }
                    if round > rounds { return message + [0] }
                    bytes[start + random.below(max(message.count * (round + 1) / rounds - start, 1))] ^=
                        1 << random.below(8)
                    return bytes
                }
                do {
                    let shares = try reshare(holders, mutating: kind, change)
                    let key = (shares[0].secret + shares[0].secret) - shares[1].secret
                    #expect(key == secret, "round \(round)")
                    #expect(shares.allSatisfy { $0.group == shares[0].group && $0.group.publicKey == old.publicKey })
                } catch is ThresholdError { refused += 1 }
                #expect(SharingTests.secret(holders) == secret, "the old shares are what they were")
            }
            // Each bit counts.
            #expect(refused == rounds + 2)
            _ = try reshare(holders, mutating: kind) { $0 }
        }
        try check(suite)
    }
}
