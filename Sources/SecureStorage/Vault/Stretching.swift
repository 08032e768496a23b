internal import Crypto
internal import CryptoExtras
package import Secrets

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The derivation of a key from a passphrase, with its cost.
package enum Stretching: Equatable, Sendable {
    /// Argon2id with one lane, for all written slots.
    case argon2id(memoryKiB: UInt32, passes: UInt32)
    /// PBKDF2-HMAC-SHA256: only read, in vaults of older software.
    case pbkdf2(rounds: UInt32)

    /// The cost of every new slot in a release build: 64 MiB and three passes (RFC 9106, section 4, second choice, with
    /// one lane).
    package static let full = Stretching.argon2id(memoryKiB: 64 * 1024, passes: 3)

    /// The lowest cost that ``Limits`` allow: 19 MiB and two passes (OWASP's minimum).
    package static let least = Stretching.argon2id(
        memoryKiB: Limits.argon2MemoryKiB.lowerBound, passes: Limits.argon2Passes.lowerBound)

    #if DEBUG
        /// The cost of every new slot: ``full`` in a release build. A debug build runs the tests, which open thousands
        /// of vaults, and at the full cost more than half of their time would be Argon2id.
        package static let standard = least
    #else
        package static let standard = full
    #endif

    static let saltSize = Argon2id.saltSize

    /// Whether a slot is to be rewritten with Argon2id at the next use of its passphrase.
    var isLegacy: Bool {
        switch self {
        case .argon2id: false
        case .pbkdf2: true
        }
    }

    /// Refuses a cost outside ``Limits``, before the work is done.
    ///
    /// The floor is against a file that was weakened to be guessed later: rewriting it would protect new secrets no
    /// better. The ceiling is against a file that exhausts the reader's machine.
    func checkPrice() throws(SecureStorageError) {
        switch self {
        case .argon2id(let memoryKiB, let passes):
            guard memoryKiB >= Limits.argon2MemoryKiB.lowerBound, passes >= Limits.argon2Passes.lowerBound
            else { throw .tooWeakKDF }
            guard memoryKiB <= Limits.argon2MemoryKiB.upperBound, passes <= Limits.argon2Passes.upperBound
            else { throw .tooCostlyKDF }
        case .pbkdf2(let rounds):
            guard rounds >= Limits.pbkdf2Rounds.lowerBound else { throw .tooWeakKDF }
            guard rounds <= Limits.pbkdf2Rounds.upperBound else { throw .tooCostlyKDF }
        }
    }
}

/// Derives a 32-byte key from a passphrase. A value, so that tests that open thousands of vaults can replace it with a
/// cheap one; the real one cannot open what such a test writes.
package struct Stretcher: Sendable {
    package typealias Derivation =
        @Sendable (borrowing SecretBytes, Stretching, [UInt8]) throws(SecureStorageError) -> SecretBytes

    let derive: Derivation

    package init(derive: @escaping Derivation) { self.derive = derive }

    /// The derivations that the format defines.
    package static let real = Stretcher { passphrase, stretching, salt throws(SecureStorageError) in
        try stretching.checkPrice()
        switch stretching {
        case .argon2id(let memoryKiB, let passes):
            do {
                return try Argon2id.derive(
                    count: Sealing.keySize, from: passphrase, salt: salt, memoryKiB: memoryKiB, passes: passes)
            } catch {
                throw .outOfMemory
            }
        case .pbkdf2(let rounds):
            guard let key = pbkdf2(passphrase, salt: salt, rounds: Int(rounds)) else { throw .outOfMemory }
            return key
        }
    }

    /// Returns PBKDF2-HMAC-SHA256 (RFC 8018, section 5.2) with 32 bytes of output; nil if the library refuses.
    static func pbkdf2(_ passphrase: borrowing SecretBytes, salt: [UInt8], rounds: Int) -> SecretBytes? {
        let key = passphrase.withUnsafeBytes { passphrase in
            try? KDF.Insecure.PBKDF2.deriveKey(
                from: passphrase, salt: salt, using: .sha256, outputByteCount: Sealing.keySize,
                unsafeUncheckedRounds: rounds)
        }
        guard let key else { return nil }
        return SecretBytes(count: Sealing.keySize) { memory in key.withUnsafeBytes { memory.copyMemory(from: $0) } }
    }
}
