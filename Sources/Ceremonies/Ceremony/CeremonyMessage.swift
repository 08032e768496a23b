internal import Encoding

/// The envelope of every message between participants ([format](../../../docs/formats/ceremony-messages.md)).
///
/// | bytes | what |
/// |---|---|
/// | 2 | `FK` |
/// | 1 | version, 1 |
/// | 1 | kind |
/// | 1 | the sender: a share's index, or 0 for the coordinator |
/// | 32 | the session |
/// | 4 | size of the payload, big-endian |
/// | … | the payload |
struct CeremonyMessage: Equatable {
    enum Kind: UInt8, CaseIterable {
        // Signing.
        case signingProposal = 16
        case signingCommitments, signingPackages, signatureShares
        case nonceCommitments = 22
        case transfers, receivedTransfers, multiplications, receivedMultiplications, partialSignatures, ecdsaSignatures
        case signaturesAccepted
        /// The signature of a file's digest, to which the second signature of the file refers.
        case fileSignature
        // Sharing: new keys are generated, old shares renewed, or whole keys dealt.
        case sharingRequest = 32
        case sharingIntroduction, sharingParticipants, sharingCommitment, sharingCommitments, sharingOpening
        case sharingOpenings, sharingConfirmation, sharingConfirmations, shared
        // The set-up of pairs, after ECDSA shares were made or renewed.
        case pairingRequest = 48
        case firstPairing, firstPairings, secondPairing, secondPairings, thirdPairing, thirdPairings
        case fourthPairing, fourthPairings
        case pairingConfirmation, pairingCertificate, paired
        // Of every ceremony: the coordinator gives it up.
        case abort = 64
        case aborted
    }

    static let magic = Array("FK".utf8)
    static let version: UInt8 = 1
    static let coordinator = 0

    let kind: Kind
    let sender: Int
    let session: CeremonyID
    let payload: [UInt8]

    var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 41 + payload.count)
        writer.append(Self.magic)
        writer.append(Self.version)
        writer.append(kind.rawValue)
        writer.append(UInt8(sender))
        writer.append(session.bytes)
        writer.bigEndian(UInt32(payload.count))
        writer.append(payload)
        return writer.bytes
    }

    init(kind: Kind, sender: Int, session: CeremonyID, payload: [UInt8]) {
        self.kind = kind
        self.sender = sender
        self.session = session
        self.payload = payload
    }

    /// - Throws: ``CeremonyError/malformedMessage``.
    init(decoding bytes: [UInt8]) throws(CeremonyError) {
        do {
            var reader = try ByteReader(bytes, limit: Limits.messageSize)
            guard Array(try reader.bytes(2)) == Self.magic, try reader.uint8() == Self.version,
                let kind = Kind(rawValue: try reader.uint8())
            else { throw EncodingError.unsupported }
            self.kind = kind
            sender = Int(try reader.uint8())
            guard sender <= Limits.parties else { throw EncodingError.unsupported }
            session = CeremonyID(try reader.bytes(CeremonyID.size))
            let size = try reader.bigEndian(UInt32.self)
            guard Int(size) == reader.remaining else { throw EncodingError.truncated }
            payload = Array(reader.rest())
        } catch {
            throw .malformedMessage
        }
    }

    /// Returns the payload, if this step waits for the message.
    ///
    /// - Throws: ``CeremonyError/staleMessage``.
    func payload(of kind: Kind, in session: CeremonyID, from sender: Int) throws(CeremonyError) -> [UInt8] {
        guard self.kind == kind, self.session == session, self.sender == sender else { throw .staleMessage }
        return payload
    }
}
