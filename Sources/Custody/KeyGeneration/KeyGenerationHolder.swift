internal import Curves
internal import Encoding
public import Secrets
public import Threshold

/// A holder-to-be in this process: takes part in one key generation, and ends with its shares of all keys.
///
/// Its shares come into being only when every holder has signed the same transcripts, for every purpose: before that there is
/// nothing that could be used, and nothing of one key without the others.
public actor KeyGenerationHolder: Holder {
    public nonisolated let index: Int

    private let parameters: ThresholdParameters
    private let random: any RandomSource
    private var session: SessionID?
    private var step = Step.invited
    private var schnorr: GenerationTurn<DKG.BIP340>
    private var ecdsa: SharingTurn<DKG.ECDSA>
    private var ed25519: GenerationTurn<DKG.Ed25519>
    private var pairing = PairingTurn()

    private enum Step { case invited, introduced, contributed, agreed, wronged, confirmed, pairing, paired, finished }

    /// - Parameters:
    ///   - index: the shares' x coordinate.
    ///   - parameters: what the person asked for. Another proposal is refused.
    public init(index: ParticipantIndex, parameters: ThresholdParameters, random: some RandomSource) {
        self.index = index.value
        self.parameters = parameters
        self.random = random
        schnorr = GenerationTurn(random: random)
        ecdsa = SharingTurn(random: random)
        ed25519 = GenerationTurn(random: random)
    }

    public func answer(_ message: [UInt8]) throws(CustodyError) -> [UInt8] {
        // Whatever comes of this message, no step is taken twice. The turns see to that too, each for its own key; this one
        // also ends the others.
        let current = step
        step = .finished
        let exchange = try Exchange(decoding: message, in: &session)
        let reply: (kind: CeremonyMessage.Kind, payload: [UInt8])
        switch current {
        case .invited:
            guard try exchange.payload(.invitation).isEmpty else { throw .malformedMessage }
            reply = (.introduction, introduction)
            step = .introduced
        case .introduced:
            reply = (.contribution, try contribute(with: exchange.payload(.participants)))
            step = .contributed
        case .contributed:
            if let agreement = try agree(to: exchange.payload(.contributions)) {
                reply = (.agreement, agreement)
                step = .agreed
            } else {
                reply = (.wrongShare, [])
                step = .wronged
            }
        case .wronged:
            throw try verdict(on: exchange.payload(.investigation))
        case .agreed:
            reply = (.confirmation, try confirm(exchange.payload(.agreements)))
            step = .confirmed
        case .confirmed:
            try ecdsa.activate(exchange.payload(.confirmations))
            try pairing.begin(after: ecdsa.takeOutput(), hostKey: ecdsa.hostKey, random: random)
            reply = (.activated, [])
            step = .pairing
        case .pairing:
            reply = try pairing.answer(of: parameters.total, hostKey: ecdsa.hostKey, random: random, exchange.payload)
            step = reply.kind == .paired ? .paired : .pairing
        case .paired, .finished:
            throw .staleMessage
        }
        return exchange.answer(reply.kind, reply.payload, by: index)
    }

    /// The shares, once.
    ///
    /// - Throws: ``CustodyError/staleMessage`` before the last certificate has come, and the second time.
    public func takeShares() throws(CustodyError) -> KeyShares {
        let current = step
        step = .finished
        // No turn gives a share before its end either. This says so before the first is taken from the others.
        guard case .paired = current else { throw .staleMessage }
        return try KeyShares(
            schnorr: try schnorr.takeShare(), ecdsa: try pairing.takeShare(), ed25519: try ed25519.takeShare())
    }
}

// MARK: Steps

extension KeyGenerationHolder {
    private var introduction: [UInt8] {
        PerPurpose(schnorr: schnorr.introduction, ecdsa: ecdsa.introduction, ed25519: ed25519.introduction).encoded
    }

    private func contribute(with list: [UInt8]) throws(CustodyError) -> [UInt8] {
        let introductions = try PerPurpose(lists: try MessageList.decode(list, count: parameters.total))
        let session: Sharing.Session<DKG.ECDSA>
        do throws(ThresholdError) {
            session = try Sharing.Session(fresh: parameters.threshold, participants: introductions.ecdsa)
            guard session.party(of: ecdsa.hostKey.publicKey)?.receiver?.value == index else {
                throw ThresholdError.wrongGroup
            }
        } catch { throw .ceremony(error) }
        return PerPurpose(
            schnorr: try schnorr.contribute(
                as: index, of: parameters, hostKeys: introductions.schnorr, random: random),
            ecdsa: try ecdsa.begin(session, random: random),
            ed25519: try ed25519.contribute(
                as: index, of: parameters, hostKeys: introductions.ed25519, random: random)
        ).encoded
    }

    /// - Returns: nothing if somebody made a share of this holder wrong.
    private func agree(to contributions: [UInt8]) throws(CustodyError) -> [UInt8]? {
        let parts = try PerPurpose(decoding: contributions)
        let schnorr = try schnorr.receive(parts.schnorr, random: random)
        let ed25519 = try ed25519.receive(parts.ed25519, random: random)
        guard let schnorr, let ed25519 else { return nil }
        return PerPurpose(schnorr: schnorr, ecdsa: try ecdsa.open(parts.ecdsa), ed25519: ed25519).encoded
    }

    private func verdict(on investigations: [UInt8]) throws(CustodyError) -> CustodyError {
        let parts = try PerPurpose(decoding: investigations)
        let fault =
            schnorr.isWronged
            ? try schnorr.verdict(on: parts.schnorr) : try ed25519.verdict(on: parts.ed25519)
        return .ceremony(.keyGeneration(fault))
    }

    private func confirm(_ agreements: [UInt8]) throws(CustodyError) -> [UInt8] {
        let parts = try PerPurpose(decoding: agreements)
        try schnorr.activate(parts.schnorr)
        try ed25519.activate(parts.ed25519)
        return try ecdsa.receive(parts.ecdsa, random: random)
    }
}

extension PerPurpose<[[UInt8]]> {
    /// Sorts messages of several holders, each with a part for each purpose, by their purposes.
    ///
    /// - Throws: ``CustodyError/malformedMessage``.
    init(lists: [[UInt8]]) throws(CustodyError) {
        self.init(schnorr: [], ecdsa: [], ed25519: [])
        for list in lists {
            let parts = try PerPurpose<[UInt8]>(decoding: list)
            schnorr.append(parts.schnorr)
            ecdsa.append(parts.ecdsa)
            ed25519.append(parts.ed25519)
        }
    }
}
