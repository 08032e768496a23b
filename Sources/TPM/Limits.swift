/// Every limit of this target, with its reason.
enum Limits {
    /// The vault's own limit for what a chip sealed; `SecureStorage` has it, too. Sealed objects have some 300 bytes.
    static let sealedObject = 4096
    /// A public area of a P-256 key has 90 bytes, and one of a sealed secret 80.
    static let publicArea = 512
    /// The private part of a key or of a secret of 32 bytes has fewer than 300 bytes, with room for other makers' ways.
    static let privatePart = 1024
    /// A key file: magic, salt, names and both parts.
    static let keyFile = 2048
    /// A path to a device or a socket: `sun_path` has 108 bytes.
    static let address = 128
    /// The PIN of a key: `KeyAuthorization` has these numbers.
    static let pin = 4...64
    /// The challenge of an attestation: `HardwareKeys` has these numbers.
    static let challenge = 16...64
    /// The kernel or another program may extend a PCR between the policy and its use; five such moments in a row mean
    /// that the PCRs do not come to rest.
    static let policyAttempts = 5
    /// A write moves the counter by one, and a crash leaves it one behind. A gap of more than a thousand cannot result
    /// from writes, and each step wears the chip's memory.
    static let counterSteps: UInt64 = 1024
    /// Two vaults share a handle once in 4 million pairs; eight steps are never needed.
    static let counterProbes: UInt32 = 8
    /// More wrong PINs than this before the lockout make a PIN guessable: a PIN of four digits has 10,000 values.
    static let wrongAttempts: ClosedRange<UInt32> = 1...100
    /// The PINs of four digits.
    static let shortPINs = 10_000
    /// A stolen machine is noticed, and its keys are revoked, within a month.
    static let daysToTryAllPINs = 30
    /// The folder of keys. More files than this are another folder.
    static let keyFiles = 4096
}
