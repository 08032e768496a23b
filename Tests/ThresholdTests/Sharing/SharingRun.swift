import Curves
import Secrets
import TestSupport
import Testing
import Threshold

/// A participant, which keeps its host key, its present share, and its states.
final class Holder<Suite: Sharing.Ciphersuite> {
    let hostKey: Sharing.HostKey<Suite>
    let random: SeededRandom
    var share: KeyShare<Suite.Group>?
    var epoch = 0
    var introduction: Sharing.Introduction<Suite>?
    var committed: Sharing.Committed<Suite>?
    var opened: Sharing.Opened<Suite>?
    var pending: Sharing.Pending<Suite>?

    init(_ number: Int, seed: UInt64) {
        random = SeededRandom(seed: seed &* 1_000 &+ UInt64(number))
        hostKey = Sharing.HostKey(from: random)
    }

    var group: GroupKey<Suite.Group>? { withShare { $0.group } }
    var index: ParticipantIndex? { withShare { $0.index } }

    func withShare<Result>(_ body: (borrowing KeyShare<Suite.Group>) throws -> Result) rethrows -> Result? {
        switch share {
        case .none: nil
        case .some(let share): try body(share)
        }
    }

    /// Returns a copy of the share.
    func clone() -> KeyShare<Suite.Group> {
        switch share {
        case .none: preconditionFailure("a holder without a share")
        case .some(let share): share.clone()
        }
    }

    /// Returns another participant, with a copy of the share.
    func thief() -> Holder {
        let thief = Holder(99, seed: 80)
        thief.share = clone()
        thief.epoch = epoch
        return thief
    }

    /// Its introduction.
    func introduce() -> [UInt8] {
        let made = Sharing.Introduction(hostKey: hostKey, random: random)
        let message = made.message
        introduction = consume made
        return message
    }

    /// Step 1 by its role in the session.
    func begin(_ session: Sharing.Session<Suite>, whole secret: borrowing SecretScalar<Suite.Group>) throws -> [UInt8]?
    {
        guard let introduction = introduction.take() else { preconditionFailure("step 1 before the introduction") }
        let party = session.party(of: hostKey.publicKey)
        let made: Sharing.Committed<Suite>
        if party?.dealer == nil || session.origin == .fresh {
            made = try introduction.begin(session, hostKey: hostKey, random: random)
        } else if case .whole = session.origin {
            made = try introduction.begin(session, hostKey: hostKey, whole: secret, random: random)
        } else {
            switch share {
            case .none: preconditionFailure("a dealer without a share")
            case .some(let share):
                made = try introduction.begin(session, hostKey: hostKey, share: share, epoch: epoch, random: random)
            }
        }
        let message = made.message
        committed = consume made
        return message
    }

    /// Step 2.
    func open(_ message: [UInt8]) throws -> [UInt8]? {
        guard let committed = committed.take() else { preconditionFailure("step 2 before step 1") }
        let made = try committed.open(message)
        let message = made.message
        opened = consume made
        return message
    }

    /// Step 3.
    func receive(_ message: [UInt8], withKeyOf other: Holder? = nil) throws -> [UInt8] {
        guard let opened = opened.take() else { preconditionFailure("step 3 before step 2") }
        let made = try opened.receive(message, hostKey: (other ?? self).hostKey, random: random)
        let message = made.message
        pending = consume made
        return message
    }

    /// Step 4.
    func activate(_ message: [UInt8]) throws -> Sharing.Output<Suite> {
        guard let pending = pending.take() else { preconditionFailure("step 4 before step 3") }
        return try pending.activate(message)
    }

    /// Runs step 4, and replaces the present share by the new one.
    func renew(_ message: [UInt8]) throws -> Sharing.RecoveryData<Suite> {
        let output = try activate(message)
        let data = output.recoveryData
        if let new = output.takeKeyShare() {
            share = consume new
            epoch = data.epoch
        }
        return data
    }
}

/// A session in which each message can be changed in transit.
final class SharingRun<Suite: Sharing.Ciphersuite> {
    typealias Messages = [Sharing.Party: [UInt8]]

    let session: Sharing.Session<Suite>
    /// In the order of the session's parties.
    let holders: [Holder<Suite>]
    private let secret: SecretScalar<Suite.Group>

    init(
        _ session: Sharing.Session<Suite>, _ holders: [Holder<Suite>],
        secret: consuming SecretScalar<Suite.Group> = SecretScalar(.zero)
    ) throws {
        self.session = session
        self.holders = try session.parties.map { party in
            try #require(holders.first { session.party(of: $0.hostKey.publicKey) == party })
        }
        self.secret = secret
    }

    static func holders(_ total: Int, seed: UInt64 = 80) -> [Holder<Suite>] {
        (1...total).map { Holder($0, seed: seed) }
    }

    /// A session for a new key.
    static func fresh(_ threshold: Int, of total: Int, seed: UInt64 = 80) throws -> SharingRun {
        let holders = holders(total, seed: seed)
        return try SharingRun(
            Sharing.Session(fresh: threshold, participants: holders.map { $0.introduce() }), holders)
    }

    /// A session for new shares of the dealers' key.
    static func reshare(
        from dealers: [Holder<Suite>], _ threshold: Int, to receivers: [Holder<Suite>]
    ) throws -> SharingRun {
        guard let first = dealers.first, let group = first.group else {
            preconditionFailure("dealers without shares")
        }
        let hellos = Dictionary(
            uniqueKeysWithValues: (dealers + receivers).map { (ObjectIdentifier($0), $0) }.uniqued()
                .map { ($0.0, $0.1.introduce()) })
        var dealing: [ParticipantIndex: [UInt8]] = [:]
        for dealer in dealers {
            dealing[try #require(dealer.index)] = hellos[ObjectIdentifier(dealer)]
        }
        let session = try Sharing.Session<Suite>(
            resharing: group, epoch: first.epoch, dealers: dealing, threshold: threshold,
            receivers: receivers.map { hellos[ObjectIdentifier($0), default: []] })
        return try SharingRun(session, dealers + receivers)
    }

    /// A session for shares of a whole key, dealt by the first receiver.
    static func imported(
        _ secret: consuming SecretScalar<Suite.Group>, _ threshold: Int, of total: Int, seed: UInt64 = 80
    ) throws -> SharingRun {
        let holders = holders(total, seed: seed)
        let hellos = holders.map { $0.introduce() }
        let session = try Sharing.Session<Suite>(
            importing: secret.timesGenerator(), dealer: hellos[0], threshold: threshold, receivers: hellos)
        return try SharingRun(session, holders, secret: secret)
    }

    /// A key of which the participants have shares, made in one of three ways.
    static func key(_ threshold: Int, of total: Int, seed: UInt64 = 80) throws -> [Holder<Suite>] {
        let run = try fresh(threshold, of: total, seed: seed)
        _ = try run.finish()
        return run.holders
    }

    var parties: [Sharing.Party] { session.parties }
    var dealers: [Sharing.Party] { parties.filter { $0.dealer != nil } }

    func holder(_ party: Sharing.Party) -> Holder<Suite> { holders[party.number - 1] }

    /// Step 1 of all.
    func commit() throws -> Messages {
        var messages: Messages = [:]
        for party in parties { messages[party] = try holder(party).begin(session, whole: secret) }
        return messages
    }

    /// Runs steps 1 and 2, in which some dealers commit to something else than they should, and open that.
    func deal(
        _ deviation: [Sharing.Party: (inout Sharing.Opening<Suite>) throws -> Void] = [:]
    ) throws -> (coordinator: Sharing.Coordinator<Suite>, openings: Messages) {
        var commitments = try commit()
        var deviating: Messages = [:]
        for (dealer, change) in deviation {
            // It sees its own honest opening first, because it made it.
            let own = try #require(commitments[dealer])
            let list = Sharing.CommitmentList<Suite>(
                commitments: dealers.map { _ in Array(own.suffix(32)) })
            let bytes = try #require(try holder(dealer).open(list.encoded(in: session)))
            var opening = try Sharing.Opening<Suite>(decoding: bytes, from: dealer, in: session)
            #expect(opening.encoded(from: dealer, in: session) == bytes)
            try change(&opening)
            let changed = opening.encoded(from: dealer, in: session)
            deviating[dealer] = changed
            commitments[dealer] = own.dropLast(32) + commitment(to: changed, from: dealer)
        }
        let coordinator = try Sharing.Coordinator(session: session, commitments: commitments)
        var openings: Messages = [:]
        for party in parties {
            openings[party] = try deviating[party] ?? holder(party).open(coordinator.message)
        }
        return (coordinator, openings)
    }

    /// The documented commitment, computed independently.
    func commitment(to opening: [UInt8], from dealer: Sharing.Party) -> [UInt8] {
        Array(Suite.hash("sharing commitment", session.hash + [0, 0, 0, UInt8(dealer.number)] + opening).prefix(32))
    }

    /// The documented proof of a coefficient, made independently.
    func proof(
        of secret: borrowing SecretScalar<Suite.Group>, power: Int, by dealer: Sharing.Party
    ) -> [UInt8] {
        Suite.provePossession(
            of: secret, publicKey: secret.timesGenerator(),
            message: Suite.hash(
                "sharing coefficient proof",
                session.hash + [0, 0, 0, UInt8(dealer.number)] + [0, 0, 0, UInt8(power)]),
            auxiliary: SecretBytes(count: 32, from: holders[0].random))
    }

    /// The openings of all dealers as the coordinator sends them, even if it should not.
    func list(_ openings: Messages) -> [UInt8] {
        Sharing.OpeningList<Suite>(openings: dealers.map { openings[$0, default: []] }).encoded(in: session)
    }

    /// Steps 1 to 3.
    func confirm() throws -> (dealings: Sharing.Dealings<Suite>, confirmations: Messages) {
        let (coordinator, openings) = try deal()
        let dealings = try coordinator.collect(openings: openings)
        var messages: Messages = [:]
        for party in parties { messages[party] = try holder(party).receive(dealings.message) }
        return (dealings, messages)
    }

    /// Runs the whole session, up to the activation.
    func certificate() throws -> Sharing.Certificate<Suite> {
        let (dealings, confirmations) = try confirm()
        return try dealings.certify(confirmations)
    }

    /// Runs the whole session: every receiver has its new share.
    @discardableResult
    func finish() throws -> Sharing.RecoveryData<Suite> {
        let certificate = try certificate()
        for holder in holders {
            let data = try holder.renew(certificate.message)
            #expect(data == certificate.recoveryData)
        }
        return certificate.recoveryData
    }
}

extension Array {
    /// The first element with each name.
    fileprivate func uniqued<Name: Hashable, Value>() -> [(Name, Value)] where Element == (Name, Value) {
        var seen: Set<Name> = []
        return filter { seen.insert($0.0).inserted }
    }
}
