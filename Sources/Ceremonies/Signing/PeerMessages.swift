internal import Threshold

/// Messages of several signers to one, or of one to several, in the order of their indices.
enum PeerMessages {
    static func encode(_ messages: [ParticipantIndex: [UInt8]]) -> [UInt8] {
        MessageList.encode(messages.sorted { $0.key < $1.key }.map(\.value))
    }

    /// Decodes a list of one message for each signer.
    ///
    /// - Parameter signers: the senders or recipients, ascending.
    /// - Throws: ``CeremonyError/malformedMessage``.
    static func decode(
        _ payload: [UInt8], of signers: [ParticipantIndex]
    ) throws(CeremonyError) -> [ParticipantIndex: [UInt8]] {
        Dictionary(zip(signers, try MessageList.decode(payload, count: signers.count))) { first, _ in first }
    }
}
