public import Secrets

/// A passphrase that a program proposes: seven random words of BIP-39's list, joined by `-`.
///
/// Seven words have 77 bits. Mnemonics have 12 words or more, so that the passphrase is not taken for one.
public enum ProposedPassphrase {
    /// The number of words. A word has 11 bits.
    public static let wordCount = 7

    /// Makes a passphrase, in guarded memory.
    ///
    /// Show it once, on the terminal or screen only, and have the user type it before anything is sealed with it.
    public static func make(from random: some RandomSource) -> SecretBytes {
        let indices = SecretBytes(fleeting: 2 * wordCount) { memory in
            random.fill(memory)
            let indices = memory.bindMemory(to: UInt16.self)
            // 16 random bits and 2^11 words: every word has the same probability.
            for place in indices.indices { indices[place] &= 1 << 11 - 1 }
        }
        return WordList.english.text(of: indices, separatedBy: UInt8(ascii: "-"))
    }
}
