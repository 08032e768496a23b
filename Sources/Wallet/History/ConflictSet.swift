public import Bitcoin
public import Ethereum
public import HDKeys

/// The resource of a transaction that only one transaction can use. Two transactions that use the same one cannot both
/// happen.
public enum ConflictSet: Hashable, Sendable {
    /// A nonce of an account.
    case ethereum(ChainID, account: EthereumAddress, nonce: UInt64)
    /// The outputs that are spent. A signature of this wallet covers all of them.
    case bitcoin(Network, spending: Set<OutPoint>)

    /// The conflict set of a payload; nil if it conflicts with no other payload, as for a message.
    ///
    /// - Throws: ``WalletError/key(_:)`` for an account that the wallet does not have.
    public init?(of payload: SigningPayload, for accounts: Accounts) throws(WalletError) {
        switch payload {
        case .bitcoinTransaction(let psbt):
            self = .bitcoin(
                accounts.network, spending: Set(psbt.unsignedTransaction.inputs.map(\.previousOutput)))
        case .ethereumTransaction(let transaction, let account):
            guard let chain = transaction.chainID else { return nil }
            guard let ethereum = accounts.ethereum else { throw .key(.badPath) }
            do {
                self = .ethereum(chain, account: try ethereum.key(at: account).address, nonce: transaction.nonce)
            } catch { throw .key(error) }
        default: return nil
        }
    }

    /// Returns whether at most one of the two transactions can happen.
    public func conflicts(with other: ConflictSet) -> Bool {
        switch (self, other) {
        case (.ethereum, .ethereum): self == other
        case (.bitcoin(let network, let spent), .bitcoin(let otherNetwork, let otherSpent)):
            network == otherNetwork && !spent.isDisjoint(with: otherSpent)
        default: false
        }
    }
}
