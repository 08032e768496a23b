internal import Custody
internal import Secrets

extension WalletHome {
    /// Opens a wallet's book, does something with it, and gives its lock back.
    func withBook<Value: Sendable>(
        of wallet: WalletRecord, passphrase: borrowing SecretBytes,
        _ body: (WalletBook) async throws(CustodyError) -> Value
    ) async throws(Failure) -> Value {
        do throws(CustodyError) {
            let book = try await WalletBook.open(
                of: wallet, in: self, passphrase: passphrase, random: SystemRandom())
            do throws(CustodyError) {
                let value = try await body(book)
                await book.close()
                return value
            } catch {
                await book.close()
                throw error
            }
        } catch { throw error.failure }
    }
}
