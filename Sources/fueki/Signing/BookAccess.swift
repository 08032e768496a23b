internal import Custody
internal import Payments
internal import Secrets
internal import Terminal

extension WalletHome {
    /// Opens a wallet's book, does something with it, and gives its lock back.
    func withBook<Value: Sendable, Problem: Explained>(
        of wallet: WalletRecord, passphrase: borrowing SecretBytes,
        _ body: (WalletBook) async throws(Problem) -> Value
    ) async throws(Failure) -> Value {
        let book: WalletBook
        do throws(PaymentError) {
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
