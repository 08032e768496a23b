internal import Encoding
internal import Time

/// The highest nonce that was drawn for a key. It is written before the nonce is used.
struct NonceRecord: Equatable, Sendable {
    private(set) var highest: UInt64 = 0

    /// Draws the next nonce: the clock's microseconds, or one more than the highest, whatever is higher.
    ///
    /// - Throws: ``StateFault/noncesUsedUp``.
    mutating func draw(now: Timestamp) throws(ExchangeError) -> UInt64 {
        let microseconds = UInt64(clamping: now.milliseconds) * 1_000
        let clock = microseconds > ExchangeLimits.highestClockNonce ? 0 : microseconds
        // Kraken's nonces are unsigned numbers of 64 bits; programs there read them as signed ones.
        guard highest < UInt64(Int64.max) else { throw .state(.noncesUsedUp) }
        highest = max(clock, highest + 1)
        return highest
    }

    /// The file: the number (8 bytes), in an envelope.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(highest)
        return StateEnvelope.encode(writer.bytes, of: .nonce)
    }

    init() {}

    /// Decodes a file.
    init(decoding bytes: [UInt8]) throws(EncodingError) {
        let content = try StateEnvelope.decode(bytes, of: .nonce)
        var reader = try ByteReader(content, limit: 8)
        highest = try reader.bigEndian(UInt64.self)
        try reader.finish()
    }
}
