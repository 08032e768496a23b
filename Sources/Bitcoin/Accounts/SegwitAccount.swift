public import Curves
public import HDKeys

/// The public side of an ECDSA group key, as an extended key, on one network. Gives P2WPKH addresses.
///
/// Addresses are `m/0/i` to receive and `m/1/i` for change, below the group key with BIP-328's chain code, as those of
/// a ``TaprootAccount``. But the group key's point is used as it is: ECDSA verifiers know the parity of y, so that the
/// two points with the same x have different addresses, and there are no x-only steps.
///
/// - Warning: Everyone who has this value can compute all addresses of the wallet. It is private, though not secret.
public struct SegwitAccount: Equatable, Sendable {
    /// The extended public key that the addresses are derived from.
    public let key: ExtendedPublicKey
    /// The network of the addresses.
    public let network: Network
    /// The origin of an imported account; nil for a group key's own account.
    public let origin: AccountOrigin?
    private let chains: AddressChains

    /// Creates the account of a group key, with the chain code of BIP-328.
    ///
    /// - Parameter groupKey: not the identity.
    /// - Throws: `HDKeyError.badKey` for a key that has no chains, which is less likely than 2⁻¹²⁷.
    public init(groupKey: Secp256k1.Point, network: Network) throws(HDKeyError) {
        try self.init(key: ExtendedPublicKey(aggregate: groupKey), network: network)
    }

    /// Creates the account of an imported key.
    ///
    /// - Parameter origin: the derivation of the key, if it is known.
    /// - Throws: `HDKeyError.badKey`, see above; `HDKeyError.badPath` if the key is too deep to have children.
    public init(key: ExtendedPublicKey, network: Network, origin: AccountOrigin? = nil) throws(HDKeyError) {
        self.key = key
        self.network = network
        self.origin = origin
        chains = try AddressChains(below: key)
    }

    /// Returns the key of an address.
    ///
    /// - Throws: `HDKeyError.badKey` for an index that has no key, which is less likely than 2⁻¹²⁷.
    public func key(at path: AddressPath) throws(HDKeyError) -> DerivedSegwitKey {
        let child = try chains.key(at: path)
        return DerivedSegwitKey(path: path, tweak: child.chain + child.index, publicKey: child.point)
    }

    /// Returns the address at a path.
    ///
    /// - Throws: `HDKeyError.badKey`, see ``key(at:)``.
    public func address(at path: AddressPath) throws(HDKeyError) -> Address<Checked> {
        guard let address = Address<Checked>(try key(at: path).scriptPubKey, on: network) else {
            preconditionFailure("a P2WPKH script has an address")
        }
        return address
    }

    /// The descriptor that other wallets import to watch this account.
    public var descriptor: OutputDescriptor { OutputDescriptor(.segwit, key: key, network: network) }
}
