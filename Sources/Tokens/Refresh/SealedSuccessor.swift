internal import Crypto

/// The successor of a redeemed token, sealed under the redeemed token: a client that presents that token again gets the
/// same successor. The store or the server's keys without the token give nothing.
struct SealedSuccessor: Sendable, Equatable {
    /// `nonce 12 | ciphertext 70 | tag 16`
    static let size = 12 + RefreshToken.size + 16
    let bytes: [UInt8]

    /// Creates it for the decoder of rows, which has counted the bytes.
    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    init(_ successor: RefreshToken, under redeemed: RefreshToken) {
        do {
            // Two racing requests seal two candidates under one key, and one of them is written. Each candidate has a
            // nonce of its own, from its hash, which the row contains anyway.
            let nonce = try AES.GCM.Nonce(data: successor.hash.prefix(12))
            let box = try AES.GCM.seal(
                successor.bytes, using: Self.key(redeemed), nonce: nonce, authenticating: redeemed.hash)
            bytes = Array(nonce) + Array(box.ciphertext) + Array(box.tag)
        } catch {
            // Only a wrong size of key or nonce would be refused, and both sizes are fixed.
            preconditionFailure("AES-256-GCM refused to seal")
        }
    }

    /// Opens the successor with the token that was redeemed for it.
    ///
    /// - Throws: ``TokensError/damaged`` if it was not sealed under this token, or is not its successor.
    func open(with redeemed: RefreshToken) throws(TokensError) -> RefreshToken {
        guard let nonce = try? AES.GCM.Nonce(data: bytes.prefix(12)),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: bytes.dropFirst(12).dropLast(16), tag: bytes.suffix(16)),
            let opened = try? AES.GCM.open(box, using: Self.key(redeemed), authenticating: redeemed.hash),
            let successor = try? RefreshToken(bytes: Array(opened)),
            successor.family == redeemed.family, successor.isNext(after: redeemed)
        else { throw .damaged }
        return successor
    }

    /// Returns HKDF-SHA256 of the redeemed token's random bytes, which are not stored. They are uniformly random, so
    /// that nothing needs to be extracted (RFC 5869 section 3.3). The family and generation are in the authenticated
    /// hash.
    private static func key(_ redeemed: RefreshToken) -> SymmetricKey {
        HKDF<SHA256>.expand(
            pseudoRandomKey: Array(redeemed.random), info: Array("fueki refresh successor 1".utf8), outputByteCount: 32)
    }
}

extension RefreshToken {
    /// Returns whether the token has the next generation.
    func isNext(after other: RefreshToken) -> Bool { generation > 0 && generation - 1 == other.generation }
}
