import Amounts
import Custody
import Ethereum
import Nodes
import Payments
import Secrets

/// Pays an amount of the chain's coin, such as "0.1eth", to an address from the wallet's first account.
func pay(
    _ amount: String, to address: String, for invoice: String, from wallet: WalletRecord, in home: WalletHome,
    _ passphrase: consuming SecretBytes, at node: EthereumNode
) async throws {
    let flow = try await SigningFlow.open(
        wallet, in: home, passphrase: passphrase, shares: [.device, .backup], now: secondsSince1970)
    let payments = EthereumPayments(flow, at: node)
    let order = try EthereumOrder(paying: Wei(amount).value, to: EthereumAddress(address))
    let fee = try EthereumFee(.normal, ceiling: Wei("0.01eth"))
    guard let paid = try await payments.pay(order, key: PaymentKey(invoice), fee: fee, confirm: ask) else { return }
    print(paid.transaction.name)
    await flow.acknowledge(paid)
}
