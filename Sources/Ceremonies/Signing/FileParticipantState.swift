internal import Curves
internal import Secrets
internal import Threshold
internal import Wallet

/// A participant's state between the steps of a file's two Ed25519 signatures (FROST).
///
/// The participant makes both messages itself: the first one is the confirmed digest, the second one is made of the
/// first signature, which must be this session's, and the confirmed comment. Each signature has its own nonces.
struct FileParticipantState: ~Copyable, Sendable {
    /// One of the two signatures, whose nonces are drawn.
    private struct Begun: ~Copyable, Sendable {
        let message: [UInt8]
        let isLast: Bool
        let admission: SecretMemory.Admission
        let nonces: FROST.Ed25519.SigningNonces
    }

    private enum Stage: ~Copyable, Sendable {
        /// Waits for the signing package of this signature.
        case committed(Begun)
        /// Waits for the first signature, which begins with the nonce's point.
        case signed(nonce: [UInt8])
        case done
    }

    /// The message for the coordinator.
    let answer: [UInt8]
    private let stage: Stage
    private let file: FileToSign
    private let signers: [ParticipantIndex]

    /// Commits to the nonces of the first signature.
    ///
    /// - Throws: ``ThresholdError/exhausted(_:)``.
    init(
        _ file: FileToSign, _ agreement: SigningParticipant.Agreement, share: borrowing KeyShare<Ed25519>,
        random: some RandomSource
    ) throws(ThresholdError) {
        try self.init(file, agreement, committingTo: file.message, isLast: false, share: share, random: random)
    }

    private init(
        _ file: FileToSign, _ agreement: SigningParticipant.Agreement, committingTo message: [UInt8], isLast: Bool,
        share: borrowing KeyShare<Ed25519>, random: some RandomSource
    ) throws(ThresholdError) {
        let admission = try FROST.admit(signatures: 1)
        let nonces = FROST.Ed25519.Round1.commit(share, to: message, in: agreement.session.bytes, random: random)
        answer = MessageList.encode([nonces.commitment.encoded])
        stage = .committed(Begun(message: message, isLast: isLast, admission: admission, nonces: nonces))
        (self.file, signers) = (file, agreement.signers)
    }

    private init(_ stage: consuming Stage, _ answer: [UInt8], _ file: FileToSign, _ signers: [ParticipantIndex]) {
        self.stage = stage
        (self.answer, self.file, self.signers) = (answer, file, signers)
    }

    /// The kind of ``answer``.
    var sends: CeremonyMessage.Kind {
        switch stage {
        case .committed: .signingCommitments
        default: .signatureShares
        }
    }

    /// The kind of the next message.
    var expects: CeremonyMessage.Kind {
        switch stage {
        case .committed: .signingPackages
        default: .fileSignature
        }
    }

    var isDone: Bool {
        switch stage {
        case .done: true
        default: false
        }
    }

    /// A message from the coordinator that matches what this participant computed itself.
    enum Request: Sendable {
        case package(FROST.Ed25519.SigningPackage)
        /// The first signature.
        case signature([UInt8])
    }

    /// Reads a message from the coordinator, without changing the state.
    ///
    /// - Throws: ``CeremonyError/malformedMessage``, ``CeremonyError/notWhatWasConfirmed``, ``CeremonyError/staleMessage``,
    ///   ``CeremonyError/threshold(_:)``: the right message may still come.
    borrowing func read(_ payload: [UInt8], share: borrowing KeyShare<Ed25519>) throws(CeremonyError) -> Request {
        switch stage {
        case .committed(let begun):
            let encoded = try MessageList.decode(payload, count: 1)[0]
            let package: FROST.Ed25519.SigningPackage
            do {
                package = try FROST.Ed25519.SigningPackage(decoding: encoded, own: begun.nonces.commitment)
            } catch .unknownParticipant(share.index) {
                // The signers are not this session's.
                throw .staleMessage
            } catch { throw .threshold(error) }
            guard package.message == begun.message else { throw .notWhatWasConfirmed }
            guard package.signers == signers else { throw .staleMessage }
            guard package.fingerprint == share.group.fingerprint else { throw .threshold(.wrongGroup) }
            return .package(package)
        case .signed(let nonce):
            // Of this session, and not of an earlier one for the same file.
            guard payload.starts(with: nonce) else { throw .staleMessage }
            guard
                EdDSA.isValid(signature: payload, message: file.message, publicKey: share.group.publicKey.encoded)
            else { throw .threshold(.failedSignature) }
            return .signature(payload)
        case .done: throw .staleMessage
        }
    }

    /// Takes the next step. It is the last one if ``isDone``.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)``: the session is over.
    consuming func advance(
        by request: Request, _ agreement: SigningParticipant.Agreement, share: borrowing KeyShare<Ed25519>,
        random: some RandomSource
    ) throws(CeremonyError) -> FileParticipantState {
        let (file, signers) = (file, signers)
        do throws(ThresholdError) {
            switch consume stage {
            case .committed(let begun):
                guard case .package(let package) = request else { Self.foreign() }
                let isLast = begun.isLast
                let part = try FROST.Ed25519.Round2.sign(package, with: share, nonces: begun.nonces)
                let nonce = try package.nonce(in: share.group)
                return FileParticipantState(
                    isLast ? .done : .signed(nonce: nonce), MessageList.encode([part.encoded]), file, signers)
            case .signed:
                guard case .signature(let signature) = request else { Self.foreign() }
                return try FileParticipantState(
                    file, agreement, committingTo: file.globalMessage(after: signature), isLast: true, share: share,
                    random: random)
            case .done: Self.foreign()
            }
        } catch { throw .threshold(error) }
    }

    private static func foreign() -> Never { preconditionFailure("a turn advances by what it has read itself") }
}
