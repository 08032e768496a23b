public import Curves
public import Ethereum
public import HDKeys

/// The Ethereum accounts of an ECDSA group key. A group key of the wallet's own has them at `m/60/i` with BIP-328's
/// chain code, beside the Bitcoin addresses of a `SegwitAccount` at `m/0/i` and `m/1/i`. An imported key has them at
/// `m/0/i` below its BIP-44 account, where other software has them.
public struct EthereumAccounts: Equatable, Sendable {
    private let parent: ExtendedPublicKey
    private let tweak: Scalar<Secp256k1>
    /// The BIP-44 account of an imported key; nil for a group key of the wallet's own.
    private let template: AccountTemplate?

    /// SLIP-44's number of ether, not hardened: a hardened step needs the private key, which no participant has.
    private static let chain: UInt32 = 60

    /// Creates the accounts of a group key.
    ///
    /// - Parameter groupKey: not the identity.
    /// - Throws: `HDKeyError.badKey` for a key that has no such child, which is less likely than 2⁻¹²⁷.
    public init(groupKey: Secp256k1.Point) throws(HDKeyError) {
        (parent, tweak) = try ExtendedPublicKey(aggregate: groupKey).child(Self.chain)
        template = nil
    }

    /// Creates the accounts of an imported account key.
    ///
    /// - Parameters:
    ///   - key: the account's extended public key.
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

/// One Ethereum account of the wallet: its key, and the tweak with which the group key signs for it.
public struct DerivedEthereumKey: Equatable, Sendable {
    /// The index of the account.
    public let index: UInt32
    /// The sum of both derivation steps (BIP-32): the account's key is the group key + tweak·G.
    public let tweak: Scalar<Secp256k1>
    /// The key under which a signature must verify.
    public let publicKey: Secp256k1.Point
    /// The path: `m/60/0`, or `m/44'/60'/0'/0/0` for an imported key.
    public let path: String

    /// The address of the account.
    public var address: EthereumAddress { EthereumAddress(publicKey: publicKey) }
}
