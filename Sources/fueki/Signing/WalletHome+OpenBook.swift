internal import Custody
internal import ErrorTexts
internal import Secrets
internal import Terminal
internal import Texts
internal import WalletBooks

extension WalletHome {
    /// Opens a wallet's book, runs a closure with it, and releases its lock.
    func withBook<Value: Sendable, Problem: Explained>(
        of wallet: WalletRecord, passphrase: borrowing SecretBytes,
        _ body: (WalletBook) async throws(Problem) -> Value
    ) async throws(Failure) -> Value {
        let book: WalletBook
        do throws(CustodyError) {
            book = try await self.book(of: wallet, passphrase: passphrase, attempts: 1, clock: ContinuousClock())
        } catch { throw error.failure }
        do throws(Problem) {
            let value = try await body(book)
            await book.close()
            return value
        } catch {
            await book.close()
            throw error.failure
        }
    }
}

extension WalletHome {
    /// Logs how a wallet came to this machine. The wallet is there also if that fails; then the user is warned.
    func log(
        _ arrival: WalletBook.Arrival, of wallet: WalletRecord, passphrase: borrowing SecretBytes, _ output: Output
    ) async {
        do throws(Failure) {
            try await withBook(of: wallet, passphrase: passphrase) { (book) async throws(CustodyError) in
                try await book.log(arrival)
            }
        } catch {
            output.note("warning: the wallet's audit log does not have this: \(error.message)")
        }
    }
}

extension PassphraseOptions {
    /// Asks for the passphrase, opens the wallet's book, runs a closure with it, and releases its lock.
    func withBook<Value: Sendable, Problem: Explained>(
        of wallet: WalletRecord, in global: GlobalOptions, _ body: (WalletBook) async throws(Problem) -> Value
    ) async throws(Failure) -> Value {
        let secret = try existing()
        return try await global.walletHome.withBook(of: wallet, passphrase: secret, body)
    }
}
