package import Crypto
package import Secrets

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// AES-256-GCM with keys that are used once, and the derivation of the keys.
///
/// Every key comes from a salt that was drawn for one message, so the nonce can be constant: no key is used for two
/// messages, even if an old copy of a vault is restored and written again, which would repeat any counter.
package enum Sealing {
    /// The number of bytes that sealing adds.
    package static let overhead = 16
    static let saltSize = 32
    static let keySize = 32
    static let nonce = [UInt8](repeating: 0, count: 12)

    /// Derives a key for one use: HKDF-SHA256 (RFC 5869) of the secret, the salt, and the purpose.
    package static func key(from secret: borrowing SecretBytes, salt: [UInt8], purpose: [UInt8]) -> SymmetricKey {
        secret.withUnsafeBytes { secret in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), salt: salt, info: purpose, outputByteCount: keySize)
        }
    }

    /// Derives 32 secret bytes that leave this library: as ``key(from:salt:purpose:)``.
    static func secret(from secret: borrowing SecretBytes, salt: [UInt8], purpose: [UInt8]) -> SecretBytes {
        let key = key(from: secret, salt: salt, purpose: purpose)
        return SecretBytes(count: keySize) { memory in key.withUnsafeBytes { memory.copyMemory(from: $0) } }
    }

    /// Returns the ciphertext, followed by the 16-byte tag.
    ///
    /// - Parameter key: a key from ``key(from:salt:purpose:)`` that seals nothing else.
    package static func seal(
        _ plaintext: UnsafeRawBufferPointer, key: SymmetricKey, bindingTo context: [UInt8]
    ) -> [UInt8] {
        seal(plaintext, key: key, bindingTo: context, nonce: nonce)
    }

    static func seal(
        _ plaintext: UnsafeRawBufferPointer, key: SymmetricKey, bindingTo context: [UInt8], nonce: [UInt8]
    ) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(
                plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce), authenticating: context)
            return [UInt8](box.ciphertext) + [UInt8](box.tag)
        } catch {
            // Only a wrong size of key or nonce would be refused, and both sizes are fixed above.
            preconditionFailure("AES-256-GCM refused to seal")
        }
    }

    /// Returns the plaintext, or nil if a byte, the key or the context differs.
    package static func open(
        _ sealed: some Collection<UInt8>, key: SymmetricKey, bindingTo context: [UInt8]
    ) -> SecretBytes? {
        open(sealed, key: key, bindingTo: context, nonce: nonce)
    }

    static func open(
        _ sealed: some Collection<UInt8>, key: SymmetricKey, bindingTo context: [UInt8], nonce: [UInt8]
    ) -> SecretBytes? {
        guard sealed.count >= overhead else { return nil }
        let ciphertext = [UInt8](sealed.dropLast(overhead))
        let tag = [UInt8](sealed.suffix(overhead))
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: ciphertext, tag: tag),
            var plaintext = try? AES.GCM.open(box, using: key, authenticating: context)
        else { return nil }
        // swift-crypto returns the plaintext in one ordinary allocation with no other reference, which is wiped in
        // place.
        return SecretBytes(count: plaintext.count) { memory in
            plaintext.withUnsafeMutableBytes { bytes in
                memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
                wipe(bytes)
            }
        }
    }

    package static func authenticationCode(of bytes: [UInt8], key: SymmetricKey) -> [UInt8] {
        [UInt8](HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }

    package static func digest(of bytes: some Collection<UInt8>) -> [UInt8] {
        [UInt8](SHA256.hash(data: [UInt8](bytes)))
    }
}
