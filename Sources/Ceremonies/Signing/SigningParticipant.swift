internal import Curves
package import HDKeys
package import Secrets
internal import Threshold
internal import Wallet

/// A participant in this process that signs with one share of each key. It trusts nothing from the coordinator: it
/// decodes the bytes, computes their effects and the hashes to be signed, and asks its authorizer about the intent that
/// it computed.
///
/// It serves one session: first all Schnorr signatures at once (FROST, two rounds), then all ECDSA signatures at once
/// (DKLs23, four rounds), or in batches if there are more than fit into a message. A file has two Ed25519 signatures
/// instead, one after the other (FROST). A stray message is refused and changes nothing; the same bytes again get the
/// same answer. A wrong message that belongs to the session ends it.
public actor SigningParticipant: Participant {
    public nonisolated let index: Int

    private let keys: KeyShares
    private let network: Network
    private let imported: ImportedPublicKeys?
    private let authorizer: any SigningAuthorizer
    private let ledger: (any SigningLedger)?
    private let random: any RandomSource
    private var state = State.ready
    /// The session, from the accepted proposal on.
    private var session: CeremonyID?
    /// The attempt of this session, if it makes ECDSA signatures, until it is over.
    private var attempt: SigningAttempt?
    private var answered: AnsweredRequest?
    /// Aborts that arrived while a message was being answered.
    private var waitingAborts: [CheckedContinuation<Void, Never>] = []

    private enum State: ~Copyable {
        case ready
        /// The ECDSA signatures follow; nil without any.
        case committed(Agreement, SchnorrParticipantState, ECDSAParticipantState?)
        case signing(ECDSAParticipantState)
        case signingFile(Agreement, FileParticipantState)
        /// A message is being answered. Unless the answer sets another state, the session is over.
        case answering
        case finished
    }

    /// The agreement of this participant: what to sign, and with which signers.
    struct Agreement: Sendable {
        let session: CeremonyID
        /// The `Intent.digest` of the computed intent, which the authorizer admitted.
        let digest: [UInt8]
        let signers: [ParticipantIndex]
        let schnorr: [SchnorrRequest]
        let ecdsa: [ECDSARequest]
        /// The file to sign; nil for another payload.
        let file: FileToSign?
    }

    /// - Parameters:
    ///   - keys: the opened shares; wiped with this participant.
    ///   - network: the wallet's network, as it is sealed beside the shares.
    ///   - imported: the extended keys of an imported wallet, sealed in the same place.
    ///   - authorizer: the authorizer of this share's owner. Only it knows what the owner confirmed, and nothing else
    ///     compares the intent with that: see ``ConfirmedIntent``.
    ///   - ledger: the ledger of this share. Without one, it makes no ECDSA signatures.
    ///   - random: source for nonces.
    package init(
        keys: consuming KeyShares, network: Network, imported: ImportedPublicKeys?,
        authorizer: any SigningAuthorizer, ledger: (any SigningLedger)?, random: some RandomSource
    ) {
        index = keys.index.value
        self.keys = keys
        self.network = network
        self.imported = imported
        self.authorizer = authorizer
        self.ledger = ledger
        self.random = random
    }

    public func answer(_ bytes: [UInt8]) async throws(CeremonyError) -> [UInt8] {
        if let answer = answered?.again(to: bytes) {
            // A ban also prevents repeated answers, even while the next message is being answered.
            if let attempt { try await ledger?.check(attempt) }
            return answer
        }
        let message = try CeremonyMessage(decoding: bytes)
        if message.kind == .abort { try await endOfStep() }
        guard !isAnswering else { throw .staleMessage }
        do throws(CeremonyError) {
            let answer = message.kind == .abort ? try await giveUp(by: message) : try await step(message)
            finishStep()
            answered = AnsweredRequest(answer, to: bytes)
            return answer
        } catch {
            finishStep()
            throw error
        }
    }

    /// Returns when no message is being answered. A coordinator may give up in the middle of a step; if the abort were
    /// refused then, the session and its charge would remain.
    ///
    /// - Throws: ``CeremonyError/staleMessage`` if too many wait already.
    private func endOfStep() async throws(CeremonyError) {
        while isAnswering {
            guard waitingAborts.count < Limits.waitingAborts else { throw .staleMessage }
            await withCheckedContinuation { waitingAborts.append($0) }
        }
    }

    private var isAnswering: Bool {
        switch state {
        case .answering: true
        default: false
        }
    }

    private var isFinished: Bool {
        switch state {
        case .finished: true
        default: false
        }
    }

    /// Gives the attempt back, if the answer has left no state to continue from, and resumes waiting aborts.
    private func finishStep() {
        if isAnswering {
            state = .finished
            attempt = nil
        }
        let aborts = waitingAborts
        waitingAborts = []
        for abort in aborts { abort.resume() }
    }

    /// Takes the state out. After this a failure ends the session: nonces are never available for a second attempt.
    private func takeState() -> State {
        var current = State.answering
        swap(&current, &state)
        return current
    }

    /// Each case puts the state back if the message is not the expected one, or asks for something other than this
    /// participant computed: otherwise anyone could end a session by a stray message.
    private func step(_ message: CeremonyMessage) async throws(CeremonyError) -> [UInt8] {
        switch takeState() {
        case .ready:
            return try await begin(with: message)
        case .committed(let agreement, let turn, let ecdsa):
            let request: SchnorrParticipantState.Request
            do throws(CeremonyError) {
                request = try turn.read(message.payload(of: .signingPackages, in: agreement), share: keys.schnorr)
            } catch {
                state = .committed(agreement, turn, ecdsa)
                throw error
            }
            answered = nil
            let shares = try turn.sign(request, share: keys.schnorr)
            let answer = try await reply(.signatureShares, MessageList.encode(shares), in: agreement)
            if let ecdsa { state = .signing(ecdsa) }
            return answer
        case .signing(let turn):
            let request: ECDSAParticipantState.Request
            do throws(CeremonyError) {
                request = try turn.read(message.payload(of: turn.expects, in: turn.agreement), at: keys.index)
                if case .transfers = request { try await charge() }
            } catch {
                state = .signing(turn)
                throw error
            }
            answered = nil
            return try await advance(turn, by: request)
        case .signingFile(let agreement, let turn):
            let request: FileParticipantState.Request
            do throws(CeremonyError) {
                request = try turn.read(message.payload(of: turn.expects, in: agreement), share: keys.ed25519)
            } catch {
                state = .signingFile(agreement, turn)
                throw error
            }
            answered = nil
            let next = try turn.advance(by: request, agreement, share: keys.ed25519, random: random)
            let answer = try await reply(next.sends, next.answer, in: agreement)
            if !next.isDone { state = .signingFile(agreement, next) }
            return answer
        case .answering:
            preconditionFailure("no message is taken while another one is being answered")
        case .finished:
            throw .staleMessage
        }
    }

    /// Takes the first step. Nothing is drawn yet: if a proposal is wrong, another one may come.
    private func begin(with message: CeremonyMessage) async throws(CeremonyError) -> [UInt8] {
        let agreement: Agreement
        do throws(CeremonyError) {
            let proposal = try message.payload(
                of: .signingProposal, in: message.session, from: CeremonyMessage.coordinator)
            agreement = try await agree(to: SigningProposal(decoding: proposal), in: message.session)
        } catch {
            state = .ready
            throw error
        }
        if let file = agreement.file { return try await begin(file, agreement) }
        let schnorr = try orReady { () throws(ThresholdError) in
            try SchnorrParticipantState(agreement, share: keys.schnorr, random: random)
        }
        let ecdsa = try orReady { () throws(ThresholdError) in
            try ECDSAParticipantState(agreement, share: keys.ecdsa, random: random)
        }
        var commitments = schnorr.commitments.map(\.encoded)
        switch ecdsa {
        case .some(let turn): commitments += turn.messages
        case .none: break
        }
        if !agreement.ecdsa.isEmpty {
            do throws(CeremonyError) {
                guard let ledger else { throw CeremonyError.noLedger }
                attempt = try await ledger.begin(with: agreement.signers)
            } catch {
                state = .ready
                throw error
            }
        }
        session = agreement.session
        let answer = try await reply(.signingCommitments, MessageList.encode(commitments), in: agreement)
        if !agreement.schnorr.isEmpty {
            state = .committed(agreement, schnorr, ecdsa)
        } else if let ecdsa {
            state = .signing(ecdsa)
        }
        return answer
    }

    private func begin(_ file: FileToSign, _ agreement: Agreement) async throws(CeremonyError) -> [UInt8] {
        let turn = try orReady { () throws(ThresholdError) in
            try FileParticipantState(file, agreement, share: keys.ed25519, random: random)
        }
        session = agreement.session
        let answer = try await reply(turn.sends, turn.answer, in: agreement)
        state = .signingFile(agreement, turn)
        return answer
    }

    /// Draws nonces for a first answer. If it fails, another proposal may come.
    private func orReady<State: ~Copyable>(
        _ draw: () throws(ThresholdError) -> State
    ) throws(CeremonyError) -> State {
        do { return try draw() } catch {
            state = .ready
            throw .threshold(error)
        }
    }

    /// Counts the session, before a peer's oblivious transfer is examined: the result can reveal some bits to a
    /// cheater, also one that kills this process before it can store a ban.
    private func charge() async throws(CeremonyError) {
        guard let attempt, let ledger else { throw .noLedger }
        try await ledger.charge(attempt)
    }

    /// Takes one step of a batch of ECDSA signatures.
    private func advance(
        _ turn: consuming ECDSAParticipantState, by request: ECDSAParticipantState.Request
    ) async throws(CeremonyError) -> [UInt8] {
        let agreement = turn.agreement
        let next: ECDSAParticipantState?
        do throws(ThresholdError) {
            next = try turn.advance(by: request, share: keys.ecdsa, random: random)
        } catch {
            switch error {
            // Before anything else, and before the error is reported.
            case .cheating(let peer): try await ledger?.ban(peer)
            // If it cannot be recorded as failed, it stays counted as unfinished.
            case .failedSignature: if let attempt { try? await ledger?.fail(attempt) }
            default: break
            }
            throw .threshold(error)
        }
        guard let next else {
            let answer = try await reply(.signaturesAccepted, [], in: agreement)
            if let attempt { try await ledger?.refund(attempt) }
            return answer
        }
        let answer = try await reply(next.sends, MessageList.encode(next.messages), in: agreement)
        state = .signing(next)
        return answer
    }

    /// Wipes the session, which the coordinator gives up. If this participant's partial signatures have left, the
    /// session counts as a failed signature: the coordinator may have learned that, and can learn no more. Otherwise it
    /// costs nothing, because everything that was examined was right.
    private func giveUp(by message: CeremonyMessage) async throws(CeremonyError) -> [UInt8] {
        guard let session, !isFinished else { throw .staleMessage }
        guard try message.payload(of: .abort, in: session, from: CeremonyMessage.coordinator).isEmpty else {
            throw .malformedMessage
        }
        answered = nil
        var hasSigned = false
        if case .signing(let turn) = takeState() { hasSigned = turn.hasSigned }
        if let attempt, hasSigned {
            try await ledger?.fail(attempt)
        } else if let attempt {
            try await ledger?.refund(attempt)
        }
        return CeremonyMessage(kind: .aborted, sender: index, session: session, payload: []).encoded
    }

    /// Packs an answer. If another session with this share has banned a signer, this session sends nothing more: its
    /// copy of the pair is as useful to an attacker as the destroyed one. The state advances only after this.
    private func reply(
        _ kind: CeremonyMessage.Kind, _ payload: [UInt8], in agreement: Agreement
    ) async throws(CeremonyError) -> [UInt8] {
        if let attempt { try await ledger?.check(attempt) }
        switch kind {
        case .signatureShares, .partialSignatures:
            await authorizer.willSendSignature(of: agreement.digest)
            // Another session may have banned a signer meanwhile.
            if let attempt { try await ledger?.check(attempt) }
        default: break
        }
        return CeremonyMessage(kind: kind, sender: index, session: agreement.session, payload: payload).encoded
    }

    /// Returns the agreement: computed from the bytes and from this participant's own sealed copies of the group keys,
    /// confirmed, and admitted.
    private func agree(
        to proposal: SigningProposal, in session: CeremonyID
    ) async throws(CeremonyError) -> Agreement {
        let parameters = keys.groups.parameters
        guard proposal.signers.contains(index), proposal.signers.count == parameters.threshold,
            proposal.signers.allSatisfy({ $0 <= parameters.total })
        else { throw .wrongNumberOfShares(needed: parameters.threshold, given: proposal.signers.count) }

        let accounts: Accounts
        do { accounts = try WalletKeys(keys.groups, on: network, imported: imported).accounts } catch {
            throw .key(error)
        }
        let payload: SigningPayload
        let work: SigningWork
        do { payload = try SigningPayload(decoding: proposal.payload) } catch { throw .wallet(error) }
        do { work = try SigningWork(of: payload, for: accounts) } catch { throw .key(error) }
        guard work.intent.refusals.isEmpty else { throw .refused(work.intent.refusals) }
        guard proposal.confirmed == work.intent.digest else { throw .notWhatWasConfirmed }
        let file: FileToSign? = if case .file(let file) = payload { file } else { nil }
        // The payload names the key, and the person confirmed it as this wallet's.
        guard file.map({ $0.key.publicKey == keys.groups.ed25519.publicKey.encoded }) ?? true else {
            throw .threshold(.wrongGroup)
        }
        try await authorizer.admit(payload, meaning: work.intent)
        return Agreement(
            session: session, digest: work.intent.digest,
            signers: try inProtocol { () throws(ThresholdError) in try participantIndices(proposal.signers) },
            schnorr: work.requests.compactMap(SchnorrRequest.init),
            ecdsa: work.requests.compactMap(ECDSARequest.init), file: file)
    }
}

extension CeremonyMessage {
    /// Returns the payload, if the message is the coordinator's, of this kind and session.
    ///
    /// - Throws: ``CeremonyError/staleMessage``.
    fileprivate func payload(
        of kind: Kind, in agreement: SigningParticipant.Agreement
    ) throws(CeremonyError) -> [UInt8] {
        try payload(of: kind, in: agreement.session, from: CeremonyMessage.coordinator)
    }
}
