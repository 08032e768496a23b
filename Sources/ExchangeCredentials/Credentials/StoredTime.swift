package import Encoding
package import Time

extension ByteReader {
    /// Reads a time: the milliseconds since 1970, 8 bytes.
    package mutating func timestamp() throws(EncodingError) -> Timestamp {
        guard let milliseconds = Int64(exactly: try bigEndian(UInt64.self)), milliseconds <= Timestamp.limit else {
            throw .unsupported
        }
        return Timestamp(milliseconds: milliseconds)
    }
}

extension ByteWriter {
    /// Writes a time as ``ByteReader`` reads it; a time before 1970 as 1970.
    package mutating func timestamp(_ time: Timestamp) { bigEndian(UInt64(clamping: time.milliseconds)) }
}
