internal import Curves
internal import Secrets
internal import Threshold
internal import Wallet

/// A participant between two rounds of one ECDSA signature (DKLs23).
struct ECDSAParticipantState: ~Copyable, Sendable {
    private enum Stage: ~Copyable, Sendable {
        case committed(ECDSA.Round1)
        case extended(ECDSA.Round2)
        case multiplied(ECDSA.Round3)
        /// Awaits the signature.
        case signed(ECDSA.PartialSignature)
    }

    /// For the coordinator, who passes it on.
    let message: [UInt8]
    /// What ``message`` is.
    let sends: CeremonyMessage.Kind
    /// What comes next.
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

    /// What the coordinator passes on, of which it is known that it belongs to this step of this session, and comes from those
    /// that it should.
    enum Request: Sendable {
        case commitments(ECDSA.Round1.Received)
        case transfers(ECDSA.Round2.Received)
        case multiplications(ECDSA.Round3.Received)
        /// A signature that has this participant's part in it, and is valid.
        case signature
    }

    /// Reads what the coordinator passes on, and uses nothing up.
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
            // One of an earlier session would take back the count of this one, which came to nothing.
            guard let signature = try? ECDSASignature(compact: payload), part.isPart(of: signature),
                signature.isValid(message: own.message, publicKey: own.publicKey)
            else { throw .threshold(.failedSignature) }
            return .signature
        }
    }

    /// Goes on to the next step; nothing when the signature has come.
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
            // The presignature is gone before its part of the signature leaves.
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

    /// Whether this participant's part of the signature has left: from then on there may be a signature, or one that failed.
    var hasSigned: Bool {
        switch stage {
        case .signed: true
        default: false
        }
    }
}
