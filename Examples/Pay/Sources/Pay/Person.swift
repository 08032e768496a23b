import Amounts
import Foundation
import Payments
import Secrets
import SigningSession
import Wallet

func secondsSince1970() -> UInt64 { UInt64(Date().timeIntervalSince1970) }

/// Reads the first line of a file.
func passphrase(in path: String) throws -> SecretBytes {
    let line = try Data(contentsOf: URL(fileURLWithPath: path)).prefix { $0 != 0x0A }
    return SecretBytes(count: line.count) { memory in memory.copyBytes(from: line) }
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
