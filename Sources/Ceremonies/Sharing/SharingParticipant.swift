internal import Curves
public import Secrets
public import Threshold
internal import ThresholdECDSA

/// A participant in this process, for one sharing ceremony: it deals to new keys, its present shares or whole keys,
/// receives new shares, or both. All keys are shared together.
///
/// The new shares are activated only when all participants have signed the same transcripts, for every key. The present
/// shares do not change: their files are the caller's concern.
public actor SharingParticipant: SteppingParticipant {
    public nonisolated let index: Int

    private let terms: SharingTerms
    /// The input, until it is dealt or the ceremony fails.
    private var brought: DealerInput
    private let random: any RandomSource
    var frame = AnswerFrame(first: Step.invited)
    private var schnorr: SharingParticipantState<Sharing.BIP340>
    private var ecdsa: SharingParticipantState<Sharing.ECDSA>
    private var ed25519: SharingParticipantState<Sharing.Ed25519>
    private var pairing = PairingParticipantState()

    /// The steps. A participant that only deals is done when it has shared.
    enum Step: CeremonyStep {
        case invited, introduced, committed, opened, confirmed, shared, pairing, paired, finished

        var isComplete: Bool { self == .shared || self == .paired }
    }

    /// Creates a participant of one key generation.
    ///
    /// - Parameters:
    ///   - index: the shares' x coordinate.
    ///   - parameters: the parameters that the user asked for. Other proposals are refused.
    public init(index: ParticipantIndex, generating parameters: ThresholdParameters, random: some RandomSource) {
        self.init(
            index: index.value, terms: SharingTerms(generating: parameters), uncheckedInput: .nothing, random: random)
    }

    /// - Parameters:
    ///   - terms: the terms that the user asked for. Other ones are refused.
    ///   - brought: its input.
    /// - Throws: ``CeremonyError/threshold(_:)`` if the input does not match the terms.
    package init(
        index: Int, terms: SharingTerms, bringing brought: consuming DealerInput, random: some RandomSource
    ) throws(CeremonyError) {
        guard brought.fit(terms, at: index) else { throw .threshold(.wrongGroup) }
        self.init(index: index, terms: terms, uncheckedInput: brought, random: random)
    }

    private init(
        index: Int, terms: SharingTerms, uncheckedInput brought: consuming DealerInput, random: some RandomSource
    ) {
        self.index = index
        self.terms = terms
        self.brought = brought
        self.random = random
        schnorr = SharingParticipantState(random: random)
        ecdsa = SharingParticipantState(random: random)
        ed25519 = SharingParticipantState(random: random)
    }

    public func answer(_ message: [UInt8]) throws(CeremonyError) -> [UInt8] {
        try framedAnswer(to: message)
    }

    func wipe() {
        brought = .nothing
        schnorr.wipe()
        ecdsa.wipe()
        ed25519.wipe()
        pairing.wipe()
    }

    /// Each case takes the step only if the participant waits for the message, and it parses.
    func reply(to exchange: Exchange) throws(CeremonyError) -> (kind: CeremonyMessage.Kind, payload: [UInt8]) {
        switch frame.step {
        case .invited:
            guard try exchange.payload(.sharingRequest).isEmpty else { throw .malformedMessage }
            frame.step = .introduced
            return (.sharingIntroduction, introduction)
        case .introduced:
            let list = try MessageList.decode(try exchange.payload(.sharingParticipants), count: terms.indices.count)
            let introductions = try PerWalletKey(lists: list)
            frame.takeStep()
            let commitment = try begin(with: introductions)
            frame.step = .committed
            return (.sharingCommitment, commitment)
        case .committed:
            let parts = try PerWalletKey(decoding: try exchange.payload(.sharingCommitments))
            frame.takeStep()
            let opening = try open(parts)
            frame.step = .opened
            return (.sharingOpening, opening)
        case .opened:
            let parts = try PerWalletKey(decoding: try exchange.payload(.sharingOpenings))
            frame.takeStep()
            let confirmation = try receive(parts)
            frame.step = .confirmed
            return (.sharingConfirmation, confirmation)
        case .confirmed:
            let parts = try PerWalletKey(decoding: try exchange.payload(.sharingConfirmations))
            frame.takeStep()
            try activate(parts)
            frame.step = terms.isReceiver(index) ? .pairing : .shared
            return (.shared, [])
        case .pairing:
            let request = try pairing.read(of: terms.parameters.total, exchange.payload)
            frame.takeStep()
            let reply = try pairing.answer(to: request, of: terms.parameters.total, random: random)
            frame.step = reply.kind == .paired ? .paired : .pairing
            return reply
        case .shared, .paired, .finished:
            throw .staleMessage
        }
    }

    /// Returns the new shares, once. This ends the ceremony for this participant, even if it has no shares yet.
    ///
    /// - Throws: ``CeremonyError/staleMessage`` before the last certificate has come, the second time, and for a
    ///   participant that only deals; ``CeremonyError/threshold(_:)`` if they are not shares of the same keys.
    public func takeShares() throws(CeremonyError) -> KeyShares {
        let current = frame.step
        frame.step = .finished
        defer { wipe() }
        guard case .paired = current, let schnorr = try schnorr.takeOutput().takeShare(),
            let ed25519 = try ed25519.takeOutput().takeShare()
        else { throw .staleMessage }
        let shares = try KeyShares(schnorr: schnorr, ecdsa: try pairing.takeShare(), ed25519: ed25519)
        guard terms.origins.lead(to: shares.groups), shares.groups.parameters == terms.parameters else {
            throw .threshold(.wrongGroup)
        }
        return shares
    }
}

// MARK: Steps

extension SharingParticipant {
    private var introduction: [UInt8] {
        PerWalletKey(schnorr: schnorr.introduction, ecdsa: ecdsa.introduction, ed25519: ed25519.introduction).encoded
    }

    private func begin(with introductions: PerWalletKey<[[UInt8]]>) throws(CeremonyError) -> [UInt8] {
        var own = DealerInput.nothing
        swap(&own, &brought)
        let origins = terms.origins
        let schnorrs = try terms.session(
            from: origins.schnorr, introductions: introductions.schnorr, suite: Sharing.BIP340.self)
        let ecdsas = try terms.session(
            from: origins.ecdsa, introductions: introductions.ecdsa, suite: Sharing.ECDSA.self)
        let ed25519s = try terms.session(
            from: origins.ed25519, introductions: introductions.ed25519, suite: Sharing.Ed25519.self)
        // Another one with this participant's index would deal or receive in its place.
        guard isSeated(schnorrs.party(of: schnorr.publicHostKey), origins.schnorr),
            isSeated(ecdsas.party(of: ecdsa.publicHostKey), origins.ecdsa),
            isSeated(ed25519s.party(of: ed25519.publicHostKey), origins.ed25519)
        else { throw .threshold(.wrongGroup) }
        switch consume own {
        case .shares(let shares):
            return PerWalletKey(
                schnorr: try schnorr.begin(schnorrs, share: shares.schnorr, epoch: terms.epoch, random: random),
                ecdsa: try ecdsa.begin(
                    ecdsas, share: shares.ecdsa.key, epoch: shares.ecdsa.epoch, random: random),
                ed25519: try ed25519.begin(ed25519s, share: shares.ed25519, epoch: terms.epoch, random: random)
            ).encoded
        case .whole(let keys):
            return PerWalletKey(
                schnorr: try begin(schnorrs, whole: keys),
                ecdsa: try ecdsa.begin(ecdsas, whole: keys.ecdsa, random: random),
                ed25519: try ed25519.begin(ed25519s, random: random)
            ).encoded
        case .nothing:
            return PerWalletKey(
                schnorr: try schnorr.begin(schnorrs, random: random), ecdsa: try ecdsa.begin(ecdsas, random: random),
                ed25519: try ed25519.begin(ed25519s, random: random)
            ).encoded
        }
    }

    private func begin(
        _ session: Sharing.Session<Sharing.BIP340>, whole keys: borrowing ImportedPrivateKeys
    ) throws(CeremonyError) -> [UInt8] {
        switch keys.schnorr {
        case .some(let key): try schnorr.begin(session, whole: key, random: random)
        case .none: try schnorr.begin(session, random: random)
        }
    }

    private func isSeated<Group: Curve>(_ party: Sharing.Party?, _ origin: Sharing.Origin<Group>) -> Bool {
        guard let party else { return false }
        return terms.seat(of: index, from: origin) == (party.dealer, party.receiver)
    }

    private func open(_ parts: PerWalletKey<[UInt8]>) throws(CeremonyError) -> [UInt8] {
        PerWalletKey(
            schnorr: try schnorr.open(parts.schnorr), ecdsa: try ecdsa.open(parts.ecdsa),
            ed25519: try ed25519.open(parts.ed25519)
        ).encoded
    }

    private func receive(_ parts: PerWalletKey<[UInt8]>) throws(CeremonyError) -> [UInt8] {
        PerWalletKey(
            schnorr: try schnorr.receive(parts.schnorr, random: random),
            ecdsa: try ecdsa.receive(parts.ecdsa, random: random),
            ed25519: try ed25519.receive(parts.ed25519, random: random)
        ).encoded
    }

    private func activate(_ parts: PerWalletKey<[UInt8]>) throws(CeremonyError) {
        try schnorr.activate(parts.schnorr)
        try ecdsa.activate(parts.ecdsa)
        try ed25519.activate(parts.ed25519)
        if terms.isReceiver(index) { try ecdsa.begin(&pairing, random: random) } else { wipe() }
    }
}
