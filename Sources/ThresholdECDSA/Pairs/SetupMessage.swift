internal import Curves
internal import Secrets
internal import Threshold

extension ECDSA.PairSetup {
    /// A message of one participant to another, sealed with a key that only these two have.
    ///
    /// The key also depends on all earlier messages of the two. So a message opens only as the answer to exactly the
    /// messages that it was made for, and no one can be blamed for an old message that is sent again.
    struct SetupMessage {
        /// The four steps of a pair.
        enum Step: UInt8 {
            case first = 1
            case second
            case third
            case fourth

            /// Whether A sends it.
            var isOfBaseSender: Bool { self == .second || self == .fourth }

            var kind: MessageKind {
                switch self {
                case .first: .setupMessage1
                case .second: .setupMessage2
                case .third: .setupMessage3
                case .fourth: .setupMessage4
                }
            }
        }

        let step: Step
        let session: [UInt8]
        let sender: ParticipantIndex
        let recipient: ParticipantIndex
        /// The names of the sealed messages before this one.
        let previous: [[UInt8]]

        private var envelope: ECDSA.SealedMessage {
            ECDSA.SealedMessage(kind: step.kind, session: session, sender: sender, recipient: recipient)
        }

        private func key(_ seed: borrowing SecretBytes) -> SecretBytes {
            var hasher = ECDSA.TaggedHash.hasher("set-up channel")
            hasher.update(part: seed)
            hasher.update(part: [UInt8(sender.value)])
            hasher.update(part: [UInt8(recipient.value)])
            hasher.update(part: [step.rawValue])
            for name in previous { hasher.update(part: name) }
            return hasher.finalizeSecret()
        }

        func seal(_ body: [UInt8], seed: borrowing SecretBytes, random: some RandomSource) -> [UInt8] {
            envelope.seal(body, key: key(seed), nonce: random.publicBytes(count: XChaCha20Poly1305.nonceSize))
        }

        /// Opens a sealed message.
        ///
        /// - Throws: as ``ECDSA/SealedMessage/open(_:key:)``; `ThresholdError.unauthentic(from:)` also for a message
        ///   that was sealed in answer to other messages.
        func open(_ bytes: [UInt8], seed: borrowing SecretBytes) throws(ThresholdError) -> OpenedMessage {
            OpenedMessage(bytes: bytes, body: try envelope.open(bytes, key: key(seed)))
        }
    }

    /// A message that its sender has sealed as the answer to the messages before it. Its body is not checked yet.
    struct OpenedMessage: Sendable {
        /// The sealed message.
        let bytes: [UInt8]
        let body: [UInt8]
    }
}

extension MessageKind {
    static let setupMessage1 = MessageKind(code: 0x40)
    static let setupMessage2 = MessageKind(code: 0x41)
    static let setupMessage3 = MessageKind(code: 0x42)
    static let setupConfirmation = MessageKind(code: 0x43)
    static let setupCertificate = MessageKind(code: 0x44)
    static let setupMessage4 = MessageKind(code: 0x45)
}
