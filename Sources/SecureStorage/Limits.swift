/// Every limit of this target, with its reason. A decoder checks them before it spends memory or time.
package enum Limits {
    /// A vault is read into memory as a whole. Wallet data are kilobytes; 16 MiB leaves room and bounds a hostile file.
    static let fileSize = 16 << 20
    /// The largest item: a token list or a set of shares, with room to spare.
    package static let itemSize = 1 << 20
    /// Each write replaces the whole file, so a vault is for hundreds of items, not for a database.
    package static let itemCount = 4096
    /// A file of values is replaced as a whole at each write. 4 MiB holds the balances and settings of an app, and bounds a
    /// hostile file.
    static let valuesSize = 4 << 20
    /// Each slot may cost one derivation at every attempt to open, so their number multiplies the ceiling below.
    static let slotCount = 8
    /// One byte holds the length of a part of a name.
    static let namePart = 255
    /// The name of a hardware key is also the name of a file.
    static let keyName = 64
    /// Sealed objects of a TPM have some 300 bytes, and keys of the Secure Enclave fewer than 1,000.
    package static let sealedByDevice = 4096
    /// A locked or dead service never answers; a TPM needs up to a second for a key. After this time a call has failed.
    package static let backendCall = Duration.seconds(3)
    /// A user reads a prompt, puts the finger down a few times, and may enter the passcode. The system ends its own prompts
    /// after about a minute.
    package static let prompt = Duration.seconds(120)
    /// More calls at once than an app makes; behind a slow service they would fill the memory.
    package static let backendCallsWaiting = 64
    /// The shortest passphrase that `fueki` accepts in place of a chip.
    static let recoveryPassphrase = 12
    /// The bytes of it that are neither blanks nor the PIN, and the different ones among them: repetitions are guessed first.
    static let recoveryContent = 8
    static let recoveryVariety = 5
    /// Characters of a passphrase below which it is weak: a phrase of five random words is longer.
    static let shortPassphrase = 16
    /// Digits below which a passphrase of digits is weak: 24 random digits have 79 bits, as much as seven words.
    static let fewDigits = 24
    /// The average length of runs, such as abcd, from which a passphrase is a sequence. Words have shorter ones.
    static let averageRun = 4
    /// Names of one or two letters occur in many words.
    static let shortestName = 3
    /// The PIN of a store with a chip: four digits, as for a key in the chip.
    static let pin = 4...64

    /// Argon2id: OWASP's minimum (19 MiB, two passes). A file below it was weakened, or was never ours.
    static let argon2MemoryKiB: ClosedRange<UInt32> = 19 * 1024...1024 * 1024
    /// Ten passes over 1 GiB take tens of seconds; more would be an attack on the reader.
    static let argon2Passes: ClosedRange<UInt32> = 2...10
    /// PBKDF2 is read only to be replaced. The wallets that wrote it used 100,000 rounds and more.
    static let pbkdf2Rounds: ClosedRange<UInt32> = 100_000...10_000_000
    /// A generation counts writes. A number near the end of the range cannot result from counting.
    package static let generation: ClosedRange<UInt64> = 1...(1 << 62)
}
