internal import Curves
internal import Secrets
internal import Threshold

/// A participant's side of one session of `Sharing`, for one purpose: it deals, receives, or both.
///
/// Each step can be taken once, whether it succeeds or fails. A message is empty where this participant has nothing to
/// send. The host key lives as long as the state that needs it.
struct SharingParticipantState<Suite: Sharing.Ciphersuite>: ~Copyable {
    let publicHostKey: Suite.Group.Point
    /// The participant's introduction to all others.
    let introduction: [UInt8]
    private var state: State

    private enum State: ~Copyable {
        case introduced(Sharing.Introduction<Suite>, Sharing.HostKey<Suite>)
        case committed(Sharing.Committed<Suite>, Sharing.HostKey<Suite>)
        case opened(Sharing.Opened<Suite>, Sharing.HostKey<Suite>)
        case pending(Sharing.Pending<Suite>, Sharing.HostKey<Suite>)
        case activated(Sharing.Output<Suite>, Sharing.HostKey<Suite>)
        case finished
    }

    init(random: some RandomSource) {
        let hostKey = Sharing.HostKey<Suite>(from: random)
        let introduction = Sharing.Introduction(hostKey: hostKey, random: random)
        publicHostKey = hostKey.publicKey
        self.introduction = introduction.message
        state = .introduced(introduction, hostKey)
    }

    /// Wipes everything, after the ceremony failed or was given up.
    mutating func wipe() { _ = takeState() }

    private mutating func takeState() -> State {
        var current = State.finished
        swap(&current, &state)
        return current
    }

    /// Takes the first step of a participant that deals a part of a new key, or nothing.
    mutating func begin(_ session: Sharing.Session<Suite>, random: some RandomSource) throws(CeremonyError) -> [UInt8] {
        guard case .introduced(let introduction, let hostKey) = takeState() else { throw .staleMessage }
        do throws(ThresholdError) {
            return commit(try introduction.begin(session, hostKey: hostKey, random: random), hostKey)
        } catch { throw .threshold(error) }
    }

    /// Takes the first step of a participant that deals its old share.
    mutating func begin(
        _ session: Sharing.Session<Suite>, share: borrowing KeyShare<Suite.Group>, epoch: Int, random: some RandomSource
    ) throws(CeremonyError) -> [UInt8] {
        guard case .introduced(let introduction, let hostKey) = takeState() else { throw .staleMessage }
        do throws(ThresholdError) {
            return commit(
                try introduction.begin(session, hostKey: hostKey, share: share, epoch: epoch, random: random),
                hostKey)
        } catch { throw .threshold(error) }
    }

    /// Takes the first step of the participant that deals a whole key.
    mutating func begin(
        _ session: Sharing.Session<Suite>, whole secret: borrowing SecretScalar<Suite.Group>, random: some RandomSource
    ) throws(CeremonyError) -> [UInt8] {
        guard case .introduced(let introduction, let hostKey) = takeState() else { throw .staleMessage }
        do throws(ThresholdError) {
            return commit(
                try introduction.begin(session, hostKey: hostKey, whole: secret, random: random), hostKey)
        } catch { throw .threshold(error) }
    }

    private mutating func commit(
        _ committed: consuming Sharing.Committed<Suite>, _ hostKey: consuming Sharing.HostKey<Suite>
    ) -> [UInt8] {
        let message = committed.message ?? []
        state = .committed(committed, hostKey)
        return message
    }

    mutating func open(_ commitments: [UInt8]) throws(CeremonyError) -> [UInt8] {
        guard case .committed(let committed, let hostKey) = takeState() else { throw .staleMessage }
        do throws(ThresholdError) {
            let opened = try committed.open(commitments)
            let message = opened.message ?? []
            state = .opened(opened, hostKey)
            return message
        } catch { throw .threshold(error) }
    }

    mutating func receive(_ openings: [UInt8], random: some RandomSource) throws(CeremonyError) -> [UInt8] {
        guard case .opened(let opened, let hostKey) = takeState() else { throw .staleMessage }
        do throws(ThresholdError) {
            let pending = try opened.receive(openings, hostKey: hostKey, random: random)
            let message = pending.message
            state = .pending(pending, hostKey)
            return message
        } catch { throw .threshold(error) }
    }

    mutating func activate(_ certificate: [UInt8]) throws(CeremonyError) {
        guard case .pending(let pending, let hostKey) = takeState() else { throw .staleMessage }
        do { state = .activated(try pending.activate(certificate), hostKey) } catch { throw .threshold(error) }
    }

    /// Returns the session's result, once, when there is one.
    mutating func takeOutput() throws(CeremonyError) -> Sharing.Output<Suite> {
        guard case .activated(let output, _) = takeState() else { throw .staleMessage }
        return output
    }
}

extension SharingParticipantState<Sharing.ECDSA> {
    /// Begins the pairing with the session's result, once, when there is one. The pairing takes the host key along.
    mutating func begin(
        _ pairing: inout PairingParticipantState, random: some RandomSource
    ) throws(CeremonyError) {
        guard case .activated(let output, let hostKey) = takeState() else { throw .staleMessage }
        try pairing.begin(after: output, hostKey: hostKey, random: random)
    }
}
