public import Curves
public import Ethereum

/// An Ethereum account whose private key exists as a whole: of a mnemonic, or of another software's keystore. It signs
/// the sweep that moves everything away from it.
public struct WholeEthereumAccount: ~Copyable, Sendable {
    /// The address of the account.
    public let address: EthereumAddress
    private let key: SecretScalar<Secp256k1>

    /// Creates the account of a private key.
    ///
    /// - Parameter key: not zero.
    public init(key: consuming SecretScalar<Secp256k1>) {
        precondition(!key.isZero, "zero is not a private key")
        address = EthereumAddress(publicKey: key.timesGenerator())
        self.key = key
    }

    /// Signs a transaction of this account.
    ///
    /// - Throws: as `SignedEthereumTransaction.sign(_:key:sender:)`.
    public borrowing func sign(_ transaction: EthereumTransaction) throws(EthereumError) -> SignedEthereumTransaction {
        try SignedEthereumTransaction.sign(transaction, key: key, sender: address)
    }
}
