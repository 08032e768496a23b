public import Curves
public import HDKeys

/// The public side of a Schnorr group key, as an extended key, on one network. Gives taproot addresses; signs nothing.
///
/// Addresses are P2TR without a script tree, `m/0/i` to receive and `m/1/i` for change, below the group key with
/// BIP-328's chain code. The group key is used as the point with its x coordinate and an even y, as everywhere in
/// BIP-340, so that 32 bytes suffice to derive every address. ``DerivedTaprootKey/tweaks`` are right for either parity.
///
/// - Warning: Everyone who has this value can compute all addresses of the wallet. It is private, though not secret.
public struct TaprootAccount: Equatable, Sendable {
    /// The extended public key that the addresses are derived from.
    public let key: ExtendedPublicKey
    /// The network of the addresses.
    public let network: Network
    /// The origin of an imported account; nil for a group key's own account.
    public let origin: AccountOrigin?
    private let chains: AddressChains

    /// Creates the account of a group key, with the chain code of BIP-328.
    ///
    /// - Parameter groupKey: not the identity; its y coordinate may be even or odd.
    /// - Throws: `HDKeyError.badKey` for a key that has no chains, which is less likely than 2⁻¹²⁷.
    public init(groupKey: Secp256k1.Point, network: Network) throws(HDKeyError) {
        try self.init(key: ExtendedPublicKey(group: groupKey), network: network)
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
    public func key(at path: AddressPath) throws(HDKeyError) -> DerivedTaprootKey {
        let child = try chains.key(at: path)
        let output = try TaprootOutput(internalKey: child.point)
        // An x-only step starts from the group key's point with even y, which is `key`: so it is right for either
        // parity of the group key. A key with odd y is an imported one, which was taken as it is.
        let first: KeyTweak = key.point.hasEvenY ? .xOnly(child.chain) : .plain(child.chain)
        return DerivedTaprootKey(
            path: path, tweaks: [first, .plain(child.index), .xOnly(output.tweak)],
            internalKey: output.internalKey, outputKey: output.outputKey)
    }

    /// Returns the address at a path.
    ///
    /// - Throws: `HDKeyError.badKey`, see ``key(at:)``.
    public func address(at path: AddressPath) throws(HDKeyError) -> Address<Checked> {
        guard let address = Address<Checked>(try key(at: path).scriptPubKey, on: network) else {
            preconditionFailure("a P2TR script has an address")
        }
        return address
    }

    /// The descriptor that other wallets import to watch this account.
    public var descriptor: OutputDescriptor { OutputDescriptor(.taproot, key: key, network: network) }
}
