public import HDKeys

/// What a PSBT claims about a key that signs by ECDSA: whose it is, and at which path (BIP-174). Anyone may claim anything.
public struct KeyDerivation: Equatable, Sendable {
    /// As in a script: 33 bytes, or 65.
    public let key: [UInt8]
    private let origin: KeyOrigin

    /// Of the extended key that it is said to come from.
    public var fingerprint: KeyFingerprint { origin.fingerprint }
    /// The steps from there.
    public var path: DerivationPath { origin.path }

    init?(key: ArraySlice<UInt8>, value: [UInt8]) {
        guard let origin = KeyOrigin(value[...]) else { return nil }
        self.key = Array(key)
        self.origin = origin
    }
}
