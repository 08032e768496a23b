internal import Curves
internal import Secrets
internal import Threshold

/// A holder in this process that takes part in one renewal: it deals its present shares, receives new ones, or both. All keys
/// are renewed together.
///
/// Its new shares come into being only when all who take part have signed the same transcripts, for every key. The present
/// ones stay as they are: what becomes of their files is not its business.
actor RenewalHolder: Holder {
    nonisolated let index: Int

    private let terms: RenewalTerms
    private let shares: KeyShares?
    private let random: any RandomSource
    private var session: SessionID?
    private var step = Step.invited
    private var schnorr: SharingTurn<DKG.BIP340>
    private var ecdsa: SharingTurn<DKG.ECDSA>
    private var ed25519: SharingTurn<DKG.Ed25519>
    private var pairing = PairingTurn()

    private enum Step { case invited, introduced, committed, opened, confirmed, pairing, paired, finished }

    /// - Parameters:
    ///   - terms: what the person asked for. Anything else is refused.
    ///   - shares: the present ones, of those who deal; nothing of those who only receive.
    /// - Throws: ``CustodyError/ceremony(_:)`` if the shares are not what the terms say.
    init(
        index: Int, terms: RenewalTerms, shares: consuming KeyShares?, random: some RandomSource
    ) throws(CustodyError) {
        var isDealer = false
        if let own = shares?.groups { isDealer = own == terms.keys }
        guard isDealer == terms.isDealer(index) else { throw .ceremony(.wrongGroup) }
        self.index = index
        self.terms = terms
        self.shares = shares
        self.random = random
        schnorr = SharingTurn(random: random)
        ecdsa = SharingTurn(random: random)
        ed25519 = SharingTurn(random: random)
    }

    func answer(_ message: [UInt8]) throws(CustodyError) -> [UInt8] {
        // Whatever comes of this message, no step is taken twice.
        let current = step
        step = .finished
        let exchange = try Exchange(decoding: message, in: &session)
        let reply: (kind: CeremonyMessage.Kind, payload: [UInt8])
        switch current {
        case .invited:
            guard try exchange.payload(.renewalRequest).isEmpty else { throw .malformedMessage }
            reply = (.renewalIntroduction, introduction)
            step = .introduced
        case .introduced:
            reply = (.renewalCommitment, try begin(with: exchange.payload(.renewalParticipants)))
            step = .committed
        case .committed:
            reply = (.renewalOpening, try open(exchange.payload(.renewalCommitments)))
            step = .opened
        case .opened:
            reply = (.renewalConfirmation, try receive(exchange.payload(.renewalOpenings)))
            step = .confirmed
        case .confirmed:
            try activate(exchange.payload(.renewalConfirmations))
            reply = (.renewed, [])
            step = terms.isReceiver(index) ? .pairing : .finished
        case .pairing:
            reply = try pairing.answer(
                of: terms.parameters.total, hostKey: ecdsa.hostKey, random: random, exchange.payload)
            step = reply.kind == .paired ? .paired : .pairing
        case .paired, .finished:
            throw .staleMessage
        }
        return exchange.answer(reply.kind, reply.payload, by: index)
    }

    /// The new shares, once.
    ///
    /// - Throws: ``CustodyError/staleMessage`` before the last certificate has come, the second time, and for those who only
    ///   deal; ``CustodyError/ceremony(_:)`` if they are not shares of the same keys.
    func takeShares() throws(CustodyError) -> KeyShares {
        let current = step
        step = .finished
        guard case .paired = current, let schnorr = try schnorr.takeOutput().takeShare(),
            let ed25519 = try ed25519.takeOutput().takeShare()
        else { throw .staleMessage }
        let shares = try KeyShares(schnorr: schnorr, ecdsa: try pairing.takeShare(), ed25519: ed25519)
        guard shares.groups.isSameKeys(as: terms.keys), shares.groups.parameters == terms.parameters else {
            throw .ceremony(.wrongGroup)
        }
        return shares
    }
}

// MARK: Steps

extension RenewalHolder {
    private var introduction: [UInt8] {
        PerPurpose(schnorr: schnorr.introduction, ecdsa: ecdsa.introduction, ed25519: ed25519.introduction).encoded
    }

    private func begin(with list: [UInt8]) throws(CustodyError) -> [UInt8] {
        let introductions = try PerPurpose(lists: try MessageList.decode(list, count: terms.indices.count))
        let schnorrs = try terms.session(
            for: terms.keys.schnorr, introductions: introductions.schnorr, suite: DKG.BIP340.self)
        let ecdsas = try terms.session(
            for: terms.keys.ecdsa, introductions: introductions.ecdsa, suite: DKG.ECDSA.self)
        let ed25519s = try terms.session(
            for: terms.keys.ed25519, introductions: introductions.ed25519, suite: DKG.Ed25519.self)
        // Another in this holder's place would deal or receive for it.
        guard isSeated(schnorrs.party(of: schnorr.hostKey.publicKey)),
            isSeated(ecdsas.party(of: ecdsa.hostKey.publicKey)),
            isSeated(ed25519s.party(of: ed25519.hostKey.publicKey))
        else { throw .ceremony(.wrongGroup) }
        switch shares {
        case .some(let shares):
            return PerPurpose(
                schnorr: try schnorr.begin(schnorrs, share: shares.schnorr, epoch: terms.epoch, random: random),
                ecdsa: try ecdsa.begin(
                    ecdsas, share: shares.ecdsa.key, epoch: shares.ecdsa.epoch, random: random),
                ed25519: try ed25519.begin(ed25519s, share: shares.ed25519, epoch: terms.epoch, random: random)
            ).encoded
        case .none:
            return PerPurpose(
                schnorr: try schnorr.begin(schnorrs, random: random), ecdsa: try ecdsa.begin(ecdsas, random: random),
                ed25519: try ed25519.begin(ed25519s, random: random)
            ).encoded
        }
    }

    private func isSeated(_ party: Sharing.Party?) -> Bool {
        party?.dealer?.value == (terms.isDealer(index) ? index : nil)
            && party?.receiver?.value == (terms.isReceiver(index) ? index : nil) && party != nil
    }

    private func open(_ commitments: [UInt8]) throws(CustodyError) -> [UInt8] {
        let parts = try PerPurpose(decoding: commitments)
        return PerPurpose(
            schnorr: try schnorr.open(parts.schnorr), ecdsa: try ecdsa.open(parts.ecdsa),
            ed25519: try ed25519.open(parts.ed25519)
        ).encoded
    }

    private func receive(_ openings: [UInt8]) throws(CustodyError) -> [UInt8] {
        let parts = try PerPurpose(decoding: openings)
        return PerPurpose(
            schnorr: try schnorr.receive(parts.schnorr, random: random),
            ecdsa: try ecdsa.receive(parts.ecdsa, random: random),
            ed25519: try ed25519.receive(parts.ed25519, random: random)
        ).encoded
    }

    private func activate(_ certificates: [UInt8]) throws(CustodyError) {
        let parts = try PerPurpose(decoding: certificates)
        try schnorr.activate(parts.schnorr)
        try ecdsa.activate(parts.ecdsa)
        try ed25519.activate(parts.ed25519)
        if terms.isReceiver(index) {
            try pairing.begin(after: ecdsa.takeOutput(), hostKey: ecdsa.hostKey, random: random)
        }
    }
}
