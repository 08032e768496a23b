internal import Crypto
internal import Encoding
public import Secrets

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The key with which the owner reads a log. The program that writes the log knows only the public half.
///
/// - Note: swift-crypto keeps a copy of the private half in its own memory while an envelope is opened.
public final class ReaderKey: Sendable {
    private let secret: SecretBytes
    /// The public half, 32 bytes (X25519).
    public let publicKey: [UInt8]

    /// Creates a key from the 32 bytes of its private half, which a vault keeps.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` for another size.
    public init(_ secret: consuming SecretBytes) throws(AuditLogError) {
        let key = secret.withUnsafeBytes { try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }
        guard let key else { throw .outsideLimits }
        publicKey = [UInt8](key.publicKey.rawRepresentation)
        self.secret = secret
    }

    /// Creates a key from the 64 hexadecimal digits of its private half.
    ///
    /// - Throws: ``AuditLogError/outsideLimits`` for another number of digits, or another character.
    public convenience init(hexadecimal digits: borrowing SecretBytes) throws(AuditLogError) {
        let key = digits.withUnsafeBytes { digits -> SecretBytes? in
            guard digits.count == 64 else { return nil }
            return try? SecretBytes(count: 32) { (memory) throws(AuditLogError) in
                for offset in memory.indices {
                    guard let high = Self.value(digits[2 * offset]), let low = Self.value(digits[2 * offset + 1]) else {
                        throw .outsideLimits
                    }
                    memory[offset] = high << 4 | low
                }
            }
        }
        guard let key else { throw .outsideLimits }
        try self.init(key)
    }

    /// Returns the value of a digit, without a table that the cache would reveal.
    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }

    /// Opens an envelope (RFC 9180, base mode). Nil if it is not for this key.
    func open(_ envelope: [UInt8], context: [UInt8]) -> SecretBytes? {
        let plaintext = secret.withUnsafeBytes { secret -> [UInt8]? in
            guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret),
                var recipient = try? HPKE.Recipient(
                    privateKey: key, ciphersuite: Envelope.suite, info: Data(context),
                    encapsulatedKey: Data(envelope.prefix(32))),
                var plaintext = try? recipient.open(envelope.dropFirst(32))
            else { return nil }
            // swift-crypto returns the plaintext in one ordinary allocation with no other reference.
            defer { plaintext.withUnsafeMutableBytes { wipe($0) } }
            return [UInt8](plaintext)
        }
        guard var plaintext, plaintext.count == 64 else { return nil }
        return SecretBytes(moving: &plaintext)
    }
}

/// The sealing of an epoch's secret to the reader.
enum Envelope {
    static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly

    static func context(log: TreeHash, sequence: UInt64) -> [UInt8] {
        Purpose.envelope + log.bytes + sequence.bigEndianBytes
    }

    /// Seals a secret. HPKE draws its one-time key from the system, not from the random source of the log.
    static func seal(
        _ secret: borrowing SecretBytes, to reader: [UInt8], context: [UInt8]
    ) throws(AuditLogError) -> [UInt8] {
        let envelope = secret.withUnsafeBytes { secret -> [UInt8]? in
            guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: reader),
                var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: suite, info: Data(context)),
                let sealed = try? sender.seal(secret)
            else { return nil }
            return [UInt8](sender.encapsulatedKey) + [UInt8](sealed)
        }
        // A reader's key of low order has no shared secret.
        guard let envelope, envelope.count == SealedEntry.Opening.envelopeSize else { throw .outsideLimits }
        return envelope
    }
}
