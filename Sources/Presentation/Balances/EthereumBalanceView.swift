internal import Amounts
package import Custody
package import Ethereum
package import Nodes
package import Payments
internal import Texts
internal import Wallet

/// The balances of a wallet's accounts on Ethereum, as a node states them.
package struct EthereumBalanceView: Encodable {
    struct Account: Encodable {
        let account: UInt32
        let address: String
        /// The amount in wei.
        let amount: String
        /// The exact amount in the chain's coin. The field's name is older than support for other coins.
        let ether: String
        let token: Token?
    }

    struct Token: Encodable {
        /// The amount in the smallest unit.
        let amount: String
        /// The exact amount with the decimals that the contract states.
        let decimal: String
    }

    let wallet: String
    let chain: String
    /// The symbol of the chain's coin; `coins` if the chain is unknown.
    let coin: String
    let token: String?
    let decimals: Int?
    let accounts: [Account]
    /// The sum of the accounts.
    let total: Total
    /// The token's symbol from the list of known tokens, or from its contract.
    let symbol: String?
    /// Why the balance may be outdated; left out if the node has all blocks.
    package let warnings: [String]?
    private let name: String
    private let shownSymbol: String?

    enum CodingKeys: String, CodingKey { case wallet, chain, coin, token, symbol, decimals, accounts, total, warnings }

    struct Total: Encodable {
        let amount: String
        let ether: String
        let token: Token?
    }

    /// - Parameter lag: the distance of a node that is still loading the chain.
    package init(
        _ balance: EthereumBalance, of wallet: WalletRecord, on id: ChainID, _ token: EthereumToken?, lag: ChainLag?
    ) {
        warnings = lag.map { [$0.clause] }
        self.wallet = wallet.name.description
        accounts = balance.accounts.map { account in
            Account(
                account: account.account, address: account.address.description,
                amount: account.amount.value.description, ether: account.amount.ether,
                token: Token(account.tokens, token))
        }
        self.token = token?.contract.description
        symbol = token?.symbol?.description
        // A contract can choose any symbol.
        shownSymbol = symbol.map { token?.unit.source == .list ? $0 : "\"\($0)\"" }
        chain = Chain.ethereum(id).description
        name = Chain.ethereum(id).name
        coin = id.coin
        decimals = token?.decimals.count
        total = Total(
            amount: balance.total.value.description, ether: balance.total.ether,
            token: Token(balance.totalTokens, token))
    }

    /// A line for each account, and the sum if there are several accounts.
    package var text: String {
        var rows = accounts.map { row("account \($0.account)", $0.address, $0.ether, $0.token) }
        if accounts.count > 1 { rows.append(row("", "together", total.ether, total.token)) }
        return "Wallet \(wallet), on \(name)\n\n" + Table(rows, alignedRight: [2, 4]).text
    }

    private func row(_ number: String, _ name: String, _ ether: String, _ token: Token?) -> [String] {
        [number, name, ether, coin]
            + (token.map { [$0.decimal, (shownSymbol.map { "\($0) " } ?? "") + "of \(self.token ?? "")"] } ?? [])
    }
}

extension EthereumBalanceView.Token {
    fileprivate init?(_ units: UInt256?, _ token: EthereumToken?) {
        guard let units, let token else { return nil }
        self.init(amount: units.description, decimal: DecimalText.short(units, token.decimals))
    }
}
