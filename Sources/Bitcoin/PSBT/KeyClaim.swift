internal import Curves
internal import HDKeys

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

    var path: DerivationPath {
        switch self {
        case .taproot(let claim): claim.path
        case .ecdsa(let claim): claim.path
        }
    }

    /// The key that the claim speaks of, derived; nothing if the claim cannot be true.
    func key(in accounts: BitcoinAccounts) -> DerivedKey? {
        switch self {
        case .taproot(let claim):
            guard claim.leafCount == 0, let path = path(below: accounts.taproot.origin),
                let key = try? accounts.taproot.key(at: path), key.internalKey == claim.key
            else { return nil }
            return .taproot(key)
        case .ecdsa(let claim):
            guard let account = accounts.segwit, let path = path(below: account.origin),
                let key = try? account.key(at: path), key.publicKey.encoded == claim.key
            else { return nil }
            return .segwit(key)
        }
    }

    /// The path of the address in its account: all that follows the account's own, where the claim is from the key without a parent.
    private func path(below origin: AccountOrigin?) -> AddressPath? {
        if let origin, origin.master == fingerprint { return origin.address(at: path) }
        return AddressPath(path)
    }
}

extension AccountOrigin {
    /// Whether a claim speaks of a key below this account.
    func covers(_ claim: KeyClaim) -> Bool {
        claim.fingerprint == master && claim.path.steps.starts(with: template.path.steps)
    }
}
