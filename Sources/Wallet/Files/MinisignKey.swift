internal import Curves
internal import Encoding

/// An Ed25519 public key in minisign's form.
///
/// minisign draws the key id at random. A wallet's shares hold no such number, so a wallet's key id is the first 8 bytes
/// of BLAKE2b-512 of the public key. The id is a hint only: no check depends on it alone.
public struct MinisignKey: Hashable, Sendable {
    /// The key id: 8 bytes.
    public let id: [UInt8]
    /// The public key: 32 bytes (RFC 8032).
    public let publicKey: [UInt8]

    /// Returns the minisign key of a wallet's Ed25519 key.
    ///
    /// - Parameter publicKey: 32 bytes.
    public init(ofWallet publicKey: [UInt8]) {
        id = Array(BLAKE2b.hash(publicKey).prefix(Minisign.idSize))
        self.publicKey = publicKey
    }

    /// The key id as minisign prints it: a number in hexadecimal digits without leading zeros, whose last byte comes first.
    public var idText: String {
        String(id.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, radix: 16, uppercase: true)
    }

    /// The key in one line, as `minisign -P` takes it: Base64 of `Ed`, the key id and the public key.
    public var text: String { Base64.encode(Minisign.plain + id + publicKey) }

    /// The public key file, as `minisign -p` takes it.
    public var file: String { "\(Minisign.untrusted)minisign public key \(idText)\n\(text)\n" }

    /// Reads a public key file, or its second line alone.
    ///
    /// - Throws: ``MinisignFault/badKey(_:)``.
    public init(decoding text: String) throws(MinisignFault) {
        do throws(EncodingError) {
            let lines = try Minisign.lines(of: Array(text.utf8))
            guard lines.count == 1 || lines.count == 2 && lines[0].starts(with: Minisign.untrusted.utf8) else {
                throw .unsupported
            }
            (_, id, publicKey) = try Minisign.parts(
                of: lines[lines.count - 1], algorithms: [Minisign.plain], Ed25519.pointSize)
        } catch { throw .badKey(error) }
    }
}

/// The common parts of minisign's files.
enum Minisign {
    static let untrusted = "untrusted comment: "
    static let trusted = "trusted comment: "
    /// The algorithm of keys, and of signatures of a file itself.
    static let plain = Array("Ed".utf8)
    /// The algorithm of signatures of a file's digest.
    static let prehashed = Array("ED".utf8)
    static let idSize = 8

    /// Splits a file into its lines. The last line may have a line feed, or none.
    ///
    /// The lines are bytes: in text, a mark at the beginning of a comment belongs to the blank before it. A carriage
    /// return before a line feed is dropped: minisign writes one on Windows, and signs no comment that has one.
    static func lines(of bytes: [UInt8]) throws(EncodingError) -> [ArraySlice<UInt8>] {
        guard bytes.count <= WalletLimits.minisignBytes else { throw .tooLong(limit: WalletLimits.minisignBytes) }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.dropLast().map { $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0 }
            + (lines.last?.isEmpty == true ? [] : lines.suffix(1))
    }

    /// Decodes a line of an algorithm, a key id and a key or signature.
    static func parts(
        of line: ArraySlice<UInt8>, algorithms: [[UInt8]], _ size: Int
    ) throws(EncodingError) -> (algorithm: [UInt8], id: [UInt8], value: [UInt8]) {
        var reader = try ByteReader(try base64(in: line), limit: 2 + idSize + size)
        let algorithm = Array(try reader.bytes(2))
        guard algorithms.contains(algorithm) else { throw .unsupported }
        let (id, value) = (Array(try reader.bytes(idSize)), Array(try reader.bytes(size)))
        try reader.finish()
        return (algorithm, id, value)
    }

    /// Decodes a line of Base64.
    static func base64(in line: ArraySlice<UInt8>) throws(EncodingError) -> [UInt8] {
        // Bytes that are not UTF-8 become U+FFFD, which is not in the alphabet.
        try Base64.decode(String(decoding: line, as: UTF8.self))
    }
}
