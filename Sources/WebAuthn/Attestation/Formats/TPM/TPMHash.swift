internal import Crypto
internal import Encoding

/// A hash function by its number in TPMs (`TPM_ALG_ID`; TPM 2.0 Part 2, section 6.3).
///
/// SHA-1 (0x0004) is left out, because two public areas could have the same name.
enum TPMHash: UInt16, CaseIterable, Sendable {
    case sha256 = 0x000b
    case sha384 = 0x000c
    case sha512 = 0x000d

    /// - Throws: `EncodingError.unsupported` for every other number.
    init(from reader: inout ByteReader) throws(EncodingError) {
        guard let hash = TPMHash(rawValue: try reader.bigEndian(UInt16.self)) else { throw .unsupported }
        self = hash
    }

    /// Returns the hash: 32, 48 or 64 bytes.
    func digest(of bytes: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        return switch self {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}

extension ByteReader {
    /// Reads a `TPM2B`: bytes after their count in 16 bits. (TPM 2.0 Part 2, section 10.4.)
    ///
    /// - Throws: `EncodingError.tooLong` if there are more than the structure allows.
    mutating func tpm2B(limit: Int) throws(EncodingError) -> [UInt8] {
        let count = Int(try bigEndian(UInt16.self))
        guard count <= limit else { throw .tooLong(limit: limit) }
        return Array(try bytes(count))
    }
}
