internal import Curves
internal import Encoding

/// A file that a wallet's Ed25519 key signs for minisign: the key, the file's digest and size, and the trusted comment.
///
/// It takes two signatures by the same key: of the digest (64 bytes), and of that signature with the comment behind it.
/// The comment is never empty, so the second message is longer than any first message, and neither can stand for the
/// other. The key signs nothing else.
public struct FileToSign: Hashable, Sendable {
    /// The wallet's key.
    public let key: MinisignKey
    /// The file's digest and size. The signatures cover the digest; the size helps the person who compares.
    public let digest: FileDigest
    /// The trusted comment: one line, which the second signature covers.
    public let comment: String

    /// Creates what the wallet with this key is to sign.
    ///
    /// - Parameters:
    ///   - publicKey: the wallet's Ed25519 key, 32 bytes. A participant refuses another key than its own.
    ///   - comment: the trusted comment: 1 to 1,024 bytes of UTF-8 without control characters.
    /// - Throws: ``MinisignFault/unsignableComment``.
    public init(_ digest: FileDigest, comment: String, publicKey: [UInt8]) throws(MinisignFault) {
        guard (1...WalletLimits.trustedCommentBytes).contains(comment.utf8.count),
            !comment.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .unsignableComment }
        key = MinisignKey(ofWallet: publicKey)
        self.digest = digest
        self.comment = comment
    }

    /// The first message to sign.
    public var message: [UInt8] { digest.blake2b }

    /// Returns the second message to sign.
    ///
    /// - Parameter signature: the signature of ``message``.
    public func globalMessage(after signature: [UInt8]) -> [UInt8] { signature + Array(comment.utf8) }

    /// The content of a ``SigningPayload``: public key (32), digest (64), size (8, big-endian), comment.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(key.publicKey)
        writer.append(digest.blake2b)
        writer.bigEndian(digest.size)
        writer.append(comment.utf8)
        return writer.bytes
    }

    /// - Throws: ``WalletError/malformed(_:)``, ``WalletError/file(_:)``.
    init(decoding bytes: [UInt8]) throws(WalletError) {
        let (key, digest, comment): ([UInt8], FileDigest, String)
        do throws(EncodingError) {
            var reader = try ByteReader(
                bytes, limit: Ed25519.pointSize + BLAKE2b.size + 8 + WalletLimits.trustedCommentBytes)
            key = Array(try reader.bytes(Ed25519.pointSize))
            let hash = Array(try reader.bytes(BLAKE2b.size))
            digest = FileDigest(size: try reader.bigEndian(UInt64.self), blake2b: hash)
            guard let text = String(validating: reader.rest(), as: UTF8.self) else { throw .notCanonical }
            comment = text
        } catch { throw .malformed(error) }
        do { try self.init(digest, comment: comment, publicKey: key) } catch { throw .file(error) }
    }
}
