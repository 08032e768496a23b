internal import Curves
internal import Secrets
internal import Threshold
internal import Wallet

/// A holder of one share of each key in this process. It believes nothing that the coordinator says: it reads the bytes,
/// works out what they do and what is hashed for their signatures, compares that with what the person confirmed, and asks its
/// warden.
///
/// It serves one session: first all Schnorr signatures at once (FROST, two rounds), then one ECDSA signature after the other
/// (DKLs23, four rounds each). Whatever goes wrong in it, the next message is refused.
public actor SigningHolder: Holder {
    public nonisolated let index: Int

    private let keys: KeyShares
    private let network: Network
    private let imported: ImportedKeys?
    private let confirmed: [UInt8]
    private let warden: any SigningWarden
    private let ledger: (any SigningLedger)?
    private let random: any RandomSource
    private var state = State.ready
    /// Of this session, if it makes ECDSA signatures.
    private var ticket: SigningTicket?

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
        let signers: [ParticipantIndex]
        let schnorr: [SchnorrRequest]
        let ecdsa: [ECDSARequest]
    }

    /// - Parameters:
    ///   - keys: the opened shares; wiped when this holder goes.
    ///   - network: the wallet's, as it is sealed beside the shares.
    ///   - imported: likewise, of a wallet whose keys were whole before.
    ///   - confirmed: the ``Intent/digest`` that the person confirmed, as whoever owns this holder knows it. What
    ///     the coordinator says of it is compared with this, and not believed.
    ///   - warden: of this share's owner.
    ///   - ledger: of this share. Without one, it makes no ECDSA signatures.
    ///   - random: for nonces.
    init(
        keys: consuming KeyShares, network: Network, imported: ImportedKeys?, confirmed: [UInt8],
        warden: any SigningWarden, ledger: (any SigningLedger)?, random: some RandomSource
    ) {
        index = keys.index.value
        self.keys = keys
        self.network = network
        self.imported = imported
        self.confirmed = confirmed
        self.warden = warden
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
            let agreement = try await agree(to: SigningProposal(decoding: proposal), in: message.session)
            // Counted before anything is signed, so that to break off costs as much as to fail.
            if !agreement.ecdsa.isEmpty {
                guard let ledger else { throw .noLedger }
                ticket = try await ledger.begin(with: agreement.signers)
            }
            let turn = try inCeremony { () throws(ThresholdError) in
                try SchnorrTurn(agreement, share: keys.schnorr, random: random)
            }
            let answer = try await reply(
                .signingCommitments, MessageList.encode(turn.commitments), in: agreement)
            state = .committed(agreement, turn)
            return answer
        case .committed(let agreement, let turn):
            let packages = try message.payload(of: .signingPackages, in: agreement)
            let shares = try turn.sign(packages, share: keys.schnorr)
            let answer = try await reply(.signatureShares, MessageList.encode(shares), in: agreement)
            state = agreement.ecdsa.isEmpty ? .finished : .between(agreement, next: 0)
            return answer
        case .between(let agreement, let number):
            guard try message.payload(of: .ecdsaRequest, in: agreement) == ECDSARequest.encode(number) else {
                throw .staleMessage
            }
            let turn: ECDSATurn
            do throws(ThresholdError) {
                turn = try ECDSATurn(agreement, number: number, share: keys.ecdsa, random: random)
            } catch { throw .ceremony(error) }
            let answer = try await reply(turn.sends, turn.message, in: agreement)
            state = .signing(agreement, number: number, turn)
            return answer
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
            let answer = try await reply(.signatureAccepted, [], in: agreement)
            if number + 1 < agreement.ecdsa.count {
                state = .between(agreement, next: number + 1)
            } else if let ticket {
                try await ledger?.succeeded(ticket)
            }
            return answer
        }
        let answer = try await reply(next.sends, next.message, in: agreement)
        state = .signing(agreement, number: number, next)
        return answer
    }

    /// Packs an answer. Where another session with this share has banned a signer, this one says nothing more: its copy of
    /// what it has of that peer is as good for an attack as the one that was destroyed. The state goes on only after this.
    private func reply(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], in agreement: Agreement
    ) async throws(CustodyError) -> [UInt8] {
        if let ticket { try await ledger?.check(ticket) }
        switch kind {
        case .signatureShares where !agreement.schnorr.isEmpty, .partialSignature: await warden.releases(confirmed)
        default: break
        }
        return CeremonyMessage(kind: kind, sender: index, session: agreement.session, payload: payload).encoded
    }

    /// What this holder signs: worked out from the bytes and from its own sealed copies of the groups' keys, confirmed, and
    /// admitted.
    private func agree(
        to proposal: SigningProposal, in session: SessionID
    ) async throws(CustodyError) -> Agreement {
        let parameters = keys.groups.parameters
        guard proposal.signers.contains(index), proposal.signers.count == parameters.threshold,
            proposal.signers.allSatisfy({ $0 <= parameters.total })
        else { throw .wrongNumberOfShares(needed: parameters.threshold, given: proposal.signers.count) }

        let accounts = try Accounts(of: keys.groups, on: network, imported: imported)
        let payload: SigningPayload
        let work: SigningWork
        do throws(WalletError) {
            payload = try SigningPayload(decoding: proposal.payload)
            work = try SigningWork(of: payload, for: accounts)
        } catch { throw .wallet(error) }
        guard work.intent.refusals.isEmpty else { throw .refused(work.intent.refusals) }
        guard proposal.confirmed == confirmed, work.intent.digest == confirmed else { throw .notWhatWasConfirmed }
        try await warden.admit(payload, meaning: work.intent)
        return Agreement(
            session: session,
            signers: try inCeremony { () throws(ThresholdError) in try participants(proposal.signers) },
            schnorr: work.requests.compactMap(SchnorrRequest.init),
            ecdsa: work.requests.compactMap(ECDSARequest.init))
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
