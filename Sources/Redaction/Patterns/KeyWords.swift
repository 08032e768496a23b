internal import Mnemonics

/// The words that tell what stands next to them. Up to eight letters are one number, the last one in its lowest byte.
enum KeyWords {
    static let longestWord = 8
    /// How far before a number of 64 digits a word may stand that makes it a private key, in bytes.
    static let reach = 48

    /// Sets that a scan asks for every word.
    struct Tables {
        /// The words of BIP-39's list.
        let mnemonic = WordTable(
            EnglishWords.text.utf8.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }).map(
                packed))
        /// Schemes of HTTP authentication whose credentials are one token.
        let schemes = WordTable(["bearer", "basic", "dpop"].map { packed($0.utf8) })
        let tokenPrefixes = WordTable(Array(KeyWords.tokenPrefixes.keys))
        let endings = WordTable(KeyWords.endings)
    }

    static let tables = Tables()

    static let longestPrefix = 6
    /// How services mark their tokens, with the fewest characters that follow: GitHub, GitLab, Slack, Stripe, npm, PyPI.
    static let tokenPrefixes: [UInt64: Int] = Dictionary(
        uniqueKeysWithValues: [
            ("ghp", 30), ("gho", 30), ("ghu", 30), ("ghs", 30), ("ghr", 30), ("github", 40), ("glpat", 20),
            ("xoxb", 20),
            ("xoxp", 20), ("xoxa", 20), ("xapp", 20), ("sk", 20), ("rk", 20), ("npm", 30), ("pypi", 40), ("hvs", 20),
        ].map { (packed($0.0.utf8), $0.1) })

    /// What names of secrets end with, in letters: `client_secret`, `X-MBX-APIKEY`, `walletPassphrase`. Of a longer word
    /// the last eight letters count.
    static let endings: [UInt64] = Array(
        Set(
            [
                "password", "passwort", "passwd", "pwd", "phrase", "passphrase", "secret", "secretkey", "token",
                "apikey",
                "apisecret", "apisign", "privatekey", "privkey", "accesskey", "signingkey", "encryptionkey",
                "masterkey",
                "mnemonic", "seed", "seedwords", "recoverycode", "authorization", "cookie", "credential", "credentials",
                "sessionid", "jwt", "xprv", "wif", "bearer", "dpop", "secrets", "passwords", "tokens", "pin",
            ].map { packed($0.utf8.suffix(longestWord)) }))

    /// Names whose values go to the end of the line.
    static let headers: Set<UInt64> = Set(
        ["authorization", "cookie"].map { packed($0.utf8.suffix(longestWord)) })

    static let token = packed("token".utf8)
    /// Names whose values are no ordinary words, whatever they look like.
    static let passwords: Set<UInt64> = Set(
        ["password", "passwort", "passwd", "pwd", "phrase"].map { packed($0.utf8) })
    /// Names of values that are several words.
    static let phrases: Set<UInt64> = Set(["phrase", "mnemonic"].map { packed($0.utf8) })

    static func packed(_ letters: some Sequence<UInt8>) -> UInt64 { letters.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Whether a text calls what stands at a place a private key.
    static func arePrivate(before end: Int, in text: ScannedText) -> Bool {
        var (letters, place) = (UInt64(0), max(0, end - reach))
        while place < end {
            if let size = RedactedKind.marker(at: place, in: text) {
                // The words of a marker are nobody's.
                (letters, place) = (0, place + size)
                continue
            }
            letters = letters << 8 | UInt64(text[place].lowercased)
            place += 1
            if letters & 0xFFFF_FFFF == priv || letters & 0xFFFF_FFFF == seed { return true }
            if letters & 0xFFFF_FFFF_FFFF == secret { return true }
        }
        return false
    }

    private static let priv = packed("priv".utf8)
    private static let seed = packed("seed".utf8)
    private static let secret = packed("secret".utf8)
}

/// A set of packed words with one look-up for each question.
struct WordTable {
    private let slots: [UInt64]
    private let shift: UInt64

    init(_ words: [UInt64]) {
        let bits = Int.bitWidth - (8 * words.count).leadingZeroBitCount
        shift = UInt64(UInt64.bitWidth - bits)
        var slots = [UInt64](repeating: 0, count: 1 << bits)
        for word in words {
            var slot = Self.slot(word, shift)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = word
        }
        self.slots = slots
    }

    func contains(_ word: UInt64) -> Bool {
        var slot = Self.slot(word, shift)
        while slots[slot] != 0 {
            if slots[slot] == word { return true }
            slot = (slot + 1) & (slots.count - 1)
        }
        return false
    }

    private static func slot(_ word: UInt64, _ shift: UInt64) -> Int { Int((word &* 0x9E37_79B9_7F4A_7C15) >> shift) }
}
