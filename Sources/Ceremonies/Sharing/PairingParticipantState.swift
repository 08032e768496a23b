internal import Secrets
internal import Threshold
internal import ThresholdECDSA

/// A participant's side of pairing, which follows when a share of an ECDSA key was made or renewed: afterwards each two
/// participants can multiply secrets with each other.
///
/// Each step can be taken once, whether it succeeds or fails.
struct PairingParticipantState: ~Copyable {
    private var state = State.waiting
    /// The host key of the session that made the share, from the beginning until the confirmation is signed with it.
    private var hostKey: Sharing.HostKey<Sharing.ECDSA>?

    private enum State: ~Copyable {
        case waiting
        case asked(ECDSA.PairSetup.Round1)
        case first(ECDSA.PairSetup.Round1)
        case second(ECDSA.PairSetup.Round2)
        case third(ECDSA.PairSetup.Round3)
        case fourth(ECDSA.PairSetup.Round4)
        case pending(ECDSA.PairSetup.Pending)
        case activated(ECDSA.KeyShare)
        case finished
    }

    private mutating func takeState() -> State {
        var current = State.finished
        swap(&current, &state)
        return current
    }

    /// Wipes everything, after the ceremony failed or was given up.
    mutating func wipe() {
        _ = takeState()
        hostKey = nil
    }

    /// Begins the pairing, after the shares were made.
    ///
    /// - Parameters:
    ///   - output: the result of the `Sharing` session that made the share.
    ///   - hostKey: the host key of that session.
    /// - Throws: ``CeremonyError/threshold(_:)``, ``CeremonyError/staleMessage`` if the session gave no share.
    mutating func begin(
        after output: consuming Sharing.Output<Sharing.ECDSA>, hostKey: consuming Sharing.HostKey<Sharing.ECDSA>,
        random: some RandomSource
    ) throws(CeremonyError) {
        guard case .waiting = takeState() else { throw .staleMessage }
        let session = try Pairing.session(after: output.recoveryData)
        guard let share = output.takeShare() else { throw .staleMessage }
        do throws(ThresholdError) {
            state = .asked(try ECDSA.PairSetup.Round1(session, share: share, hostKey: hostKey, random: random))
            self.hostKey = consume hostKey
        } catch { throw .threshold(error) }
    }

    /// The input of a step, known to belong to this step of this pairing and to come from the expected senders.
    enum Request: Sendable {
        case beginning
        case first(ECDSA.PairSetup.Received<ECDSA.PairSetup.Round1>)
        case second(ECDSA.PairSetup.Received<ECDSA.PairSetup.Round2>)
        case third(ECDSA.PairSetup.Received<ECDSA.PairSetup.Round3>)
        case fourth(ECDSA.PairSetup.Received<ECDSA.PairSetup.Round4>)
        case certificate(ECDSA.PairSetup.Pending.Received)
    }

    /// Reads one message of the pairing, without changing the state.
    ///
    /// - Parameters:
    ///   - total: the number of participants.
    ///   - payload: returns the payload of the message, if it is of this kind.
    /// - Throws: ``CeremonyError/staleMessage``, ``CeremonyError/malformedMessage``, ``CeremonyError/threshold(_:)``:
    ///   the right message may still come.
    borrowing func read(
        of total: Int, _ payload: (CeremonyMessage.Kind) throws(CeremonyError) -> [UInt8]
    ) throws(CeremonyError) -> Request {
        let places = Places(total: total)
        switch state {
        case .asked:
            guard try payload(.pairingRequest).isEmpty else { throw .malformedMessage }
            return .beginning
        case .first(let round):
            let messages = try places.messages(in: try payload(.firstPairings))
            do { return .first(try round.read(messages)) } catch { throw .threshold(error) }
        case .second(let round):
            let messages = try places.messages(in: try payload(.secondPairings))
            do { return .second(try round.read(messages)) } catch { throw .threshold(error) }
        case .third(let round):
            let messages = try places.messages(in: try payload(.thirdPairings))
            do { return .third(try round.read(messages)) } catch { throw .threshold(error) }
        case .fourth(let round):
            let messages = try places.messages(in: try payload(.fourthPairings))
            do { return .fourth(try round.read(messages)) } catch { throw .threshold(error) }
        case .pending(let pending):
            let certificate = try payload(.pairingCertificate)
            do { return .certificate(try pending.read(certificate)) } catch { throw .threshold(error) }
        default: throw .staleMessage
        }
    }

    /// Takes one step of the pairing.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)`` if a peer sealed a wrong message: the pairing is over.
    mutating func answer(
        to request: Request, of total: Int, random: some RandomSource
    ) throws(CeremonyError) -> (kind: CeremonyMessage.Kind, payload: [UInt8]) {
        let places = Places(total: total)
        do throws(ThresholdError) {
            switch takeState() {
            case .asked(let round):
                guard case .beginning = request else { Self.foreign() }
                let messages = places.list(round.messages)
                state = .first(round)
                return (.firstPairing, messages)
            case .first(let round):
                guard case .first(let received) = request else { Self.foreign() }
                let next = try round.receive(received, random: random)
                let messages = places.list(next.messages)
                state = .second(next)
                return (.secondPairing, messages)
            case .second(let round):
                guard case .second(let received) = request else { Self.foreign() }
                let next = try round.receive(received, random: random)
                let messages = places.list(next.messages)
                state = .third(next)
                return (.thirdPairing, messages)
            case .third(let round):
                guard case .third(let received) = request else { Self.foreign() }
                let next = try round.receive(received, random: random)
                let messages = places.list(next.messages)
                state = .fourth(next)
                return (.fourthPairing, messages)
            case .fourth(let round):
                guard case .fourth(let received) = request, let hostKey = hostKey.take() else { Self.foreign() }
                let pending = try round.receive(received, hostKey: hostKey, random: random)
                let message = pending.message
                state = .pending(pending)
                return (.pairingConfirmation, message)
            case .pending(let pending):
                guard case .certificate(let received) = request else { Self.foreign() }
                state = .activated(pending.activate(received))
                return (.paired, [])
            default: Self.foreign()
            }
        } catch { throw .threshold(error) }
    }

    private static func foreign() -> Never { preconditionFailure("a step is taken with what it has read itself") }

    /// Returns the share with its pairs, once, when they exist.
    mutating func takeShare() throws(CeremonyError) -> ECDSA.KeyShare {
        guard case .activated(let share) = takeState() else { throw .staleMessage }
        return share
    }

    /// One participant's messages to all, or from all, as a list, with an empty entry for a missing message.
    private struct Places {
        let total: Int

        private var indices: [ParticipantIndex] { (1...total).compactMap { try? ParticipantIndex($0) } }

        func list(_ messages: [ParticipantIndex: [UInt8]]) -> [UInt8] {
            MessageList.encode(indices.map { messages[$0] ?? [] })
        }

        func messages(in list: [UInt8]) throws(CeremonyError) -> [ParticipantIndex: [UInt8]] {
            let messages = try MessageList.decode(list, count: total)
            return Dictionary(zip(indices, messages).filter { !$0.1.isEmpty }) { first, _ in first }
        }
    }
}
