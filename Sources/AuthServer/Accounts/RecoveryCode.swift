internal import Encoding
internal import Secrets

/// A recovery code: a selector, by which the store finds it, and a secret, of which the store has only an Argon2id hash.
///
/// Shown as four groups of six characters of Crockford's base 32 (24 characters, 120 bits: 40 of the selector, 80 secret).
/// It is not in guarded memory: it is a text that a person reads, and travels in a request or an answer.
struct RecoveryCode {
    static let selectorSize = 5
    static let secretSize = 10
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    let selector: [UInt8]
    let secret: [UInt8]

    init(random: some RandomSource) {
        selector = random.publicBytes(count: Self.selectorSize)
        secret = random.publicBytes(count: Self.secretSize)
    }

    /// Reads what a person typed: blanks and dashes do not count, nor the case of letters; O is 0, and I and L are 1.
    ///
    /// Nil for anything else.
    init?(_ text: String) {
        var bits: UInt64 = 0
        var count = 0
        var bytes: [UInt8] = []
        for character in text.uppercased().utf8 where character != UInt8(ascii: " ") && character != UInt8(ascii: "-") {
            let meant: UInt8 =
                switch character {
                case UInt8(ascii: "O"): UInt8(ascii: "0")
                case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
                default: character
                }
            guard let value = Self.alphabet.firstIndex(of: meant), bytes.count < 15 else { return nil }
            bits = bits << 5 | UInt64(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(count)))
            }
        }
        guard bytes.count == Self.selectorSize + Self.secretSize, count == 0 else { return nil }
        selector = Array(bytes.prefix(Self.selectorSize))
        secret = Array(bytes.suffix(Self.secretSize))
    }

    /// As it is shown, once.
    var text: String {
        var characters: [UInt8] = []
        let bytes = selector + secret
        for group in stride(from: 0, to: bytes.count, by: 5) {
            let bits = bytes[group..<(group + 5)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            for shift in stride(from: UInt64(35), through: 0, by: -5) {
                characters.append(Self.alphabet[Int(bits >> shift & 31)])
            }
        }
        return stride(from: 0, to: characters.count, by: 6)
            .map { String(decoding: characters[$0..<($0 + 6)], as: UTF8.self) }.joined(separator: "-")
    }

    /// Argon2id over the secret: 32 bytes. What a copy of the store costs to search is 2^80 of these.
    ///
    /// - Parameter salt: 16 bytes.
    func hash(salt: [UInt8], cost: Cost) throws(Argon2id.OutOfMemory) -> SecretBytes {
        var copy = secret
        return try Argon2id.derive(
            count: 32, from: SecretBytes(moving: &copy), salt: salt, memoryKiB: cost.memoryKiB, passes: cost.passes)
    }

    /// What Argon2id may take.
    struct Cost: Sendable {
        let passes: UInt32
        let memoryKiB: UInt32

        /// OWASP's for servers: 19 MiB, two passes. The secret is random, so that this is a second wall, not the first.
        static let standard = Cost(passes: 2, memoryKiB: 19 << 10)
    }
}
