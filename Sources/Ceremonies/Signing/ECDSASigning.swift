internal import Curves
internal import Threshold
internal import ThresholdECDSA
internal import Wallet

/// The coordinator's side of one ECDSA signature: it passes on sealed messages, and adds up the partial signatures.
struct ECDSASigning {
    let request: ECDSARequest
    /// The position of the request among the ECDSA requests.
    let number: Int
    let group: GroupKey<Secp256k1>

    /// Returns the verified signature in compact form. The participants have not seen it.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)`` with the culprits if they are known; the errors of participants.
    func run(_ ceremony: Ceremony) async throws(CeremonyError) -> [UInt8] {
        let agreed: ECDSA.SigningRequest
        do throws(ThresholdError) {
            agreed = try request.agreed(by: participantIndices(ceremony.participants.map(\.index)))
        } catch { throw .threshold(error) }
        let signers = agreed.signers

        let commitments = try await ceremony.ask(
            .ecdsaRequest, ECDSARequest.encode(number), expecting: .nonceCommitment)
        let transfers = try await ceremony.ask(
            .nonceCommitments, try MessageList.relayed(commitments, from: ceremony.participants), expecting: .transfers)
        let multiplications = try await ceremony.ask(
            .receivedTransfers, payloads: try routed(transfers, among: signers), expecting: .multiplications)
        let encoded = try await ceremony.ask(
            .receivedMultiplications, payloads: try routed(multiplications, among: signers),
            expecting: .partialSignature)

        do throws(ThresholdError) {
            var parts: [ECDSA.PartialSignature] = []
            for (part, signer) in zip(encoded, signers) {
                let part = try ECDSA.PartialSignature(decoding: part)
                // The other participant must not be blamed for it.
                guard part.index == signer else { throw ThresholdError.faulty(culprits: [signer]) }
                parts.append(part)
            }
            let first = Dictionary(zip(signers, commitments)) { first, _ in first }
            return try ECDSA.combine(
                parts, of: agreed, in: ECDSA.sessionID(after: first, of: agreed), message: request.message, for: group
            ).signature.compact
        } catch { throw .threshold(error) }
    }

    /// Shows the signature to the participants. Each verifies it, and ends this signature successfully.
    ///
    /// - Returns: the errors of the participants that do not accept it.
    func announce(_ signature: [UInt8], in ceremony: Ceremony) async -> [CeremonyError] {
        await ceremony.objections(.ecdsaSignature, signature, expecting: .signatureAccepted)
    }

    /// Returns the message for each signer, made of the others' answers.
    private func routed(
        _ answers: [[UInt8]], among signers: [ParticipantIndex]
    ) throws(CeremonyError) -> [[UInt8]] {
        var received: [ParticipantIndex: [ParticipantIndex: [UInt8]]] = [:]
        for (answer, sender) in zip(answers, signers) {
            let messages = try PeerMessages.decode(answer, of: signers.filter { $0 != sender })
            for (recipient, message) in messages { received[recipient, default: [:]][sender] = message }
        }
        return signers.map { PeerMessages.encode(received[$0] ?? [:]) }
    }
}
