public import Curves
internal import Encoding
public import Secrets
public import Threshold

/// A holder-to-be in this process: takes part in one distributed key generation (ChillDKG), and ends with its share.
///
/// Its share comes into being only when every holder has signed the same transcript: before the certificate there is
/// nothing that could be used.
public actor KeyGenerationHolder: Holder {
    public nonisolated let index: Int

    private let parameters: ThresholdParameters
    private let hostKey: DKG.HostKey<DKG.BIP340>
    private let random: any RandomSource
    private var session: SessionID?
    private var state = State.invited

    private enum State: ~Copyable {
        case invited
        case introduced
        case contributed(DKG.Contribution<DKG.BIP340>)
        case pending(DKG.PendingShare<DKG.BIP340>)
        case activated(KeyShare<Secp256k1>)
        case finished
    }

    /// - Parameters:
    ///   - index: the share's x coordinate.
    ///   - parameters: what the person asked for. Another proposal is refused.
    public init(index: ParticipantIndex, parameters: ThresholdParameters, random: some RandomSource) {
        self.index = index.value
        self.parameters = parameters
        self.random = random
        hostKey = DKG.HostKey(from: random)
    }

    public func answer(_ message: [UInt8]) throws(CustodyError) -> [UInt8] {
        // Whatever comes of this message, no step is taken twice.
        var current = State.finished
        swap(&current, &state)
        let message = try CeremonyMessage(decoding: message)
        let session = session ?? message.session
        self.session = session
        func payload(_ kind: CeremonyMessage.Kind) throws(CustodyError) -> [UInt8] {
            try message.payload(of: kind, in: session, from: CeremonyMessage.coordinator)
        }
        func reply(_ kind: CeremonyMessage.Kind, _ payload: [UInt8]) -> [UInt8] {
            CeremonyMessage(kind: kind, sender: index, session: session, payload: payload).encoded
        }

        switch consume current {
        case .invited:
            guard try payload(.hostKeyRequest).isEmpty else { throw .malformedMessage }
            state = .introduced
            return reply(.hostKey, hostKey.publicKey.encoded)
        case .introduced:
            let contribution = try contribute(to: try payload(.keyGenerationSession))
            let message = contribution.message
            state = .contributed(contribution)
            return reply(.contribution, message)
        case .contributed(let contribution):
            let pending = try receive(try payload(.combinedContributions), contribution)
            let message = pending.message
            state = .pending(pending)
            return reply(.transcriptSignature, message)
        case .pending(let pending):
            let certificate = try payload(.certificate)
            do {
                state = .activated(try pending.activate(certificate).takeShare())
            } catch {
                throw .ceremony(error)
            }
            return reply(.activated, [])
        case .activated:
            throw .staleMessage
        case .finished:
            throw .staleMessage
        }
    }

    /// The share, once.
    ///
    /// - Throws: ``CustodyError/staleMessage`` before the certificate has come, and the second time.
    public func takeShare() throws(CustodyError) -> KeyShare<Secp256k1> {
        var current = State.finished
        swap(&current, &state)
        guard case .activated(let share) = consume current else { throw .staleMessage }
        return share
    }

    private func contribute(to list: [UInt8]) throws(CustodyError) -> DKG.Contribution<DKG.BIP340> {
        let hostKeys = try MessageList.decode(list, count: parameters.total)
        do throws(ThresholdError) {
            let session = try DKG.Session<DKG.BIP340>(threshold: parameters.threshold, hostKeys: hostKeys)
            guard session.index(of: hostKey.publicKey)?.value == index else { throw ThresholdError.wrongGroup }
            return try DKG.Contribution(hostKey: hostKey, session: session, random: random)
        } catch {
            throw .ceremony(error)
        }
    }

    private func receive(
        _ message: [UInt8], _ contribution: consuming DKG.Contribution<DKG.BIP340>
    ) throws(CustodyError) -> DKG.PendingShare<DKG.BIP340> {
        do {
            return try contribution.receive(message, hostKey: hostKey, random: random).share()
        } catch {
            throw .ceremony(error)
        }
    }
}
