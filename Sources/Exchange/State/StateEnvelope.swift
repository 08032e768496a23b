internal import Crypto
internal import Encoding

/// The frame of each file of this module: eight characters that name the file, a version, the content, and the SHA-256
/// hash of all of it. The hash finds faults of a disk; it does not stop a program that can write the file.
enum StateEnvelope {
    private static let hashSize = 32

    static func encode(_ content: [UInt8], of file: StateFile) -> [UInt8] {
        let framed = magic(of: file) + [version(of: file)] + content
        return framed + Array(SHA256.hash(data: framed))
    }

    static func decode(_ bytes: [UInt8], of file: StateFile) throws(EncodingError) -> [UInt8] {
        var reader = try ByteReader(bytes, limit: ExchangeLimits.journalBytes)
        guard bytes.count >= 9 + hashSize else { throw .truncated }
        guard try reader.bytes(8).elementsEqual(magic(of: file)), try reader.uint8() == version(of: file) else {
            throw .unsupported
        }
        let content = Array(try reader.bytes(bytes.count - 9 - hashSize))
        guard SHA256.hash(data: bytes.dropLast(hashSize)).elementsEqual(reader.rest()) else { throw .badChecksum }
        return content
    }

    private static func magic(of file: StateFile) -> [UInt8] {
        switch file {
        case .journal: Array("FuekiOrd".utf8)
        case .nonce: Array("FuekiNon".utf8)
        case .wait: Array("FuekiWai".utf8)
        case .seen: Array("FuekiSee".utf8)
        }
    }

    /// The journal has a generation, and the pause a number of restarts, since version 2.
    private static func version(of file: StateFile) -> UInt8 {
        switch file {
        case .journal, .wait: 2
        case .nonce, .seen: 1
        }
    }
}
