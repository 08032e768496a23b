internal import Custody
internal import Payments
internal import Presentation
internal import SigningSession
internal import Terminal

extension Output {
    /// Reports the events of a wallet's payment to the user.
    func listener(for wallet: WalletName) -> PaymentListener {
        { event in show(event.telling(for: wallet, columns: TerminalWidth.columns)) }
    }

    /// Reports the events of a wallet's signing to the user.
    func signingListener(for wallet: WalletName) -> SigningListener {
        { event in show(event.telling(for: wallet)) }
    }

    private func show(_ text: EventText) {
        switch text {
        case .step(let step): progress(step)
        case .clock(let text): progress(stillRunning: text)
        case .note(let text): note(text)
        }
    }
}
