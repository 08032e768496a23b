internal import Encoding

/// The last generation of a journal that this machine has written. It is kept apart from the journal, so that a deleted
/// journal, or an older copy in its place, is noticed.
struct SeenGeneration: Equatable, Sendable {
    let generation: UInt64

    init(_ generation: UInt64) { self.generation = generation }

    /// The file: the number (8 bytes), in an envelope.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(generation)
        return StateEnvelope.encode(writer.bytes, of: .seen)
    }

    /// Decodes a file.
    init(decoding bytes: [UInt8]) throws(EncodingError) {
        let content = try StateEnvelope.decode(bytes, of: .seen)
        var reader = try ByteReader(content, limit: 8)
        generation = try reader.bigEndian(UInt64.self)
        try reader.finish()
    }
}
