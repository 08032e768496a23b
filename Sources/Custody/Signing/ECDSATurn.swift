internal import Curves
internal import Secrets
internal import Threshold
internal import Wallet

/// A holder between two rounds of one ECDSA signature (DKLs23).
struct ECDSATurn: ~Copyable, Sendable {
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
        _ agreement: SigningHolder.Agreement, number: Int, share: borrowing ECDSA.KeyShare, random: some RandomSource
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

    /// Takes what the coordinator passes on, and goes on to the next round; nothing when the signature has come and is valid.
    ///
    /// - Throws: ``CustodyError/malformedMessage``, ``CustodyError/ceremony(_:)``.
    consuming func receive(_ payload: [UInt8], at index: ParticipantIndex) throws(CustodyError) -> ECDSATurn? {
        let (request, own) = (request, own)
        let peers = request.signers.filter { $0 != index }
        switch consume stage {
        case .committed(let round):
            let received = try PeerMessages.decode(payload, of: request.signers)
            do throws(ThresholdError) {
                let next = try round.receive(received)
                let message = PeerMessages.encode(next.messages)
                return ECDSATurn(
                    .extended(next), sends: .transfers, message, expects: .receivedTransfers, request: request, own: own
                )
            } catch { throw .ceremony(error) }
        case .extended(let round):
            let received = try PeerMessages.decode(payload, of: peers)
            do throws(ThresholdError) {
                let next = try round.receive(received)
                let message = PeerMessages.encode(next.messages)
                return ECDSATurn(
                    .multiplied(next), sends: .multiplications, message, expects: .receivedMultiplications,
                    request: request, own: own)
            } catch { throw .ceremony(error) }
        case .multiplied(let round):
            let received = try PeerMessages.decode(payload, of: peers)
            do throws(ThresholdError) {
                // The presignature is gone before its part of the signature leaves.
                let part = try round.receive(received).sign(own.message)
                return ECDSATurn(
                    .signed(part), sends: .partialSignature, part.encoded, expects: .ecdsaSignature, request: request,
                    own: own)
            } catch { throw .ceremony(error) }
        case .signed(let part):
            // One of an earlier session would take back the count of this one, which came to nothing.
            guard let signature = try? ECDSASignature(compact: payload), part.isPart(of: signature),
                signature.isValid(message: own.message, publicKey: own.publicKey)
            else { throw .ceremony(.failedSignature) }
            return nil
        }
    }
}
