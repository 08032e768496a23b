internal import Crypto
internal import Secrets

/// A recovery code: a selector, by which the store finds it, and a secret, of which the store has only a hash.
struct RecoveryCode: Sendable {
    static let selectorSize = 5
    /// 112 bits: so much that NIST SP 800-63B lets look-up secrets be hashed by a plain one-way function.
    static let secretSize = TypedCode.size - selectorSize

    /// The two forms that codes have. Which one it is, its length tells.
    private enum Form: Sendable {
        /// 8 groups of 4 characters, 112 secret bits.
        case current
        /// 4 groups of 6 characters, 80 secret bits: codes that were made before the current form. They are good until they are used
        /// or replaced.
        case old
    }

    let selector: [UInt8]
    let secret: [UInt8]
    private let form: Form

    /// A new code, of the current form.
    init(random: some RandomSource) {
        selector = random.publicBytes(count: Self.selectorSize)
        secret = random.publicBytes(count: Self.secretSize)
        form = .current
    }

    /// Reads what a person typed. Nil for what cannot be a code.
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

    /// As it is shown, once.
    var text: String {
        switch form {
        case .current: TypedCode.text(of: selector + secret, .recovery)
        case .old: CrockfordBase32.encode(selector + secret, groups: 6)
        }
    }

    /// Whether hashing it costs so much that it is counted before.
    var isCostly: Bool { form == .old }

    /// Hashes a code: 32 bytes.
    ///
    /// One SHA-256 is enough: the secret is 112 bits drawn uniformly, and not chosen by a person. Who has a copy of the store finds
    /// it after 2^111 tries on average; slow hashing protects secrets that fewer tries find. The salt keeps one try from counting
    /// for every code. A key of the server would add nothing to that, and would have to be kept as long as the codes.
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

/// Codes of the form that is no longer made: 5 bytes of selector, 10 of secret, hashed by Argon2id, because 80 bits may be searched
/// one day.
enum OldRecoveryCode {
    static let size = RecoveryCode.selectorSize + 10

    /// 32 bytes, at OWASP's price for servers: 19 MiB, two passes. The codes that there are were hashed so.
    static func hash(secret: [UInt8], salt: [UInt8]) throws(Argon2id.OutOfMemory) -> [UInt8] {
        var copy = secret
        return try Argon2id.derive(
            count: 32, from: SecretBytes(moving: &copy), salt: salt, memoryKiB: 19 << 10, passes: 2
        ).withUnsafeBytes { Array($0) }
    }
}
