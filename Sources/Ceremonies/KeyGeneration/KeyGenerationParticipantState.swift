internal import Curves
internal import Secrets
internal import Threshold

/// A participant's side of one distributed key generation by ChillDKG, for one purpose.
///
/// Each step can be taken once, whether it succeeds or fails.
struct KeyGenerationParticipantState<Suite: DKG.SchnorrCiphersuite>: ~Copyable {
    private let hostKey: DKG.HostKey<Suite>
    private var state = State.introduced

    private enum State: ~Copyable {
        case introduced
        case contributed(DKG.Contribution<Suite>)
        case pending(DKG.PendingShare<Suite>)
        case wrongShare(DKG.Investigation<Suite>)
        case activated(KeyShare<Suite.Group>)
        case finished
    }

    init(random: some RandomSource) {
        hostKey = DKG.HostKey(from: random)
    }

    /// The participant's introduction to all others: its host key.
    var introduction: [UInt8] { hostKey.publicKey.encoded }

    /// Wipes everything but the host key, after the ceremony failed or was given up.
    mutating func wipe() { _ = takeState() }

    private mutating func takeState() -> State {
        var current = State.finished
        swap(&current, &state)
        return current
    }

    /// Makes this participant's contribution to the key.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)`` with ``ThresholdError/wrongGroup`` if another participant has this
    ///   one's index.
    mutating func contribute(
        as index: Int, of parameters: ThresholdParameters, hostKeys: [[UInt8]], random: some RandomSource
    ) throws(CeremonyError) -> [UInt8] {
        guard case .introduced = takeState() else { throw .staleMessage }
        do throws(ThresholdError) {
            let session = try DKG.Session<Suite>(threshold: parameters.threshold, hostKeys: hostKeys)
            // The parameters cannot differ here: the list had the right number of host keys, and the threshold is the
            // participant's own. If it ever comes from a message, this check refuses another one.
            guard session.parameters == parameters, session.index(of: hostKey.publicKey)?.value == index else {
                throw ThresholdError.wrongGroup
            }
            let contribution = try DKG.Contribution(hostKey: hostKey, session: session, random: random)
            let message = contribution.message
            state = .contributed(contribution)
            return message
        } catch { throw .threshold(error) }
    }

    /// Checks the contributions of all participants.
    ///
    /// - Returns: this participant's signature of the transcript; nil if a participant made a wrong share for it.
    mutating func receive(_ message: [UInt8], random: some RandomSource) throws(CeremonyError) -> [UInt8]? {
        guard case .contributed(let contribution) = takeState() else { throw .staleMessage }
        do throws(ThresholdError) {
            switch try contribution.receive(message, hostKey: hostKey, random: random) {
            case .pending(let pending):
                let message = pending.message
                state = .pending(pending)
                return message
            case .wrongShare(let investigation):
                state = .wrongShare(investigation)
                return nil
            }
        } catch { throw .threshold(error) }
    }

    /// Whether a participant made a wrong share for this one.
    var isWronged: Bool {
        switch state {
        case .wrongShare: true
        default: false
        }
    }

    /// Returns the blame for the wrong share.
    mutating func verdict(on message: [UInt8]) throws(CeremonyError) -> DKG.Fault {
        guard case .wrongShare(let investigation) = takeState() else { throw .staleMessage }
        do { return try investigation.verdict(on: message, hostKey: hostKey) } catch { throw .threshold(error) }
    }

    mutating func activate(_ certificate: [UInt8]) throws(CeremonyError) {
        guard case .pending(let pending) = takeState() else { throw .staleMessage }
        do { state = .activated(try pending.activate(certificate).takeShare()) } catch { throw .threshold(error) }
    }

    /// Returns the share, once, when it is active.
    mutating func takeShare() throws(CeremonyError) -> KeyShare<Suite.Group> {
        guard case .activated(let share) = takeState() else { throw .staleMessage }
        return share
    }
}
