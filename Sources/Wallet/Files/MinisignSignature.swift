internal import Curves
public import DisplayText
internal import Encoding

/// A minisign signature file of a file's digest: the signature of the digest, and the signature of that signature with
/// the trusted comment.
///
/// Its comments are unverified; ``trustedComment(on:by:)`` returns the trusted one after it verified both signatures.
public struct MinisignSignature: Hashable, Sendable {
    private let untrustedComment: String
    private let id: [UInt8]
    private let signature: [UInt8]
    /// The bytes of the trusted comment: those of another program need not be UTF-8.
    private let comment: [UInt8]
    private let globalSignature: [UInt8]

    /// Verifies the two signatures of a file by the wallet's key, and makes the signature file.
    ///
    /// - Throws: ``MinisignFault/badSignature``, ``MinisignFault/badTrustedComment``.
    init(of file: FileToSign, signature: [UInt8], globalSignature: [UInt8]) throws(MinisignFault) {
        id = file.key.id
        untrustedComment = "signature by key \(file.key.idText)"
        (self.signature, comment, self.globalSignature) = (signature, Array(file.comment.utf8), globalSignature)
        _ = try trustedComment(on: file.digest, by: file.key)
    }

    /// Verifies the signature of a file.
    ///
    /// - Returns: the trusted comment, safe to show; bytes that are not UTF-8 are U+FFFD.
    /// - Throws: ``MinisignFault/otherKey``, ``MinisignFault/badSignature``, ``MinisignFault/badTrustedComment``.
    public func trustedComment(on file: FileDigest, by key: MinisignKey) throws(MinisignFault) -> SanitizedText {
        guard id == key.id else { throw .otherKey }
        guard EdDSA.isValid(signature: signature, message: file.blake2b, publicKey: key.publicKey) else {
            throw .badSignature
        }
        guard EdDSA.isValid(signature: globalSignature, message: signature + comment, publicKey: key.publicKey) else {
            throw .badTrustedComment
        }
        return SanitizedText(
            String(decoding: comment, as: UTF8.self), limit: WalletLimits.minisignBytes, lines: .one)
    }

    /// The signature file, without the last line feed.
    public var text: String {
        """
        \(Minisign.untrusted)\(untrustedComment)
        \(Base64.encode(Minisign.prehashed + id + signature))
        \(Minisign.trusted)\(String(decoding: comment, as: UTF8.self))
        \(Base64.encode(globalSignature))
        """
    }

    /// Reads a signature file.
    ///
    /// - Throws: ``MinisignFault/badSignatureFile(_:)``, ``MinisignFault/legacySignature``.
    public init(decoding bytes: [UInt8]) throws(MinisignFault) {
        let algorithm: [UInt8]
        do throws(EncodingError) {
            let lines = try Minisign.lines(of: bytes)
            guard lines.count == 4, lines[0].starts(with: Minisign.untrusted.utf8),
                lines[2].starts(with: Minisign.trusted.utf8)
            else { throw .unsupported }
            untrustedComment = String(decoding: lines[0].dropFirst(Minisign.untrusted.utf8.count), as: UTF8.self)
            (algorithm, id, signature) = try Minisign.parts(
                of: lines[1], algorithms: [Minisign.prehashed, Minisign.plain], EdDSA.signatureSize)
            comment = Array(lines[2].dropFirst(Minisign.trusted.utf8.count))
            globalSignature = try Minisign.base64(in: lines[3])
            guard globalSignature.count == EdDSA.signatureSize else { throw .truncated }
        } catch { throw .badSignatureFile(error) }
        guard algorithm == Minisign.prehashed else { throw .legacySignature }
    }
}
