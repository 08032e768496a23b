internal import Encoding

/// Several protocol messages in one: a count, then each message after its size.
enum MessageList {
    static func encode(_ messages: [[UInt8]]) -> [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(UInt16(messages.count))
        for message in messages {
            writer.bigEndian(UInt16(message.count))
            writer.append(message)
        }
        return writer.bytes
    }

    /// Decodes a list of messages.
    ///
    /// - Parameter count: the required number of messages.
    /// - Throws: ``CeremonyError/malformedMessage``.
    static func decode(_ bytes: [UInt8], count: Int) throws(CeremonyError) -> [[UInt8]] {
        do {
            var reader = try ByteReader(bytes, limit: Limits.messageSize)
            guard try Int(reader.bigEndian(UInt16.self)) == count else { throw EncodingError.unsupported }
            var messages: [[UInt8]] = []
            for _ in 0..<count {
                let size = Int(try reader.bigEndian(UInt16.self))
                messages.append(Array(try reader.bytes(size)))
            }
            try reader.finish()
            return messages
        } catch {
            throw .malformedMessage
        }
    }

    /// Decodes the lists in all participants' answers.
    ///
    /// - Parameter count: the required number of messages in each.
    /// - Throws: ``CeremonyError/malformedMessage``.
    static func decode(all answers: [[UInt8]], count: Int) throws(CeremonyError) -> [[[UInt8]]] {
        var lists: [[[UInt8]]] = []
        for answer in answers { lists.append(try decode(answer, count: count)) }
        return lists
    }
}
