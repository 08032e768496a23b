internal import Curves
internal import Threshold
internal import Wallet

/// The coordinator's side of a file's two Ed25519 signatures (FROST): of the digest, and of that signature with the
/// trusted comment.
struct FileSigning {
    let file: FileToSign
    let group: GroupKey<Ed25519>

    /// Returns the signature of the digest and the global signature, both verified.
    ///
    /// - Throws: ``CeremonyError/threshold(_:)`` with the culprits if they are known; the errors of participants.
    func run(_ ceremony: Ceremony, proposal: SigningProposal) async throws(CeremonyError) -> [[UInt8]] {
        let signature = try await sign(file.message, ceremony, after: .signingProposal, proposal.encoded)
        let global = try await sign(
            file.globalMessage(after: signature), ceremony, after: .fileSignature, signature)
        return [signature, global]
    }

    /// Runs both rounds of one signature.
    ///
    /// - Parameters:
    ///   - kind: the message that has the participants commit.
    ///   - request: the payload of that message.
    private func sign(
        _ message: [UInt8], _ ceremony: Ceremony, after kind: CeremonyMessage.Kind, _ request: [UInt8]
    ) async throws(CeremonyError) -> [UInt8] {
        let participants = ceremony.participants
        let commitments = try SchnorrSigning.parts(
            in: try MessageList.decode(
                all: try await ceremony.ask(kind, request, expecting: .signingCommitments), count: 1),
            from: participants, FROST.Ed25519.Commitment.init(decoding:), by: \.index)
        let package: FROST.Ed25519.SigningPackage
        do {
            package = try FROST.Ed25519.SigningPackage(
                group: group, commitments: commitments.map { $0[0] }, message: message)
        } catch { throw .threshold(error) }
        let shares = try SchnorrSigning.parts(
            in: try MessageList.decode(
                all: try await ceremony.ask(
                    .signingPackages, MessageList.encode([package.encoded]), expecting: .signatureShares), count: 1),
            from: participants, FROST.Ed25519.SignatureShare.init(decoding:), by: \.index)
        do { return try FROST.Ed25519.aggregate(shares.map { $0[0] }, of: package, in: group) } catch {
            throw .threshold(error)
        }
    }
}
