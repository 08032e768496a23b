internal import Curves
internal import Secrets
internal import Threshold
internal import ThresholdECDSA

/// A participant between two rounds of a batch of ECDSA signatures (DKLs23), which are all made at once.
///
/// Each signature has its own session, whose name contains the number of its request. All messages of a step are read
/// before any of them is used, and all multiplications are checked before any signature is made.
struct ECDSAParticipantState: ~Copyable, Sendable {
    private enum Stage: ~Copyable, Sendable {
        case committed([OneShot<ECDSA.Round1>])
        case extended([OneShot<ECDSA.Round2>])
        case multiplied([OneShot<ECDSA.Round3>])
        /// Waits for the signatures.
        case signed([ECDSA.PartialSignature])
    }

    /// The messages for the coordinator, which passes them on.
    let messages: [[UInt8]]
    /// The kind of the message that contains ``messages``.
    let sends: CeremonyMessage.Kind
    /// The kind of the next message.
    let expects: CeremonyMessage.Kind
    let agreement: SigningParticipant.Agreement

    private let stage: Stage
    /// The numbers of the signatures.
    private let batch: Range<Int>
    /// The memory of the largest batch, until the last one is signed.
    private let admission: SecretMemory.Admission

    /// Begins with the first batch; nil without ECDSA signatures.
    ///
    /// - Throws: ``ThresholdError/exhausted(_:)``, and nothing was drawn: others decide how many inputs and sessions
    ///   there are.
    init?(
        _ agreement: SigningParticipant.Agreement, share: borrowing ECDSA.KeyShare, random: some RandomSource
    ) throws(ThresholdError) {
        let batch = agreement.ecdsaBatch(from: 0)
        guard !batch.isEmpty else { return nil }
        let admission = try ECDSA.admit(signatures: batch.count, signers: agreement.signers.count)
        try self.init(
            agreement, batch, share: share, random: random, sends: .signingCommitments, admission: admission)
    }

    private init(
        _ agreement: SigningParticipant.Agreement, _ batch: Range<Int>, share: borrowing ECDSA.KeyShare,
        random: some RandomSource, sends: CeremonyMessage.Kind, admission: consuming SecretMemory.Admission
    ) throws(ThresholdError) {
        var rounds: [OneShot<ECDSA.Round1>] = []
        var messages: [[UInt8]] = []
        for number in batch {
            let round = try ECDSA.Round1(
                share, agreement.ecdsa[number].agreed(by: agreement.signers),
                in: agreement.session.bytes + ECDSARequest.encode(number), random: random)
            messages.append(round.message)
            rounds.append(OneShot(round))
        }
        self.init(
            .committed(rounds), sends: sends, messages, expects: .nonceCommitments, agreement, batch, admission)
    }

    private init(
        _ stage: consuming Stage, sends: CeremonyMessage.Kind, _ messages: [[UInt8]], expects: CeremonyMessage.Kind,
        _ agreement: SigningParticipant.Agreement, _ batch: Range<Int>, _ admission: consuming SecretMemory.Admission
    ) {
        self.stage = stage
        self.sends = sends
        self.messages = messages
        self.expects = expects
        self.agreement = agreement
        self.batch = batch
        self.admission = admission
    }

    /// A message from the coordinator, known to belong to this step of this session and to come from the expected
    /// senders. It has one part for each signature of the batch.
    enum Request: Sendable {
        case commitments([ECDSA.Round1.Received])
        case transfers([ECDSA.Round2.Received])
        case multiplications([ECDSA.Round3.Received])
        /// Valid signatures that contain this participant's parts.
        case signatures
    }

    /// Reads a message from the coordinator, without changing the state.
    ///
    /// - Throws: ``CeremonyError/malformedMessage``, ``CeremonyError/threshold(_:)``: the right message may still come.
    borrowing func read(_ payload: [UInt8], at index: ParticipantIndex) throws(CeremonyError) -> Request {
        let signers = agreement.signers
        let peers = signers.filter { $0 != index }
        switch stage {
        case .committed(let rounds):
            return .commitments(
                try Self.read(payload, from: signers, rounds) { round, messages throws(ThresholdError) in
                    try round.read(messages)
                })
        case .extended(let rounds):
            return .transfers(
                try Self.read(payload, from: peers, rounds) { round, messages throws(ThresholdError) in
                    try round.read(messages)
                })
        case .multiplied(let rounds):
            return .multiplications(
                try Self.read(payload, from: peers, rounds) { round, messages throws(ThresholdError) in
                    try round.read(messages)
                })
        case .signed(let parts):
            let signatures = try MessageList.decode(payload, count: parts.count)
            for (number, (signature, part)) in zip(batch, zip(signatures, parts)) {
                let own = agreement.ecdsa[number]
                // A signature of an earlier session would take back the count of this failed one.
                guard let signature = try? ECDSASignature(compact: signature), part.isPart(of: signature),
                    signature.isValid(message: own.message, publicKey: own.publicKey)
                else { throw .threshold(.failedSignature) }
            }
            return .signatures
        }
    }

    private static func read<Round: ~Copyable, Received: Sendable>(
        _ payload: [UInt8], from senders: [ParticipantIndex], _ rounds: [OneShot<Round>],
        _ read: (borrowing Round, [ParticipantIndex: [UInt8]]) throws(ThresholdError) -> Received
    ) throws(CeremonyError) -> [Received] {
        var received: [Received] = []
        for (round, messages) in zip(rounds, try PeerMessages.decode(payload, count: rounds.count, of: senders)) {
            received.append(
                try inProtocol { () throws(ThresholdError) in
                    guard
                        let one = try round.borrow({ round throws(ThresholdError) in try read(round, messages) })
                    else { Self.foreign() }
                    return one
                })
        }
        return received
    }

    /// Takes the next step; returns nil when the signatures of the last batch have come.
    ///
    /// - Throws: ``ThresholdError/faulty(culprits:)``, ``ThresholdError/cheating(by:)``,
    ///   ``ThresholdError/failedSignature``: the session is over. After the first fault nothing more is examined.
    consuming func advance(
        by received: Request, share: borrowing ECDSA.KeyShare, random: some RandomSource
    ) throws(ThresholdError) -> ECDSAParticipantState? {
        let (agreement, batch) = (agreement, batch)
        switch consume stage {
        case .committed(let rounds):
            guard case .commitments(let commitments) = received else { Self.foreign() }
            var next: [OneShot<ECDSA.Round2>] = []
            var messages: [[UInt8]] = []
            for (round, commitments) in zip(rounds, commitments) {
                let round = Self.taken(round).receive(commitments)
                messages += PeerMessages.ordered(round.messages)
                next.append(OneShot(round))
            }
            return ECDSAParticipantState(
                .extended(next), sends: .transfers, messages, expects: .receivedTransfers, agreement, batch, admission)
        case .extended(let rounds):
            guard case .transfers(let transfers) = received else { Self.foreign() }
            var next: [OneShot<ECDSA.Round3>] = []
            var messages: [[UInt8]] = []
            for (round, transfers) in zip(rounds, transfers) {
                let round = try Self.taken(round).receive(transfers)
                messages += PeerMessages.ordered(round.messages)
                next.append(OneShot(round))
            }
            return ECDSAParticipantState(
                .multiplied(next), sends: .multiplications, messages, expects: .receivedMultiplications, agreement,
                batch, admission)
        case .multiplied(let rounds):
            guard case .multiplications(let multiplications) = received else { Self.foreign() }
            var presignatures: [OneShot<ECDSA.Presignature>] = []
            for (round, multiplications) in zip(rounds, multiplications) {
                presignatures.append(OneShot(try Self.taken(round).receive(multiplications)))
            }
            // All presignatures are gone before a partial signature leaves.
            var parts: [ECDSA.PartialSignature] = []
            for (presignature, number) in zip(presignatures, batch) {
                parts.append(try Self.taken(presignature).sign(agreement.ecdsa[number].message))
            }
            return ECDSAParticipantState(
                .signed(parts), sends: .partialSignatures, parts.map(\.encoded), expects: .ecdsaSignatures, agreement,
                batch, admission)
        case .signed:
            guard case .signatures = received else { Self.foreign() }
            let next = agreement.ecdsaBatch(from: batch.upperBound)
            guard !next.isEmpty else { return nil }
            return try ECDSAParticipantState(
                agreement, next, share: share, random: random, sends: .signaturesAccepted, admission: admission)
        }
    }

    private static func taken<State: ~Copyable>(_ state: OneShot<State>) -> State {
        guard let state = state.take() else { foreign() }
        return state
    }

    private static func foreign() -> Never { preconditionFailure("a turn advances by what it has read itself") }

    /// Whether this participant's partial signatures have left: from then on there may be signatures, or failed ones.
    var hasSigned: Bool {
        switch stage {
        case .signed: true
        default: false
        }
    }
}

extension SigningParticipant.Agreement {
    /// Returns the numbers of the ECDSA signatures that are made together, from one on; none behind the last.
    fileprivate func ecdsaBatch(from number: Int) -> Range<Int> {
        ECDSARequest.batch(from: number, of: ecdsa.count, by: signers.count)
    }
}
