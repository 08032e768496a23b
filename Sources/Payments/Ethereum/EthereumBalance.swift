public import Amounts
public import Custody
public import Ethereum
internal import HDKeys
public import Nodes
public import Wallet

/// What the accounts of a wallet have on Ethereum, or a chain of its kind, as a node says.
public struct EthereumBalance: Sendable {
    /// What one account has.
    public struct Account: Sendable {
        /// Its number among the wallet's accounts, from 0.
        public let account: UInt32
        /// Its address.
        public let address: EthereumAddress
        /// What it has of the chain's coin.
        public let amount: Wei
        /// In the token's smallest unit; nil where no token was asked for.
        public let tokens: UInt256?
    }

    /// Those that were asked for, or that were used, in their order.
    public let accounts: [Account]
    /// Of the accounts together.
    public let total: Wei
    /// In the token's smallest unit; nil where no token was asked for.
    public let totalTokens: UInt256?

    /// Asks a node.
    ///
    /// - Parameters:
    ///   - number: the account; nil for all that were used.
    ///   - token: what the accounts have of it as well.
    /// - Throws: ``PaymentError/node(_:)``, ``PaymentError/token(_:)``, ``PaymentError/custody(_:)``.
    public init(
        of wallet: WalletRecord, account number: UInt32? = nil, token: EthereumToken? = nil, on node: EthereumNode
    ) async throws(PaymentError) {
        var accounts: [Account] = []
        var (sum, tokens) = (UInt256.zero, UInt256.zero)
        var gap = 0
        let numbers = number.map { $0...$0 } ?? 0...PaymentLimits.accounts - 1
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
    /// The key of one of the wallet's accounts on Ethereum.
    ///
    /// - Throws: ``CustodyError/wallet(_:)``.
    public func ethereumKey(at index: UInt32) throws(CustodyError) -> DerivedEthereumKey {
        guard let accounts = try accounts.ethereum else { throw .wallet(.key(.badPath)) }
        do { return try accounts.key(at: index) } catch { throw .wallet(.key(error)) }
    }
}
