internal import Custody
internal import Secrets

extension WalletHome {
    /// Opens a wallet's book. Another command may have it open for a moment: one that waits for a payment looks into it now and then.
    ///
    /// - Parameter patience: how often it is tried, with a quarter of a second in between.
    func book(
        of wallet: WalletRecord, passphrase: borrowing SecretBytes, patience: Int
    ) async throws(Failure) -> WalletBook {
        var attempts = patience
        while true {
            do throws(CustodyError) {
                return try await WalletBook.open(of: wallet, in: self, passphrase: passphrase, random: SystemRandom())
            } catch {
                attempts -= 1
                let failure = error.failure
                guard failure.code == .busy, attempts > 0 else { throw failure }
            }
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Opens a wallet's book, does something with it, and gives its lock back.
    ///
    /// - Parameter patience: as of ``book(of:passphrase:patience:)``.
    func withBook<Value: Sendable, Problem: Explained>(
        of wallet: WalletRecord, passphrase: borrowing SecretBytes, patience: Int = 1,
        _ body: (WalletBook) async throws(Problem) -> Value
    ) async throws(Failure) -> Value {
        let book = try await book(of: wallet, passphrase: passphrase, patience: patience)
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
