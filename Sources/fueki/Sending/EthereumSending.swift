internal import Custody
internal import Wallet

/// What `send`, `balance`, `speed-up` and `cancel` do on Ethereum and chains of its kind.
struct EthereumSending {
    let chain: ChainID
    let wallet: WalletRecord
    let node: NodeOptions
    let options: EthereumOptions
    let global: GlobalOptions
    let output: Output

    /// - Parameters:
    ///   - recipient: an address, or the name of a contact.
    ///   - amount: with its unit.
    ///   - waits: until it is mined.
    func send(to recipient: String, amount: String, fee: FeeOptions, waits: Bool) async throws(Failure) {
        throw Self.missing
    }

    func balance() async throws(Failure) { throw Self.missing }

    /// - Parameter transaction: its hash.
    func speedUp(_ transaction: String, fee: FeeOptions, waits: Bool) async throws(Failure) { throw Self.missing }

    /// - Parameter transaction: its hash.
    func cancel(_ transaction: String, fee: FeeOptions, waits: Bool) async throws(Failure) { throw Self.missing }

    private static let missing = Failure(code: .other, name: "missing", message: "not made yet")
}
