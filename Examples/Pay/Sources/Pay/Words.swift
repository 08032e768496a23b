import Custody
import Foundation
import Nodes
import Payments

/// The errors of this app.
enum Misuse: Error {
    case arguments
    case number(String)
}

/// Returns the words for an error. An app has its own for the errors that its users can meet; the libraries have English
/// ones for those of nodes and plans. The name of a case tells a developer the rest.
func words(for error: any Error) -> String {
    switch error {
    case Misuse.arguments:
        """
        these are the arguments:
          pay bitcoin HOME WALLET PASSPHRASE-FILE NODE COOKIE-FILE ADDRESS SATOSHIS INVOICE
          pay ethereum HOME WALLET PASSPHRASE-FILE NODE CHAIN-ID ADDRESS AMOUNT INVOICE
        """
    case Misuse.number(let text): "\(text) is not a number"
    case let error as NodeError: "the node: \(error)"
    case let error as PaymentError: words(for: error)
    case let error as CustodyError: words(for: error)
    case let error as CocoaError: error.localizedDescription
    default: "\(type(of: error)): \(error)"
    }
}

private func words(for error: PaymentError) -> String {
    switch error {
    case .node(let error): "the node: \(error)"
    case .custody(let error): words(for: error)
    case .plan(let refusal): "the payment cannot be made: \(refusal)"
    case .delivery(.notSent(let id, _, let error, _)): "the payment \(id) is signed, and was not sent: \(error)"
    case .duplicate(.cancelled(let invoice, _)): "the payment for \(invoice) was cancelled"
    default: "the payment was not made: \(error)"
    }
}

private func words(for error: CustodyError) -> String {
    switch error {
    case .noSuchWallet(let name): "there is no wallet \(name)"
    case .badWalletName: "this is not the name of a wallet"
    case .share(_, .missing(let path, _)): "the share \(path) is missing"
    case .share(_, .unreadable(let path, let error)): "the share \(path): \(error)"
    default: "the wallet: \(error)"
    }
}
