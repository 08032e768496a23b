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

    /// The key id as minisign prints it: 16 hexadecimal digits, the last byte first.
    public var idText: String { Hex.encode(id.reversed()).uppercased() }

    /// The key in one line, as `minisign -P` takes it: Base64 of `Ed`, the key id and the public key.
    public var text: String { Base64.encode(Minisign.plain + id + publicKey) }

    /// The public key file, as `minisign -p` takes it.
    public var file: String { "\(Minisign.untrusted)minisign public key \(idText)\n\(text)\n" }

    /// Reads a public key file, or its second line alone.
    ///
    /// - Throws: ``MinisignFault/badKey(_:)``.
    public init(decoding text: String) throws(MinisignFault) {
        do throws(EncodingError) {
            let lines = try Minisign.lines(of: text)
            guard lines.count == 1 || lines.count == 2 && lines[0].hasPrefix(Minisign.untrusted) else {
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

    /// Splits a text into its lines. The last line may have a line feed, or none.
    static func lines(of text: String) throws(EncodingError) -> [String] {
        guard text.utf8.count <= WalletLimits.minisignBytes else { throw .tooLong(limit: WalletLimits.minisignBytes) }
        // Characters would take a carriage return and a line feed for one.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
        return (lines.last?.isEmpty == true ? lines.dropLast() : lines[...]).map(String.init)
    }

    /// Decodes a line of an algorithm, a key id and a key or signature.
    static func parts(
        of line: String, algorithms: [[UInt8]], _ size: Int
    ) throws(EncodingError) -> (algorithm: [UInt8], id: [UInt8], value: [UInt8]) {
        var reader = try ByteReader(try Base64.decode(line), limit: 2 + idSize + size)
        let algorithm = Array(try reader.bytes(2))
        guard algorithms.contains(algorithm) else { throw .unsupported }
        let (id, value) = (Array(try reader.bytes(idSize)), Array(try reader.bytes(size)))
        try reader.finish()
        return (algorithm, id, value)
    }
}
