public import Curves
public import Ethereum
public import HDKeys

/// The Ethereum accounts of a group key that signs by ECDSA: `m/60/i` below the group key with BIP-328's chain code, beside
/// the Bitcoin addresses of a `SegwitAccount` at `m/0/i` and `m/1/i`; or, of a key that was imported, `m/0/i` below the
/// account of BIP-44 that it was, where other software has them.
public struct EthereumAccounts: Equatable, Sendable {
    private let parent: ExtendedPublicKey
    private let tweak: Scalar<Secp256k1>
    /// The account of BIP-44; nothing for a group's own key.
    private let template: AccountTemplate?

    /// SLIP-44's number of ether, not hardened: nobody has the private key that a hardened step takes.
    private static let chain: UInt32 = 60

    /// Creates the accounts of a group key.
    ///
    /// - Parameter groupKey: not the identity.
    /// - Throws: `HDKeyError.badKey` for a key that has no such child, which is less likely than 2⁻¹²⁷.
    public init(groupKey: Secp256k1.Point) throws(HDKeyError) {
        (parent, tweak) = try ExtendedPublicKey(aggregate: groupKey).child(Self.chain)
        template = nil
    }

    /// An account that was known before its key was shared.
    ///
    /// - Parameters:
    ///   - key: of the account.
    ///   - template: the account: `AccountTemplate.ethereum(account:)`.
    /// - Throws: `HDKeyError.badKey`, see above; `HDKeyError.badPath` if the key is too deep to have children.
    public init(key: ExtendedPublicKey, template: AccountTemplate) throws(HDKeyError) {
        (parent, tweak) = try key.child(AddressPath.Chain.receive.rawValue)
        self.template = template
    }

    /// Returns the key of the account with this index.
    ///
    /// - Parameter index: 0..<2³¹.
    /// - Throws: `HDKeyError.badPath` from 2³¹ on; `HDKeyError.badKey` for an index that has no key.
    public func key(at index: UInt32) throws(HDKeyError) -> DerivedEthereumKey {
        let child = try parent.child(index)
        let path =
            try template?.path(to: AddressPath(.receive, index: index)).description ?? "m/\(Self.chain)/\(index)"
        return DerivedEthereumKey(
            index: index, tweak: tweak + child.tweak, publicKey: child.key.point, path: path)
    }
}

/// One Ethereum account of the wallet: its key, and how the group's key is tweaked to sign for it.
public struct DerivedEthereumKey: Equatable, Sendable {
    /// The index of the account.
    public let index: UInt32
    /// The sum of what both steps of the path add (BIP-32): the key is the group's + tweak·G.
    public let tweak: Scalar<Secp256k1>
    /// The key under which a signature must verify.
    public let publicKey: Secp256k1.Point
    /// `m/60/0`, or `m/44'/60'/0'/0/0` of a key that was imported.
    public let path: String

    /// What others see of the account.
    public var address: EthereumAddress { EthereumAddress(publicKey: publicKey) }
}
