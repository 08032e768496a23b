import Amounts
import Custody
import Ethereum
import Nodes
import Payments
import PinnedHTTP
import SigningSession
import Wallet

/// Pays an amount of the chain's coin, such as "0.1eth", to an address from the wallet's first account.
func payEther(
    home path: String, wallet name: String, passphraseFile: String, node url: String, chain: UInt64,
    to address: String, amount: String, invoice: String
) async throws {
    let home = WalletHome(path: path)
    let wallet = try home.wallet(WalletName(name))
    let nodeAddress = try NodeAddress(url)
    let connection = NodeConnection(pins: .none, roots: .system, proxy: nil, unencryptedHosts: [])
    let client = try connection.client(to: nodeAddress, userAgent: "pay/1", now: secondsSince1970)
    let patience = NodeRetryPolicy(clock: ContinuousClock())
    let node = try await EthereumNode(at: nodeAddress, on: ChainID(chain), over: client, patience)

    let flow = try await SigningFlow.open(
        wallet, in: home, passphrase: passphrase(in: passphraseFile), shares: [.device, .backup], now: secondsSince1970)
    let payments = EthereumPayments(flow, at: node)
    let order = try EthereumOrder(paying: Wei(amount).value, to: EthereumAddress(address))
    let fee = try EthereumFee(.normal, ceiling: Wei("0.01eth"))
    guard let paid = try await payments.pay(order, key: PaymentKey(invoice), fee: fee, confirm: ask) else { return }
    print(paid.transaction.name)
    await flow.acknowledge(paid)
}
