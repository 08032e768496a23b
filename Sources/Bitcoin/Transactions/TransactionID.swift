internal import Encoding

/// The identifier of a transaction: the double SHA-256 of its bytes without witnesses.
///
/// Text shows the bytes in reverse order, as every explorer does; transactions hold them as they are.
public struct TransactionID: Hashable, Sendable {
    /// The identifier's 32 bytes, in the order of the hash.
    public let bytes: [UInt8]

    init(hash: [UInt8]) {
        precondition(hash.count == 32, "a double SHA-256 has 32 bytes")
        bytes = hash
    }

    /// Reads the 64 hexadecimal digits of an identifier.
    ///
    /// - Parameter text: 64 hexadecimal digits, as displayed.
    /// - Throws: ``BitcoinError/malformed(_:)``.
    public init(_ text: String) throws(BitcoinError) {
        do throws(EncodingError) {
            guard text.utf8.count <= 64 else { throw EncodingError.tooLong(limit: 32) }
            let shown = try Hex.decode(text)
            guard shown.count == 32 else { throw EncodingError.truncated }
            bytes = shown.reversed()
        } catch {
            throw .malformed(error)
        }
    }
}

extension TransactionID: CustomStringConvertible {
    public var description: String { Hex.encode(bytes.reversed()) }
}
