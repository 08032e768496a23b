internal import Curves
internal import Secrets
internal import Threshold
internal import Wallet

/// A holder of one share of each key in this process. It believes nothing that the coordinator says: it reads the transaction,
/// works out what it does and what is hashed for its signatures, and compares that with what the person confirmed.
///
/// It serves one session: first all taproot inputs at once (FROST, two rounds), then one input after the other that takes an
/// ECDSA signature (DKLs23, four rounds each). Whatever goes wrong in it, the next message is refused.
public actor SigningHolder: Holder {
    public nonisolated let index: Int

    private let keys: KeyShares
    private let network: Network
    private let confirmed: [UInt8]
    private let ledger: (any SigningLedger)?
    private let random: any RandomSource
    private var state = State.ready

    private enum State: ~Copyable {
        case ready
        case committed(Agreement, SchnorrTurn)
        /// Awaits the beginning of the ECDSA signature of this number.
        case between(Agreement, next: Int)
        case signing(Agreement, number: Int, ECDSATurn)
        case finished
    }

    /// What this holder has agreed to sign, with whom.
    struct Agreement: Sendable {
        let session: SessionID
        let signers: [Int]
        let schnorr: [SchnorrRequest]
        let ecdsa: [ECDSARequest]
    }

    /// - Parameters:
    ///   - keys: the opened shares; wiped when this holder goes.
    ///   - network: the wallet's, as it is sealed beside the shares.
    ///   - confirmed: the ``SpendSummary/intentDigest`` that the person confirmed, as whoever owns this holder knows it. What
    ///     the coordinator says of it is compared with this, and not believed.
    ///   - ledger: of this share. Without one, it makes no ECDSA signatures.
    ///   - random: for nonces.
    init(
        keys: consuming KeyShares, network: Network, confirmed: [UInt8], ledger: (any SigningLedger)?,
        random: some RandomSource
    ) {
        index = keys.index.value
        self.keys = keys
        self.network = network
        self.confirmed = confirmed
        self.ledger = ledger
        self.random = random
    }

    public func answer(_ message: [UInt8]) async throws(CustodyError) -> [UInt8] {
        // Whatever comes of this message, it is the last in this state: nonces are never there for a second try.
        var current = State.finished
        swap(&current, &state)
        let message = try CeremonyMessage(decoding: message)
        switch consume current {
        case .ready:
            let proposal = try message.payload(
                of: .signingProposal, in: message.session, from: CeremonyMessage.coordinator)
            let agreement = try agree(to: SigningProposal(decoding: proposal), in: message.session)
            // Counted before anything is signed, so that to break off costs as much as to fail.
            if !agreement.ecdsa.isEmpty {
                guard let ledger else { throw .noLedger }
                // It would come to nothing, and must not use up what is left of the count.
                if let peer = keys.ecdsa.banned.first(where: { agreement.signers.contains($0.value) }) {
                    throw .ceremony(.banned(peer))
                }
                try await ledger.begin()
            }
            let turn = SchnorrTurn(agreement, share: keys.schnorr, random: random)
            let commitments = turn.commitments
            state = .committed(agreement, turn)
            return reply(.signingCommitments, MessageList.encode(commitments), in: message.session)
        case .committed(let agreement, let turn):
            let packages = try message.payload(of: .signingPackages, in: agreement)
            let shares = try turn.sign(packages, share: keys.schnorr)
            state = agreement.ecdsa.isEmpty ? .finished : .between(agreement, next: 0)
            return reply(.signatureShares, MessageList.encode(shares), in: agreement.session)
        case .between(let agreement, let number):
            guard try message.payload(of: .ecdsaRequest, in: agreement) == ECDSARequest.encode(number) else {
                throw .staleMessage
            }
            let turn: ECDSATurn
            do throws(ThresholdError) {
                turn = try ECDSATurn(agreement, number: number, share: keys.ecdsa, random: random)
            } catch { throw .ceremony(error) }
            let commitment = turn.message
            state = .signing(agreement, number: number, turn)
            return reply(.nonceCommitment, commitment, in: agreement.session)
        case .signing(let agreement, let number, let turn):
            return try await advance(turn, number: number, in: agreement, by: message)
        case .finished:
            throw .staleMessage
        }
    }

    /// One step of an ECDSA signature.
    private func advance(
        _ turn: consuming ECDSATurn, number: Int, in agreement: Agreement, by message: CeremonyMessage
    ) async throws(CustodyError) -> [UInt8] {
        let payload = try message.payload(of: turn.expects, in: agreement)
        let next: ECDSATurn?
        do throws(CustodyError) {
            next = try turn.receive(payload, at: keys.index)
        } catch .ceremony(.cheating(by: let peer)) {
            // Before anything else happens, and before anybody hears of it.
            try await ledger?.ban(peer)
            throw .ceremony(.cheating(by: peer))
        }
        guard let next else {
            let isLast = number + 1 == agreement.ecdsa.count
            if isLast { try await ledger?.succeeded() }
            state = isLast ? .finished : .between(agreement, next: number + 1)
            return reply(.signatureAccepted, [], in: agreement.session)
        }
        let (kind, answer) = (next.sends, next.message)
        state = .signing(agreement, number: number, next)
        return reply(kind, answer, in: agreement.session)
    }

    private func reply(_ kind: CeremonyMessage.Kind, _ payload: [UInt8], in session: SessionID) -> [UInt8] {
        CeremonyMessage(kind: kind, sender: index, session: session, payload: payload).encoded
    }

    /// What this holder would sign: worked out from the transaction and from its own sealed copies of the groups' keys.
    private func agree(
        to proposal: SigningProposal, in session: SessionID
    ) throws(CustodyError) -> Agreement {
        let parameters = keys.groups.parameters
        guard proposal.signers.contains(index), proposal.signers.count == parameters.threshold,
            proposal.signers.allSatisfy({ $0 <= parameters.total })
        else { throw .wrongNumberOfShares(needed: parameters.threshold, given: proposal.signers.count) }

        let psbt: PSBT
        do { psbt = try PSBT(decoding: proposal.psbt) } catch { throw .wallet(error) }
        let summary = try SpendSummary(of: psbt, for: try Accounts(of: keys.groups, on: network))
        guard summary.refusals.isEmpty else { throw .refused(summary.refusals) }
        guard proposal.confirmed == confirmed, summary.intentDigest == confirmed else { throw .notWhatWasConfirmed }
        let requests = summary.signingRequests
        return Agreement(
            session: session, signers: proposal.signers, schnorr: requests.compactMap(SchnorrRequest.init),
            ecdsa: requests.compactMap(ECDSARequest.init))
    }
}

extension CeremonyMessage {
    /// Checks that the message is the coordinator's, of this kind and session.
    ///
    /// - Throws: ``CustodyError/staleMessage``.
    fileprivate func payload(
        of kind: Kind, in agreement: SigningHolder.Agreement
    ) throws(CustodyError) -> [UInt8] {
        try payload(of: kind, in: agreement.session, from: CeremonyMessage.coordinator)
    }
}
