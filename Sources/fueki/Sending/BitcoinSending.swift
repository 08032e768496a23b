internal import Custody
internal import Wallet

/// What `send`, `balance`, `speed-up` and `cancel` do on Bitcoin.
struct BitcoinSending {
    let wallet: WalletRecord
    let node: NodeOptions
    let global: GlobalOptions
    let output: Output

    private static let missing = Failure(code: .other, name: "missing", message: "not made yet")
}
