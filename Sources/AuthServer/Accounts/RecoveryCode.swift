internal import Crypto
internal import Secrets

/// A recovery code: a selector, by which the store finds it, and a secret. The store has only a hash of the secret.
struct RecoveryCode: Sendable {
    static let selectorSize = 5
    /// The size of the secret in bytes: 112 bits. From this size on NIST SP 800-63B lets look-up secrets be hashed by a
    /// plain one-way function.
    static let secretSize = TypedCode.size - selectorSize

    /// The two forms of codes. The length of a code shows its form.
    private enum Form: Sendable {
        /// 8 groups of 4 characters, 112 secret bits.
        case current
        /// 4 groups of 6 characters, 80 secret bits: the form of codes from before the current form. They are valid
        /// until they are used or replaced.
        case old
    }

    let selector: [UInt8]
    let secret: [UInt8]
    private let form: Form

    /// Makes a new code, of the current form.
    init(random: some RandomSource) {
        selector = random.publicBytes(count: Self.selectorSize)
        secret = random.publicBytes(count: Self.secretSize)
        form = .current
    }

    /// Parses a code that a person typed. Returns nil for any text that is not a code.
    init?(_ text: String) {
        let bytes: [UInt8]
        if let current = TypedCode.bytes(of: text, .recovery) {
            (bytes, form) = (current, .current)
        } else if let old = CrockfordBase32.decode(text, count: OldRecoveryCode.size) {
            (bytes, form) = (old, .old)
        } else {
            return nil
        }
        selector = Array(bytes.prefix(Self.selectorSize))
        secret = Array(bytes.dropFirst(Self.selectorSize))
    }

    /// The text of the code, which is shown once.
    var text: String {
        switch form {
        case .current: TypedCode.text(of: selector + secret, .recovery)
        case .old: CrockfordBase32.encode(selector + secret, groups: 6)
        }
    }

    /// Whether hashing the code is so costly that the attempt is counted before.
    var isCostly: Bool { form == .old }

    /// Hashes a code: 32 bytes.
    ///
    /// One SHA-256 is enough: the secret is 112 bits drawn uniformly, and not chosen by a person. An attacker with a
    /// copy of the store needs 2^111 tries on average; slow hashing protects secrets that fewer tries find. The salt
    /// keeps one try from testing all codes at once. A key of the server would add nothing to that, and would have to
    /// be kept as long as the codes.
    ///
    /// - Parameter salt: 16 bytes.
    /// - Throws: ``Problem`` with ``ProblemCode/unavailable`` if too many codes of the old form wait to be hashed.
    func hash(salt: [UInt8], old: RecoveryHashing) async throws -> [UInt8] {
        switch form {
        case .current:
            var hash = SHA256()
            hash.update(data: Array("fuekid recovery code\0".utf8))
            hash.update(data: salt)
            hash.update(data: selector)
            hash.update(data: secret)
            return Array(hash.finalize())
        case .old: return try await old.hash(secret, salt: salt)
        }
    }
}

/// Recovery codes of the old form, which the server still accepts: 5 bytes of selector, 10 of secret. Their secret is
/// hashed by Argon2id, because a search of 80 bits may become feasible.
enum OldRecoveryCode {
    static let size = RecoveryCode.selectorSize + 10

    /// Hashes a secret: 32 bytes, with OWASP's parameters for servers, 19 MiB and two passes. The existing codes were
    /// hashed with these.
    static func hash(secret: [UInt8], salt: [UInt8]) throws(Argon2id.OutOfMemory) -> [UInt8] {
        var copy = secret
        return try Argon2id.derive(
            count: 32, from: SecretBytes(moving: &copy), salt: salt, memoryKiB: 19 << 10, passes: 2
        ).withUnsafeBytes { Array($0) }
    }
}
