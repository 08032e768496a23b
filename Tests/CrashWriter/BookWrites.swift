internal import Amounts
internal import Custody
internal import Ethereum
internal import Secrets
internal import Wallet
internal import WalletBooks

/// Makes a wallet's book admit one payment after another, and reports each admission: `admitted N`.
struct BookWrites {
    static let usage = "book HOME WALLET PASSPHRASE COUNT"

    private let home: String
    private let wallet: String
    private let passphrase: String
    private let count: UInt64

    init?(_ arguments: [String]) {
        guard arguments.count == 4, let count = UInt64(arguments[3]) else { return nil }
        (home, wallet, passphrase, self.count) = (arguments[0], arguments[1], arguments[2], count)
    }

    func run() async -> Int32 {
        do {
            let home = WalletHome(path: home)
            let wallet = try home.wallet(try WalletName(wallet))
            var passphrase = [UInt8](passphrase.utf8)
            let book = try await WalletBook.open(
                of: wallet, in: home, passphrase: SecretBytes(moving: &passphrase), random: SystemRandom())
            say("opened")
            for number in 1...count {
                let payload = try payment(number)
                let intent = try SigningWork(of: payload, for: wallet.accounts).intent
                try await book.authorizer(in: SigningContext(now: 1_700_000_000 + number))
                    .admit(payload, meaning: intent)
                say("admitted \(number)")
            }
            await book.close()
            say("closed")
            return 0
        } catch {
            say("refused \(error)")
            return 1
        }
    }

    /// Returns a payment of this many wei, with this nonce of the account.
    private func payment(_ number: UInt64) throws -> SigningPayload {
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(10))
        return .ethereumTransaction(
            try EthereumTransaction(
                chainID: .ethereum, nonce: number, gasLimit: 21_000,
                to: try EthereumAddress(bytes: [UInt8](repeating: 0xB0, count: 20)), value: Wei(UInt256(number)),
                data: [], kind: .dynamicFee(fees, [])), account: 0)
    }
}
