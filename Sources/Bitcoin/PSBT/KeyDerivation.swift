public import HDKeys

/// A PSBT's claim about an ECDSA key: its extended key and path (BIP-174). A claim proves nothing.
public struct KeyDerivation: Equatable, Sendable {
    /// The public key as in a script: 33 bytes, or 65.
    public let key: [UInt8]
    private let origin: KeyOrigin

    /// The fingerprint of the claimed extended key.
    public var fingerprint: KeyFingerprint { origin.fingerprint }
    /// The claimed path below that key.
    public var path: DerivationPath { origin.path }

    init?(key: ArraySlice<UInt8>, value: [UInt8]) {
        guard let origin = KeyOrigin(value[...]) else { return nil }
        self.key = Array(key)
        self.origin = origin
    }
}
