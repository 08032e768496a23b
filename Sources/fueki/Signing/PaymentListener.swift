internal import Custody
internal import Payments
internal import Presentation
internal import Terminal

extension Output {
    /// Reports the events of a wallet's payment to the user.
    func listener(for wallet: WalletName) -> PaymentListener {
        { event in
            switch event.telling(for: wallet, columns: TerminalWidth.columns) {
            case .step(let step): progress(step)
            case .clock(let text): progress(stillRunning: text)
            case .note(let text): note(text)
            }
        }
    }
}
