internal import Curves

/// A PSBT's claim that a key comes from an extended key, in the field that goes with how the key signs.
enum KeyClaim {
    /// BIP-371.
    case taproot(TaprootDerivation)
    /// BIP-174.
    case ecdsa(KeyDerivation)

    var fingerprint: KeyFingerprint {
        switch self {
        case .taproot(let claim): claim.fingerprint
        case .ecdsa(let claim): claim.fingerprint
        }
    }

    /// The key that the claim speaks of, derived; nothing if the claim cannot be true.
    func key(in accounts: Accounts) -> DerivedKey? {
        switch self {
        case .taproot(let claim):
            guard claim.leafCount == 0, let path = AddressPath(claim.path),
                let key = try? accounts.taproot.key(at: path), key.internalKey == claim.key
            else { return nil }
            return .taproot(key)
        case .ecdsa(let claim):
            guard let account = accounts.segwit, let path = AddressPath(claim.path),
                let key = try? account.key(at: path), key.publicKey.encoded == claim.key
            else { return nil }
            return .segwit(key)
        }
    }
}
