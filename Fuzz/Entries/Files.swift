internal import Curves
internal import Encoding
internal import Secrets

@testable internal import Wallet

extension FuzzEntry {
    /// The files of minisign, and the payload of a file's signature.
    static let files: [FuzzEntry] = [
        FuzzEntry("file-to-sign", seeds: [try SeedFile.toSign.encoded]) { try FileToSign(decoding: $0).encoded },
        // The untrusted comment, the ends of lines and the file around a key may differ.
        FuzzEntry("minisign-key", texts: [SeedFile.key.file, SeedFile.key.text]) { text in
            let key = try MinisignKey(decoding: text)
            precondition((try? MinisignKey(decoding: key.file)) == key, "written differently")
            return text
        },
        FuzzEntry("minisign-signature", texts: [try SeedFile.signature().text]) { text in
            let signature = try MinisignSignature(decoding: Array(text.utf8))
            precondition(
                (try? MinisignSignature(decoding: Array(signature.text.utf8))) == signature, "written differently")
            _ = try? signature.trustedComment(on: SeedFile.digest, by: SeedFile.key)
            return text
        },
    ]
}

/// A file that a known key signs.
enum SeedFile {
    private static let seed = [UInt8](repeating: 7, count: EdDSA.seedSize)
    private static let publicKey = EdDSA.publicKey(ofSeed: secret(seed))
    static let key = MinisignKey(ofWallet: publicKey)

    static var digest: FileDigest {
        var hasher = FileDigest.Hasher()
        hasher.update("hello".utf8)
        return hasher.finalize()
    }

    static var toSign: FileToSign {
        get throws { try FileToSign(digest, comment: "file:hello.txt", publicKey: publicKey) }
    }

    static func signature() throws -> MinisignSignature {
        let file = try toSign
        let first = EdDSA.sign(message: file.message, seed: secret(seed))
        return try MinisignSignature(
            of: file, signature: first,
            globalSignature: EdDSA.sign(message: file.globalMessage(after: first), seed: secret(seed)))
    }
}
