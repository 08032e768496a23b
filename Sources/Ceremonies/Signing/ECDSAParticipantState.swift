internal import Curves
internal import Secrets
internal import Threshold
internal import ThresholdECDSA
internal import Wallet

/// A participant between two rounds of one ECDSA signature (DKLs23).
struct ECDSAParticipantState: ~Copyable, Sendable {
    private enum Stage: ~Copyable, Sendable {
        case committed(ECDSA.Round1)
        case extended(ECDSA.Round2)
        case multiplied(ECDSA.Round3)
        /// Waits for the signature.
        case signed(ECDSA.PartialSignature)
    }

    /// The message for the coordinator, which passes it on.
    let message: [UInt8]
    /// The kind of ``message``.
    let sends: CeremonyMessage.Kind
    /// The kind of the next message.
    let expects: CeremonyMessage.Kind

    private let stage: Stage
    private let request: ECDSA.SigningRequest
    private let own: ECDSARequest

    /// Begins with the signature of this number.
    init(
        _ agreement: SigningParticipant.Agreement, number: Int, share: borrowing ECDSA.KeyShare,
        random: some RandomSource
    ) throws(ThresholdError) {
        let own = agreement.ecdsa[number]
        let request = try own.agreed(by: agreement.signers)
        let round = try ECDSA.Round1(
            share, request, in: agreement.session.bytes + ECDSARequest.encode(number), random: random)
        let message = round.message
        self.init(
            .committed(round), sends: .nonceCommitment, message, expects: .nonceCommitments, request: request, own: own)
    }

    private init(
        _ stage: consuming Stage, sends: CeremonyMessage.Kind, _ message: [UInt8], expects: CeremonyMessage.Kind,
        request: ECDSA.SigningRequest, own: ECDSARequest
    ) {
        self.stage = stage
        self.sends = sends
        self.message = message
        self.expects = expects
        self.request = request
        self.own = own
    }

    /// A message from the coordinator, known to belong to this step of this session and to come from the expected
    /// senders.
    enum Request: Sendable {
        case commitments(ECDSA.Round1.Received)
        case transfers(ECDSA.Round2.Received)
        case multiplications(ECDSA.Round3.Received)
        /// A valid signature that contains this participant's part.
        case signature
    }

    /// Reads a message from the coordinator, without changing the state.
    ///
    /// - Throws: ``CeremonyError/malformedMessage``, ``CeremonyError/threshold(_:)``: the right message may still come.
    borrowing func read(_ payload: [UInt8], at index: ParticipantIndex) throws(CeremonyError) -> Request {
        let signers = request.signers
        let peers = signers.filter { $0 != index }
        switch stage {
        case .committed(let round):
            let messages = try PeerMessages.decode(payload, of: signers)
            do { return .commitments(try round.read(messages)) } catch { throw .threshold(error) }
        case .extended(let round):
            let messages = try PeerMessages.decode(payload, of: peers)
            do { return .transfers(try round.read(messages)) } catch { throw .threshold(error) }
        case .multiplied(let round):
            let messages = try PeerMessages.decode(payload, of: peers)
            do { return .multiplications(try round.read(messages)) } catch { throw .threshold(error) }
        case .signed(let part):
            // A signature of an earlier session would take back the count of this failed one.
            guard let signature = try? ECDSASignature(compact: payload), part.isPart(of: signature),
                signature.isValid(message: own.message, publicKey: own.publicKey)
            else { throw .threshold(.failedSignature) }
            return .signature
        }
    }

    /// Takes the next step; returns nil when the signature has come.
    ///
    /// - Throws: ``ThresholdError/faulty(culprits:)``, ``ThresholdError/cheating(by:)``,
    ///   ``ThresholdError/failedSignature``: the session is over.
    consuming func advance(by received: Request) throws(ThresholdError) -> ECDSAParticipantState? {
        let (request, own) = (request, own)
        switch consume stage {
        case .committed(let round):
            guard case .commitments(let commitments) = received else { Self.foreign() }
            let next = round.receive(commitments)
            let message = PeerMessages.encode(next.messages)
            return ECDSAParticipantState(
                .extended(next), sends: .transfers, message, expects: .receivedTransfers, request: request, own: own)
        case .extended(let round):
            guard case .transfers(let transfers) = received else { Self.foreign() }
            let next = try round.receive(transfers)
            let message = PeerMessages.encode(next.messages)
            return ECDSAParticipantState(
                .multiplied(next), sends: .multiplications, message, expects: .receivedMultiplications,
                request: request, own: own)
        case .multiplied(let round):
            guard case .multiplications(let multiplications) = received else { Self.foreign() }
            // The presignature is gone before its partial signature leaves.
            let part = try round.receive(multiplications).sign(own.message)
            return ECDSAParticipantState(
                .signed(part), sends: .partialSignature, part.encoded, expects: .ecdsaSignature, request: request,
                own: own)
        case .signed:
            guard case .signature = received else { Self.foreign() }
            return nil
        }
    }

    private static func foreign() -> Never { preconditionFailure("a turn advances by what it has read itself") }

    /// Whether this participant's partial signature has left: from then on there may be a signature, or a failed one.
    var hasSigned: Bool {
        switch stage {
        case .signed: true
        default: false
        }
    }
}
