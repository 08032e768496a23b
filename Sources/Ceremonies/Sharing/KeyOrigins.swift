internal import Curves
internal import HDKeys
internal import Threshold

/// The origin of each of a wallet's keys in one sharing ceremony.
package struct KeyOrigins: Equatable, Sendable {
    let schnorr: Sharing.Origin<Secp256k1>
    let ecdsa: Sharing.Origin<Secp256k1>
    let ed25519: Sharing.Origin<Ed25519>

    /// The origins of a key generation: all participants together make all keys, and none of them ever is whole.
    static let fresh = KeyOrigins(schnorr: .fresh, ecdsa: .fresh, ed25519: .fresh)

    private init(
        schnorr: Sharing.Origin<Secp256k1>, ecdsa: Sharing.Origin<Secp256k1>, ed25519: Sharing.Origin<Ed25519>
    ) {
        self.schnorr = schnorr
        self.ecdsa = ecdsa
        self.ed25519 = ed25519
    }

    /// Creates the origins of a renewal: the present shares.
    ///
    /// - Parameter epoch: the epoch of the present shares.
    init(renewing keys: GroupKeys, epoch: Int) {
        schnorr = .shares(of: keys.schnorr, epoch: epoch)
        ecdsa = .shares(of: keys.ecdsa, epoch: epoch)
        ed25519 = .shares(of: keys.ed25519, epoch: epoch)
    }

    /// Creates the origins of an import: whole keys. All participants together make the keys that are not imported, and
    /// these never are whole.
    init(importing keys: ImportedPublicKeys) {
        switch keys.account {
        case .bitcoin(let taproot, let segwit):
            schnorr = .whole(publicKey: taproot.point)
            ecdsa = .whole(publicKey: segwit.point)
        case .ethereum(let key):
            schnorr = .fresh
            ecdsa = .whole(publicKey: key.point)
        }
        ed25519 = .fresh
    }

    /// Returns whether these keys can be the result.
    func lead(to keys: GroupKeys) -> Bool {
        schnorr.leads(to: keys.schnorr.publicKey) && ecdsa.leads(to: keys.ecdsa.publicKey)
            && ed25519.leads(to: keys.ed25519.publicKey)
    }
}

extension Sharing.Origin {
    fileprivate func leads(to publicKey: Group.Point) -> Bool {
        switch self {
        case .fresh: true
        case .shares(let group, _): group.publicKey == publicKey
        case .whole(let whole): whole == publicKey
        }
    }
}
