internal import Amounts
internal import Custody
internal import Ethereum
internal import HDKeys
internal import Nodes
internal import Payments
internal import Terminal
internal import Wallet

/// What the accounts of a wallet have on Ethereum, as a node says.
struct EthereumBalanceView: Encodable {
    struct Account: Encodable {
        let account: UInt32
        let address: String
        /// In wei.
        let amount: String
        /// The same in the chain's coin, exactly. The field's name is older than other coins.
        let ether: String
        let token: Token?
    }

    struct Token: Encodable {
        /// In the smallest unit.
        let amount: String
        /// The same, exactly, with the decimals that the contract says.
        let decimal: String
    }

    let wallet: String
    let chain: String
    /// The symbol of the chain's coin; `coins` where the chain is not known.
    let coin: String
    let token: String?
    let decimals: Int?
    let accounts: [Account]
    /// Of the accounts together.
    let total: Total
    private let name: String

    enum CodingKeys: String, CodingKey { case wallet, chain, coin, token, decimals, accounts, total }

    struct Total: Encodable {
        let amount: String
        let ether: String
        let token: Token?
    }

    init(_ balance: EthereumBalance, of wallet: WalletRecord, on id: ChainID, _ token: EthereumToken?) {
        self.wallet = wallet.name.description
        accounts = balance.accounts.map { account in
            Account(
                account: account.account, address: account.address.description,
                amount: account.amount.value.description, ether: account.amount.ether,
                token: Token(account.tokens, token))
        }
        self.token = token?.contract.description
        chain = Chain.ethereum(id).description
        name = Chain.ethereum(id).name
        coin = id.coin
        decimals = token?.decimals.count
        total = Total(
            amount: balance.total.value.description, ether: balance.total.ether,
            token: Token(balance.totalTokens, token))
    }

    /// A line for each account, and their sum where there are several.
    var text: String {
        var rows = accounts.map { row("account \($0.account)", $0.address, $0.ether, $0.token) }
        if accounts.count > 1 { rows.append(row("", "together", total.ether, total.token)) }
        return "Wallet \(wallet), on \(name)\n\n" + Table(rows, alignedRight: [2, 4]).text
    }

    private func row(_ number: String, _ name: String, _ ether: String, _ token: Token?) -> [String] {
        [number, name, ether, coin] + (token.map { [$0.decimal, "of \(self.token ?? "")"] } ?? [])
    }
}

extension EthereumBalanceView.Token {
    fileprivate init?(_ units: UInt256?, _ token: EthereumToken?) {
        guard let units, let token else { return nil }
        self.init(amount: units.description, decimal: DecimalText.short(units, token.decimals))
    }
}
