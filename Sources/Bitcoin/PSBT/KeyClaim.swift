internal import Curves
internal import HDKeys

/// A PSBT's claim that a key derives from an extended key, in the field for its kind of signature.
enum KeyClaim {
    /// A claim about a taproot key (BIP-371).
    case taproot(TaprootDerivation)
    /// A claim about an ECDSA key (BIP-174).
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

    /// Returns the claimed key, derived; nil if the claim cannot be true.
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

    /// Returns the address's path in its account: the steps below the account's own path, if the claim starts at the
    /// master key.
    private func path(below origin: AccountOrigin?) -> AddressPath? {
        if let origin, origin.master == fingerprint { return origin.address(at: path) }
        return AddressPath(path)
    }
}

extension AccountOrigin {
    /// Returns whether a claim is about a key below this account.
    func covers(_ claim: KeyClaim) -> Bool {
        claim.fingerprint == master && claim.path.steps.starts(with: template.path.steps)
    }
}
