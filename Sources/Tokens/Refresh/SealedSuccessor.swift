internal import Crypto

/// The successor of a redeemed token, sealed under the redeemed token: whoever presents it again gets the same successor, and
/// whoever has the store, or the server's keys, and not the token, gets nothing.
struct SealedSuccessor: Sendable, Equatable {
    /// `nonce 12 | ciphertext 70 | tag 16`
    static let size = 12 + RefreshToken.size + 16
    let bytes: [UInt8]

    /// For the decoder of rows, which has counted the bytes.
    init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    init(_ successor: RefreshToken, under redeemed: RefreshToken) {
        do {
            // Two requests that race seal two candidates under one key, and one of the two is written. Each candidate has a
            // nonce of its own, from its hash, which the row has anyway.
            let nonce = try AES.GCM.Nonce(data: successor.hash.prefix(12))
            let box = try AES.GCM.seal(
                successor.bytes, using: Self.key(redeemed), nonce: nonce, authenticating: redeemed.hash)
            bytes = Array(nonce) + Array(box.ciphertext) + Array(box.tag)
        } catch {
            // Only a key or a nonce of a wrong size is refused, and both sizes are fixed.
            preconditionFailure("AES-256-GCM refused to seal")
        }
    }

    /// - Throws: ``TokensError/damaged`` if it was not sealed under this token, or is no successor of it.
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

    /// HKDF-SHA256 of the redeemed token's random bytes, which nobody stores. They are uniformly random, so that there is
    /// nothing to extract (RFC 5869 section 3.3). The family and generation are in the hash that is authenticated.
    private static func key(_ redeemed: RefreshToken) -> SymmetricKey {
        HKDF<SHA256>.expand(
            pseudoRandomKey: Array(redeemed.random), info: Array("fueki refresh successor 1".utf8), outputByteCount: 32)
    }
}

extension RefreshToken {
    /// Whether the token has the generation that follows.
    func isNext(after other: RefreshToken) -> Bool { generation > 0 && generation - 1 == other.generation }
}
