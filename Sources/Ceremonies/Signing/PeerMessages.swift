internal import Threshold

/// Messages of several signers to one, or of one to several, for each of several signatures: in the order of the
/// signatures, and for each in the order of the signers' indices.
enum PeerMessages {
    /// Returns the messages for one signature in the order of the signers' indices.
    static func ordered(_ messages: [ParticipantIndex: [UInt8]]) -> [[UInt8]] {
        messages.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Decodes a list of one message for each signature and signer.
    ///
    /// - Parameters:
    ///   - count: the number of signatures.
    ///   - signers: the senders, ascending.
    /// - Throws: ``CeremonyError/malformedMessage``.
    static func decode(
        _ payload: [UInt8], count: Int, of signers: [ParticipantIndex]
    ) throws(CeremonyError) -> [[ParticipantIndex: [UInt8]]] {
        let list = try MessageList.decode(payload, count: count * signers.count)
        return (0..<count).map { number in
            Dictionary(zip(signers, list.dropFirst(number * signers.count))) { first, _ in first }
        }
    }
}
