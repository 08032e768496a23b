internal import Crypto
internal import CryptoExtras
internal import Secrets

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// AES-128 in counter mode (NIST SP 800-38A, 6.5), which Ethereum's keystore requires. It does not authenticate: the
/// caller has checked a code over the ciphertext.
enum AESCounterMode {
    /// Decrypts a ciphertext.
    ///
    /// - Parameters:
    ///   - key: 16 bytes.
    ///   - counter: the counter of the first block, 16 bytes.
    static func apply(to ciphertext: [UInt8], key: borrowing SecretBytes, counter: [UInt8]) -> SecretBytes {
        do {
            let key = key.withUnsafeBytes { SymmetricKey(data: $0) }
            var plaintext = try AES._CTR.decrypt(ciphertext, using: key, nonce: AES._CTR.Nonce(nonceBytes: counter))
            // swift-crypto returns the plaintext in one ordinary allocation with no other reference, which is wiped in
            // place.
            return SecretBytes(count: plaintext.count) { memory in
                plaintext.withUnsafeMutableBytes { bytes in
                    memory.copyMemory(from: UnsafeRawBufferPointer(bytes))
                    wipe(bytes)
                }
            }
        } catch {
            preconditionFailure("AES in counter mode refuses nothing but keys and counters of another size")
        }
    }
}
