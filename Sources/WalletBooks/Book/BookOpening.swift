public import Custody
public import Secrets

extension WalletHome {
    /// Opens a wallet's book. Another program may have it for a moment: one that waits for a payment reads it now and
    /// then.
    ///
    /// - Parameters:
    ///   - attempts: the number of attempts while another program has it, with a quarter of a second in between.
    ///   - clock: the clock of the pauses.
    ///   - random: the source of the file's salts and nonces.
    /// - Throws: the errors of ``WalletBook/open(of:in:passphrase:random:times:)``.
    public func book(
        of wallet: WalletRecord, passphrase: borrowing SecretBytes, attempts: Int, clock: any Clock<Duration>,
        random: any RandomSource = SystemRandom()
    ) async throws(CustodyError) -> WalletBook {
        var left = attempts
        while true {
            do throws(CustodyError) {
                return try await WalletBook.open(of: wallet, in: self, passphrase: passphrase, random: random)
            } catch {
                left -= 1
                guard error.isBusy, left > 0 else { throw error }
            }
            try? await clock.sleep(for: Limits.bookPause)
        }
    }
}

extension WalletBook {
    /// Opens the book again after a wait, with several attempts, like
    /// `WalletHome.book(of:passphrase:attempts:clock:random:)`.
    package func reopen(
        in home: WalletHome, passphrase: borrowing SecretBytes, attempts: Int, clock: any Clock<Duration>,
        random: any RandomSource
    ) async throws(CustodyError) {
        var left = attempts
        while true {
            do throws(CustodyError) {
                return try await reopen(in: home, passphrase: passphrase, random: random)
            } catch {
                left -= 1
                guard error.isBusy, left > 0 else { throw error }
            }
            try? await clock.sleep(for: Limits.bookPause)
        }
    }
}
