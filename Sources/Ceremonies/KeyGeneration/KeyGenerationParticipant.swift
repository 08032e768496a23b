internal import Curves
internal import Encoding
public import Secrets
public import Threshold

/// A participant in this process, for one key generation. It ends with its shares of all keys.
///
/// Shares are activated only when every participant has signed the same transcripts, for every purpose. Before that
/// nothing can be used, and no key exists without the others.
public actor KeyGenerationParticipant: SteppingParticipant {
    public nonisolated let index: Int

    private let parameters: ThresholdParameters
    private let random: any RandomSource
    var frame = AnswerFrame(first: Step.invited)
    private var schnorr: KeyGenerationParticipantState<DKG.BIP340>
    private var ecdsa: SharingParticipantState<DKG.ECDSA>
    private var ed25519: KeyGenerationParticipantState<DKG.Ed25519>
    private var pairing = PairingParticipantState()

    enum Step: CeremonyStep {
        case invited, introduced, contributed, agreed, wronged, confirmed, pairing, paired, finished

        var isComplete: Bool { self == .paired }
    }

    /// Creates a participant of one key generation.
    ///
    /// - Parameters:
    ///   - index: the shares' x coordinate.
    ///   - parameters: the parameters that the user asked for. Other proposals are refused.
    public init(index: ParticipantIndex, parameters: ThresholdParameters, random: some RandomSource) {
        self.index = index.value
        self.parameters = parameters
        self.random = random
        schnorr = KeyGenerationParticipantState(random: random)
        ecdsa = SharingParticipantState(random: random)
        ed25519 = KeyGenerationParticipantState(random: random)
    }

    public func answer(_ message: [UInt8]) throws(CeremonyError) -> [UInt8] {
        try framedAnswer(to: message)
    }

    func wipe() {
        schnorr.wipe()
        ecdsa.wipe()
        ed25519.wipe()
        pairing.wipe()
    }

    /// Each case takes the step only if the participant waits for the message, and it parses.
    func reply(to exchange: Exchange) throws(CeremonyError) -> (kind: CeremonyMessage.Kind, payload: [UInt8]) {
        switch frame.step {
        case .invited:
            guard try exchange.payload(.invitation).isEmpty else { throw .malformedMessage }
            frame.step = .introduced
            return (.introduction, introduction)
        case .introduced:
            let list = try MessageList.decode(try exchange.payload(.participants), count: parameters.total)
            let introductions = try PerWalletKey(lists: list)
            frame.takeStep()
            let contribution = try contribute(with: introductions)
            frame.step = .contributed
            return (.contribution, contribution)
        case .contributed:
            let parts = try PerWalletKey(decoding: try exchange.payload(.contributions))
            frame.takeStep()
            guard let agreement = try agree(to: parts) else {
                frame.step = .wronged
                return (.wrongShare, [])
            }
            frame.step = .agreed
            return (.agreement, agreement)
        case .wronged:
            let parts = try PerWalletKey(decoding: try exchange.payload(.investigation))
            frame.takeStep()
            throw try verdict(on: parts)
        case .agreed:
            let parts = try PerWalletKey(decoding: try exchange.payload(.agreements))
            frame.takeStep()
            let confirmation = try confirm(parts)
            frame.step = .confirmed
            return (.confirmation, confirmation)
        case .confirmed:
            let certificate = try exchange.payload(.confirmations)
            frame.takeStep()
            try ecdsa.activate(certificate)
            try pairing.begin(after: ecdsa.takeOutput(), hostKey: ecdsa.hostKey, random: random)
            frame.step = .pairing
            return (.activated, [])
        case .pairing:
            let request = try pairing.read(of: parameters.total, exchange.payload)
            frame.takeStep()
            let reply = try pairing.answer(
                to: request, of: parameters.total, hostKey: ecdsa.hostKey, random: random)
            frame.step = reply.kind == .paired ? .paired : .pairing
            return reply
        case .paired, .finished:
            throw .staleMessage
        }
    }

    /// Returns the shares, once.
    ///
    /// - Throws: ``CeremonyError/staleMessage`` before the last certificate has come, and the second time.
    public func takeShares() throws(CeremonyError) -> KeyShares {
        let current = frame.step
        frame.step = .finished
        // No call gives a share before the end. This checks it before the first is taken from the others.
        guard case .paired = current else { throw .staleMessage }
        return try KeyShares(
            schnorr: try schnorr.takeShare(), ecdsa: try pairing.takeShare(), ed25519: try ed25519.takeShare())
    }
}

// MARK: Steps

extension KeyGenerationParticipant {
    private var introduction: [UInt8] {
        PerWalletKey(schnorr: schnorr.introduction, ecdsa: ecdsa.introduction, ed25519: ed25519.introduction).encoded
    }

    private func contribute(with introductions: PerWalletKey<[[UInt8]]>) throws(CeremonyError) -> [UInt8] {
        let session: Sharing.Session<DKG.ECDSA>
        do throws(ThresholdError) {
            session = try Sharing.Session(fresh: parameters.threshold, participants: introductions.ecdsa)
            guard session.party(of: ecdsa.hostKey.publicKey)?.receiver?.value == index else {
                throw ThresholdError.wrongGroup
            }
        } catch { throw .threshold(error) }
        return PerWalletKey(
            schnorr: try schnorr.contribute(
                as: index, of: parameters, hostKeys: introductions.schnorr, random: random),
            ecdsa: try ecdsa.begin(session, random: random),
            ed25519: try ed25519.contribute(
                as: index, of: parameters, hostKeys: introductions.ed25519, random: random)
        ).encoded
    }

    /// Checks the contributions to all keys, and returns this participant's agreement.
    ///
    /// - Returns: nil if a participant made a wrong share for this one.
    private func agree(to parts: PerWalletKey<[UInt8]>) throws(CeremonyError) -> [UInt8]? {
        let schnorr = try schnorr.receive(parts.schnorr, random: random)
        let ed25519 = try ed25519.receive(parts.ed25519, random: random)
        guard let schnorr, let ed25519 else { return nil }
        return PerWalletKey(schnorr: schnorr, ecdsa: try ecdsa.open(parts.ecdsa), ed25519: ed25519).encoded
    }

    private func verdict(on parts: PerWalletKey<[UInt8]>) throws(CeremonyError) -> CeremonyError {
        let fault =
            schnorr.isWronged
            ? try schnorr.verdict(on: parts.schnorr) : try ed25519.verdict(on: parts.ed25519)
        return .threshold(.keyGeneration(fault))
    }

    private func confirm(_ parts: PerWalletKey<[UInt8]>) throws(CeremonyError) -> [UInt8] {
        try schnorr.activate(parts.schnorr)
        try ed25519.activate(parts.ed25519)
        return try ecdsa.receive(parts.ecdsa, random: random)
    }
}

extension PerWalletKey<[[UInt8]]> {
    /// Sorts messages of several participants, each with a part for each purpose, by purpose.
    ///
    /// - Throws: ``CeremonyError/malformedMessage``.
    init(lists: [[UInt8]]) throws(CeremonyError) {
        self.init(schnorr: [], ecdsa: [], ed25519: [])
        for list in lists {
            let parts = try PerWalletKey<[UInt8]>(decoding: list)
            schnorr.append(parts.schnorr)
            ecdsa.append(parts.ecdsa)
            ed25519.append(parts.ed25519)
        }
    }
}
