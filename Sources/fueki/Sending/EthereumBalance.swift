internal import Amounts
internal import Custody
internal import Ethereum
internal import HDKeys
internal import Nodes
internal import Wallet

/// What the accounts of a wallet have on Ethereum, as a node says.
struct EthereumBalance: Encodable {
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

    /// Accounts that were never used are not looked past further than this.
    private static let unused = 3
    private static let most: UInt32 = 100

    /// - Parameter number: the account; nil for all that were used.
    init(
        of wallet: WalletRecord, account number: UInt32?, token: EthereumToken?, on node: EthereumNode
    ) async throws(Failure) {
        var accounts: [Account] = []
        var (sum, tokens) = (UInt256.zero, UInt256.zero)
        var gap = 0
        let numbers = number.map { $0...$0 } ?? 0...Self.most - 1
        for index in numbers where gap < Self.unused {
            let key = try attempt { () throws(CustodyError) in try wallet.ethereumKey(at: index) }
            let balance = try await attempt { () async throws(NodeError) in try await node.balance(of: key.address) }
            let held = try await token?.balance(of: key.address, on: node)
            if number == nil, index > 0, balance == .zero, held?.isZero ?? true {
                let nonces = try await attempt { () async throws(NodeError) in try await node.nonces(of: key.address) }
                if nonces.pending == 0 {
                    gap += 1
                    continue
                }
            }
            gap = 0
            do throws(AmountError) {
                sum = try sum.adding(balance.value)
                tokens = try tokens.adding(held ?? .zero)
            } catch { throw NodeError.inconsistent(.balance).failure }
            accounts.append(
                Account(
                    account: index, address: key.address.description, amount: balance.value.description,
                    ether: balance.ether, token: Token(held, token)))
        }
        self.wallet = wallet.name.description
        self.accounts = accounts
        self.token = token?.contract.description
        chain = Chain.ethereum(node.chain).description
        name = Chain.ethereum(node.chain).name
        coin = node.chain.coin
        decimals = token?.decimals.count
        total = Total(amount: sum.description, ether: Wei(sum).ether, token: Token(token.map { _ in tokens }, token))
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

extension EthereumBalance.Token {
    fileprivate init?(_ units: UInt256?, _ token: EthereumToken?) {
        guard let units, let token else { return nil }
        self.init(amount: units.description, decimal: DecimalText.short(units, token.decimals))
    }
}

extension WalletRecord {
    /// The key of one of the wallet's accounts on Ethereum.
    func ethereumKey(at index: UInt32) throws(CustodyError) -> DerivedEthereumKey {
        guard let accounts = try accounts.ethereum else { throw .wallet(.key(.badPath)) }
        do { return try accounts.key(at: index) } catch { throw .wallet(.key(error)) }
    }
}
