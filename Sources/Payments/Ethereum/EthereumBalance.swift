public import Amounts
public import Custody
public import Ethereum
internal import HDKeys
public import Nodes
public import Wallet

/// The balances of a wallet's accounts on Ethereum or an Ethereum-like chain, as a node reports them.
public struct EthereumBalance: Sendable {
    /// The balance of one account.
    public struct Account: Sendable {
        /// The number of the account in the wallet, from 0.
        public let account: UInt32
        /// The address of the account.
        public let address: EthereumAddress
        /// The balance in the chain's coin.
        public let amount: Wei
        /// The balance in the token's smallest unit; nil if no token was requested.
        public let tokens: UInt256?
    }

    /// The requested accounts, or the used ones, in order.
    public let accounts: [Account]
    /// The total of all accounts.
    public let total: Wei
    /// The total in the token's smallest unit; nil if no token was requested.
    public let totalTokens: UInt256?

    /// Requests the balances from a node.
    ///
    /// - Parameters:
    ///   - number: the account; nil for all that were used.
    ///   - token: a token whose balance is requested as well.
    /// - Throws: ``PaymentError/node(_:)``, ``PaymentError/token(_:)``, ``PaymentError/custody(_:)``.
    public init(
        of wallet: WalletRecord, account number: UInt32? = nil, token: EthereumToken? = nil, on node: EthereumNode
    ) async throws(PaymentError) {
        var accounts: [Account] = []
        var (sum, tokens) = (UInt256.zero, UInt256.zero)
        var gap = 0
        let numbers = number.map { $0...$0 } ?? 0...WalletLimits.accounts - 1
        for index in numbers where gap < PaymentLimits.unusedAccounts {
            let address = try attempt { () throws(CustodyError) in try wallet.ethereumKey(at: index).address }
            let balance = try await attempt { () async throws(NodeError) in try await node.balance(of: address) }
            let held = try await token?.balance(of: address, on: node)
            if number == nil, index > 0, balance == .zero, held?.isZero ?? true {
                let nonces = try await attempt { () async throws(NodeError) in try await node.nonces(of: address) }
                if nonces.pending == 0 {
                    gap += 1
                    continue
                }
            }
            gap = 0
            do throws(AmountError) {
                sum = try sum.adding(balance.value)
                tokens = try tokens.adding(held ?? .zero)
            } catch { throw .node(.inconsistent(.balance)) }
            accounts.append(Account(account: index, address: address, amount: balance, tokens: held))
        }
        self.accounts = accounts
        total = Wei(sum)
        totalTokens = token.map { _ in tokens }
    }
}

extension WalletRecord {
    /// Returns the key of one of the wallet's Ethereum accounts.
    ///
    /// - Throws: ``CustodyError/wallet(_:)``.
    public func ethereumKey(at index: UInt32) throws(CustodyError) -> DerivedEthereumKey {
        guard let accounts = try accounts.ethereum else { throw .wallet(.key(.badPath)) }
        do { return try accounts.key(at: index) } catch { throw .wallet(.key(error)) }
    }
}
