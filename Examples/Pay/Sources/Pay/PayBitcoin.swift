import Bitcoin
import Custody
import Nodes
import Payments
import PinnedHTTP
import SigningSession
import Wallet

/// Pays an amount of satoshi to an address from a wallet, with its shares on this device and in the backup.
func payBitcoin(
    home path: String, wallet name: String, passphraseFile: String, node url: String, cookieFile: String,
    to address: String, satoshis: UInt64, invoice: String
) async throws {
    let home = WalletHome(path: path)
    let wallet = try home.wallet(WalletName(name))
    let credentials = try Credentials(cookieFile: cookieFile)
    let nodeAddress = try NodeAddress(url, credentials: credentials)
    let connection = NodeConnection(pins: .none, roots: .system, proxy: nil, unencryptedHosts: [])
    let client = try connection.client(to: nodeAddress, userAgent: "pay/1", now: secondsSince1970)
    let patience = NodeRetryPolicy(clock: ContinuousClock())
    let node = try await BitcoinNode(at: nodeAddress, on: wallet.network, over: client, patience)

    let flow = try await SigningFlow.open(
        wallet, in: home, passphrase: passphrase(in: passphraseFile), shares: [.device, .backup], now: secondsSince1970)
    let payments = BitcoinPayments(flow, at: node)
    let payee = try Address<Unchecked>(address).require(wallet.network)
    let order = try BitcoinOrder(
        paying: [.init(payee, .exactly(Amount(satoshis: satoshis)))], key: PaymentKey(invoice), on: wallet.network)
    let fee = try BitcoinFee(.normal, ceiling: Amount(satoshis: 50_000))
    guard let paid = try await payments.pay(order, fee: fee, confirm: ask) else { return }
    print(paid.transaction.id)
    await flow.acknowledge(paid)
}
