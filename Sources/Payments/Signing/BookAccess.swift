public import Custody
public import Secrets

extension WalletHome {
    /// Opens a wallet's book. Another program may have it for a moment: one that waits for a payment looks into it now and then.
    ///
    /// - Parameters:
    ///   - attempts: how often it is tried while another program has it, with a quarter of a second in between.
    ///   - clock: what the pauses are measured with.
    /// - Throws: ``PaymentError/custody(_:)``.
    public func book(
        of wallet: WalletRecord, passphrase: borrowing SecretBytes, attempts: Int, clock: any Clock<Duration>
    ) async throws(PaymentError) -> WalletBook {
        var left = attempts
        while true {
            do throws(CustodyError) {
                return try await WalletBook.open(of: wallet, in: self, passphrase: passphrase, random: SystemRandom())
            } catch {
                left -= 1
                guard error.isBusy, left > 0 else { throw .custody(error) }
            }
            try? await clock.sleep(for: PaymentLimits.bookPause)
        }
    }

    /// Opens a wallet's book, does something with it, and gives its lock back.
    ///
    /// - Parameters: as of ``book(of:passphrase:attempts:clock:)``.
    /// - Throws: ``PaymentError/custody(_:)``.
    func withBook<Value: Sendable>(
        of wallet: WalletRecord, passphrase: borrowing SecretBytes, attempts: Int = 1,
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (WalletBook) async throws(CustodyError) -> Value
    ) async throws(PaymentError) -> Value {
        let book = try await book(of: wallet, passphrase: passphrase, attempts: attempts, clock: clock)
        do throws(CustodyError) {
            let value = try await body(book)
            await book.close()
            return value
        } catch {
            await book.close()
            throw .custody(error)
        }
    }
}
