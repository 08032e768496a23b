internal import Curves
internal import DisplayText
public import Secrets

/// A mnemonic (BIP-39), in English: 12, 15, 18, 21 or 24 words that a wallet's owner writes down.
///
/// The value contains the entropy of the words. No other word list is supported; its mnemonics are refused as unknown
/// words.
public struct Mnemonic: ~Copyable, Sendable {
    /// The number of words, which determines the entropy.
    public enum WordCount: Int, CaseIterable, Hashable, Sendable {
        /// 12 words, of 128 bits of entropy.
        case twelve = 12
        /// 15 words, of 160 bits of entropy.
        case fifteen = 15
        /// 18 words, of 192 bits of entropy.
        case eighteen = 18
        /// 21 words, of 224 bits of entropy.
        case twentyOne = 21
        /// 24 words, of 256 bits of entropy.
        case twentyFour = 24

        /// The size of the entropy: 4 bytes for every 3 words; the rest of their 33 bits is the checksum.
        public var entropySize: Int { rawValue / 3 * 4 }

        var checksumBits: Int { rawValue / 3 }

        fileprivate init?(entropySize: Int) {
            guard let count = Self.allCases.first(where: { $0.entropySize == entropySize }) else { return nil }
            self = count
        }
    }

    /// An error in words, entropy or a passphrase. It contains numbers only, never a word.
    public enum Fault: Error, Equatable, Sendable {
        /// Neither 12, 15, 18, 21 nor 24 words.
        case wordCount(Int)
        /// The word at this position, counted from 1, is not in the list.
        case unknownWord(position: Int)
        /// All words are known, but the checksum is wrong: a word was miswritten, or two were exchanged.
        case badChecksum
        /// Neither 16, 20, 24, 28 nor 32 bytes of entropy.
        case entropySize(Int)
        /// Text that is not UTF-8.
        case notText
        /// More text than ``Mnemonic/maximumTextSize``.
        case tooLong
    }

    /// The maximum size of words, and of a passphrase, in bytes. 24 words take about 220; ordering marks takes a time
    /// that grows with the square.
    public static let maximumTextSize = NFKD.maximumSize

    /// The number of words.
    public let wordCount: WordCount
    private let bytes: SecretBytes

    /// Creates the mnemonic of this entropy.
    ///
    /// - Throws: ``Fault/entropySize(_:)``.
    public init(entropy: borrowing SecretBytes) throws(Fault) {
        guard let count = WordCount(entropySize: entropy.count) else { throw .entropySize(entropy.count) }
        wordCount = count
        bytes = entropy.clone()
    }

    /// Creates a random mnemonic.
    public init(_ wordCount: WordCount, from random: some RandomSource) {
        self.wordCount = wordCount
        bytes = SecretBytes(count: wordCount.entropySize, from: random)
    }

    /// Reads words from UTF-8 text.
    ///
    /// Any white space may be before, between and after the words. Letters may be upper case: keyboards capitalise the
    /// first one, and no two words differ in case only. Each word is compared with the whole list; the time reveals the
    /// words' lengths.
    ///
    /// - Throws: ``Fault``, all but ``Fault/entropySize(_:)``.
    public init(words text: borrowing SecretBytes) throws(Fault) {
        let reader = try MnemonicReader(of: text)
        guard let wordCount = WordCount(rawValue: reader.count) else { throw .wordCount(reader.count) }
        if let position = reader.firstUnknown { throw .unknownWord(position: position) }
        let entropy = try Self.entropy(of: reader, wordCount)
        self.wordCount = wordCount
        bytes = entropy
    }

    private static func entropy(
        of reader: borrowing MnemonicReader, _ wordCount: WordCount
    ) throws(Fault) -> SecretBytes {
        let size = wordCount.entropySize
        // The entropy, and one byte that begins with the checksum.
        let bits = reader.bits(size: size + 1)
        let entropy = bits.prefix(size)
        let expected = checksum(of: entropy, wordCount)
        let isRight = bits.withUnsafeBytes { bits in
            expected.withUnsafeBytes { constantTimeEquals(UnsafeRawBufferPointer(rebasing: bits[size...]), $0) }
        }
        guard isRight else { throw .badChecksum }
        return entropy
    }

    /// Returns the entropy of the words.
    public borrowing func entropy() -> SecretBytes { bytes.clone() }

    /// Returns the words in lower case, with one space between them.
    public borrowing func words() -> SecretBytes {
        WordList.english.text(of: indices(), separatedBy: UInt8(ascii: " "))
    }

    /// Returns the seed: the 64 bytes from which BIP-32 derives a wallet's keys.
    ///
    /// - Parameter passphrase: UTF-8 in any normal form; empty for none. Any other passphrase gives another wallet, and
    ///   a mistyped one cannot be distinguished from the right one.
    /// - Throws: ``Fault/notText`` or ``Fault/tooLong`` for the passphrase.
    public borrowing func seed(passphrase: borrowing SecretBytes) throws(Fault) -> SecretBytes {
        try Self.seed(ofWords: words(), passphrase: passphrase)
    }

    /// Returns the seed of any text, even if it is not a valid mnemonic.
    static func seed(
        ofWords text: borrowing SecretBytes, passphrase: borrowing SecretBytes
    ) throws(Fault) -> SecretBytes {
        let words = try normalised(text)
        let ending = try normalised(passphrase)
        let beginning = Array("mnemonic".utf8)
        let salt = SecretBytes(count: beginning.count + ending.count) { salt in
            salt.copyBytes(from: beginning)
            ending.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: salt[beginning.count...]).copyMemory(from: $0)
            }
        }
        return PBKDF2.derive(count: 64, from: words, salt: salt, rounds: 2_048, by: .hmacSHA512)
    }

    static func normalised(_ text: borrowing SecretBytes) throws(Fault) -> SecretBytes {
        guard text.count <= Self.maximumTextSize else { throw .tooLong }
        guard let normalised = NFKD.of(text) else { throw .notText }
        return normalised
    }

    /// Returns one byte that begins with the first bits of the entropy's hash.
    private static func checksum(of entropy: borrowing SecretBytes, _ count: WordCount) -> SecretBytes {
        var hasher = SHA256()
        hasher.update(entropy)
        let hash = hasher.finalizeSecret()
        return SecretBytes(fleeting: 1) { byte in
            hash.withUnsafeBytes { byte[0] = $0[0] & ~(0xFF >> UInt8(count.checksumBits)) }
        }
    }

    /// Returns the words' positions in the list, 16 bits each.
    private borrowing func indices() -> SecretBytes {
        let checksum = Self.checksum(of: bytes, wordCount)
        let bits = SecretBytes(fleeting: bytes.count + 1) { memory in
            bytes.withUnsafeBytes { memory.copyMemory(from: $0) }
            checksum.withUnsafeBytes { memory[memory.count - 1] = $0[0] }
        }
        return SecretBytes(fleeting: 2 * wordCount.rawValue) { memory in
            let indices = memory.bindMemory(to: UInt16.self)
            bits.withUnsafeBytes { bits in
                for place in indices.indices {
                    indices[place] = (11 * place..<11 * place + 11).reduce(0) { index, bit in
                        index << 1 | UInt16(bits[bit / 8] >> UInt8(7 - bit % 8) & 1)
                    }
                }
            }
        }
    }
}
