internal import AuditLog
public import Custody
public import Secrets
internal import SecureStorage
public import Time

extension WalletHome {
    /// Changes the passphrase of a wallet's share files and of its book, which is locked meanwhile. The change is logged
    /// before it begins.
    ///
    /// After an error at any step, the same change has to be made again if the error is
    /// `PassphraseFault.interrupted(path:_:)`; until then one of the two passphrases opens every file. After any other error
    /// nothing was changed.
    ///
    /// - Parameters:
    ///   - present: the passphrase of the files. A file that opens with the new one is also accepted.
    ///   - now: seconds since 1970.
    ///   - times: the clocks of the entries in the wallet's audit log.
    ///   - progress: called at the beginning of each step.
    /// - Throws: `CustodyError.passphraseChange(_:)`, `CustodyError.unusablePassphrase(_:)` for the new passphrase,
    ///   `CustodyError.book(_:)`, `CustodyError.log(path:_:)`, `CustodyError.share(_:_:)`, `CustodyError.file(_:)`,
    ///   `RenewalFault.running(name:processID:)`.
    public func changePassphrase(
        of wallet: WalletRecord, from present: borrowing SecretBytes, to new: borrowing SecretBytes,
        random: some RandomSource, now: Int64, times: @escaping @Sendable () -> ClockReading = ClockReading.now,
        progress: (PassphraseChange.Step) -> Void
    ) async throws(CustodyError) -> PassphraseChange.Outcome {
        progress(.opening(.book))
        var opener = PassphraseOpener.old
        var opened: WalletBook?
        do throws(CustodyError) {
            opened = try await WalletBook.proven(
                of: wallet, in: self, passphrase: present, random: random, times: times)
        } catch {
            guard error.isRefusedPassphrase else { throw error }
            do throws(CustodyError) {
                opened = try await WalletBook.proven(
                    of: wallet, in: self, passphrase: new, random: random, times: times)
            } catch let second {
                throw second.isRefusedPassphrase ? error : second
            }
            opener = .new
        }
        guard let book = opened else { preconditionFailure("a book was opened, or an error thrown") }
        let holder: BookPassphrase
        do throws(CustodyError) { holder = try await BookPassphrase(of: book, opener, new: new) } catch {
            await book.close()
            throw error
        }
        do throws(CustodyError) {
            let outcome = try await PassphraseChange(of: wallet.name, in: self).run(
                from: present, to: new, book: holder, random: random, now: now, progress: progress)
            await holder.end(.completed)
            await book.close()
            return outcome
        } catch {
            let isUnclear = if case .passphraseChange(.interrupted) = error { true } else { false }
            await holder.end(isUnclear ? .unclear : .failed)
            await book.close()
            throw error
        }
    }
}

extension WalletBook {
    /// Opens a book, and verifies that the passphrase is the wallet's.
    fileprivate static func proven(
        of wallet: WalletRecord, in home: WalletHome, passphrase: borrowing SecretBytes, random: some RandomSource,
        times: @escaping @Sendable () -> ClockReading
    ) async throws(CustodyError) -> WalletBook {
        let book = try await open(of: wallet, in: home, passphrase: passphrase, random: random, times: times)
        do throws(CustodyError) { try await book.requirePassphrase() } catch {
            await book.close()
            throw error
        }
        return book
    }
}

/// The open book of a wallet, as a change of the passphrase needs it.
private actor BookPassphrase: PassphraseHolder {
    nonisolated let path: String
    nonisolated let opener: PassphraseOpener
    nonisolated let slotCount: Int
    private let book: WalletBook
    private let file: BookFile
    /// The entry in the log, once the change is admitted.
    private var admission: UInt64?

    /// - Parameter opener: the passphrase that has opened the book.
    init(
        of book: WalletBook, _ opener: PassphraseOpener, new: borrowing SecretBytes
    ) async throws(CustodyError) {
        let file = await book.file
        (self.book, self.file, path) = (book, file, file.path)
        do throws(SecureStorageError) {
            // A book without a file is made under the passphrase that was proven.
            slotCount = await file.opened == nil ? 1 : try await file.slotCount
            guard opener == .old, slotCount > 1 else {
                self.opener = opener
                return
            }
            do throws(SecureStorageError) {
                try file.readBack(new)
                self.opener = .both
            } catch .wrongPassphrase { self.opener = .old }
        } catch { throw .book(.unreadable(path: file.path, error)) }
    }

    func admit() async throws(CustodyError) { admission = try await book.admission(of: .passphraseChange) }

    /// Logs the end of the change, if it was admitted.
    func end(_ stage: WalletEvent.Stage) async {
        guard let admission else { return }
        await book.end(of: .passphraseChange, stage, admission, epoch: nil)
    }

    func add(_ passphrase: borrowing SecretBytes) async throws(SecureStorageError) {
        try await file.addPassphrase(passphrase)
    }

    func readBack(_ passphrase: borrowing SecretBytes) async throws(SecureStorageError) {
        try file.readBack(passphrase)
    }

    func rekey(to passphrase: borrowing SecretBytes) async throws(SecureStorageError) {
        try await file.rekey(to: passphrase)
    }
}

extension CustodyError {
    /// Whether a book or a share refused the passphrase.
    fileprivate var isRefusedPassphrase: Bool {
        switch self {
        case .book(.unreadable(_, let fault)), .share(_, .unreadable(_, let fault)): fault.isRefusedPassphrase
        default: false
        }
    }
}
