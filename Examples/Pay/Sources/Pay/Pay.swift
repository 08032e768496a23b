import Amounts
import Custody
import Ethereum
import Foundation
import Nodes
import Payments
import PinnedHTTP
import Secrets
import Wallet

/// Pays with a wallet that `fueki wallet create` made.
///
///     pay HOME WALLET PASSPHRASE-FILE NODE bitcoin ADDRESS SATOSHIS INVOICE
///     pay HOME WALLET PASSPHRASE-FILE NODE CHAIN-ID ADDRESS AMOUNT INVOICE
@main
struct Pay {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 8 else { throw Misuse() }
        let home = WalletHome(path: arguments[0])
        let wallet = try home.wallet(try WalletName(arguments[1]))
        let passphrase = try passphrase(in: arguments[2])
        let address = try NodeAddress(arguments[3])
        let connection = NodeConnection(pins: .none, roots: .system, proxy: nil, unencryptedHosts: [])
        let transport = try connection.client(to: address, userAgent: "pay/1", now: secondsSince1970)
        let patience = NodeRetryPolicy(clock: ContinuousClock())
        let (payee, amount, invoice) = (arguments[5], arguments[6], arguments[7])
        if arguments[4] == "bitcoin" {
            let node = try await BitcoinNode(at: address, on: wallet.network, over: transport, patience)
            guard let satoshis = UInt64(amount) else { throw Misuse() }
            try await pay(satoshis, to: payee, for: invoice, from: wallet, in: home, passphrase, at: node)
        } else {
            guard let chain = UInt64(arguments[4]) else { throw Misuse() }
            let node = try await EthereumNode(at: address, on: try ChainID(chain), over: transport, patience)
            try await pay(amount, to: payee, for: invoice, from: wallet, in: home, passphrase, at: node)
        }
    }

    struct Misuse: Error {}

    private static func passphrase(in path: String) throws -> SecretBytes {
        guard let line = FileManager.default.contents(atPath: path)?.prefix(while: { $0 != 0x0A }) else {
            throw Misuse()
        }
        return SecretBytes(count: line.count) { memory in memory.copyBytes(from: line) }
    }
}

/// Shows the payment, its highest fee, and all findings, and asks for consent. An app shows these on its screen.
func ask(about proposal: ProposedSigning) async -> Bool {
    let intent = proposal.intent
    for effect in intent.effects { print(intent.chain.map { text(of: effect, on: $0) } ?? "\(effect)") }
    if let fee = intent.highestFee, let chain = intent.chain { print("fee: at most \(coins(fee, on: chain))") }
    for finding in intent.findings { print("\(finding.weight): \(finding.text)") }
    print("Sign this? [y/N]")
    return readLine() == "y"
}

/// Returns the text of a payment in the chain's unit; other effects as the library names them.
private func text(of effect: Effect, on chain: Chain) -> String {
    guard case .payment(.coin, let amount, let payee) = effect else { return "\(effect) on \(chain.name)" }
    return "pay \(coins(amount, on: chain)) to \(payee) on \(chain.name)"
}

private func coins(_ amount: UInt256, on chain: Chain) -> String {
    "\(DecimalText.short(amount, chain.currency.decimals)) \(chain.unit)"
}

func secondsSince1970() -> UInt64 { UInt64(Date().timeIntervalSince1970) }
