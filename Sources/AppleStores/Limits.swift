internal import SecureStorage

/// Every limit of this target, with its reason. A decoder checks them before it spends memory or time.
package enum AppleLimits {
    /// Apple does not state the size of an Enclave key's representation; those that were seen have about 300 bytes.
    static let enclaveBlob = 2048
    /// Attesting asks Apple's server, over a telephone's network.
    package static let appAttest = Duration.seconds(30)
    /// An attestation object has about 6 KB: two certificates and a receipt.
    static let appAttestObject = 64 << 10
    /// A user needs some seconds for a face, a finger or a passcode, and may look for the phone first.
    static let keychainPrompt = Duration.seconds(60)
    /// A bundle identifier is shorter; the service of an item follows it in the same attribute.
    static let keychainNamespace = 64
    /// Version 1 has 42 bytes. A later version may be larger, and is refused by its number.
    static let keychainHeader = 256
    /// An item, and less than 1,024 bytes about it.
    static let keychainValue = Limits.itemSize + 1024
    /// Each item has up to a value, a witness and the remains of one interrupted save.
    static let keychainListing = 4 * Limits.itemCount
    /// Another save may replace an item between listing and reading; then both are done again. No more saves than this
    /// wait at once.
    static let keychainRounds = Limits.backendCallsWaiting
    /// Each adoption is a reinstallation of the app that the user was asked about.
    static let adoptedInstallations = 16
}
