import Bitcoin
import Custody
import Nodes
import Payments
import Secrets

/// Pays an amount of satoshi to an address from a wallet, with its shares on this device and in the backup.
func pay(
    _ satoshis: UInt64, to address: String, for invoice: String, from wallet: WalletRecord, in home: WalletHome,
    _ passphrase: consuming SecretBytes, at node: any BitcoinChain
) async throws {
    let flow = try await SigningFlow.open(
        wallet, in: home, passphrase: passphrase, shares: [.device, .backup], now: secondsSince1970)
    let payments = BitcoinPayments(flow, at: node)
    let payee = try Address<Unchecked>(address).require(wallet.network)
    let order = try BitcoinOrder(
        paying: [.init(payee, .exactly(Amount(satoshis: satoshis)))], key: PaymentKey(invoice), on: wallet.network)
    let fee = try BitcoinFee(.normal, ceiling: Amount(satoshis: 50_000))
    guard let paid = try await payments.pay(order, fee: fee, confirm: ask) else { return }
    print(paid.transaction.id)
    await flow.acknowledge(paid)
}
