public import Secrets
internal import SecureStorage
public import Threshold

/// The file of one share, held open to sign ECDSA with. What must not be forgotten is written into it before anything else
/// happens: who cheated, and how many sessions came to nothing.
///
/// A holder's order: ``share()``, ``begin()``, the session, and then ``succeeded()`` or ``ban(_:)`` or nothing. As a session is
/// counted when it begins, one that is killed, or whose holder is unplugged, is counted too: there are no free tries.
///
/// The file is locked while it is open, so that there is one session at a time. It has to be writable.
public actor ShareFile {
    /// Where the share lies, by the name a person uses for it.
    public nonisolated let location: ShareLocation

    private let wallet: WalletRecord
    private let place: ShareRecord
    private let vault: VaultFile

    private init(_ place: ShareRecord, of wallet: WalletRecord, vault: VaultFile) {
        location = place.location
        self.place = place
        self.wallet = wallet
        self.vault = vault
    }

    /// Opens the file of one share for reading and writing.
    ///
    /// An older copy of the file than this machine has seen is refused: it could know less of who cheated.
    ///
    /// - Parameter wallet: the description that says where the file is.
    /// - Throws: ``CustodyError/shareMissing(_:path:)``, ``CustodyError/shareUnreadable(_:path:_:)``,
    ///   ``CustodyError/shareNotWritable(_:path:_:)``, ``CustodyError/foreignShare(_:path:)``,
    ///   ``CustodyError/otherEpoch(_:path:found:wallet:)``.
    public static func open(
        _ location: ShareLocation, of wallet: WalletRecord, in home: WalletHome, passphrase: borrowing SecretBytes,
        random: some RandomSource
    ) async throws(CustodyError) -> ShareFile {
        let place = try wallet.share(at: location)
        let vault: VaultFile
        do throws(SecureStorageError) {
            let seen = home.generations(of: wallet.name)
            try FolderCreation.make(seen)
            vault = try VaultFile.open(
                at: place.path, passphrase: passphrase, freshness: .witnessed(GenerationFolder(at: seen)),
                random: random, access: .anyone, stretcher: .real)
        } catch {
            switch error {
            case .notFound: throw .shareMissing(location, path: place.path)
            case .inputOutput, .diskFull, .insecureFile:
                throw .shareNotWritable(location, path: place.path, error)
            default: throw .shareUnreadable(location, path: place.path, error)
            }
        }
        let file = ShareFile(place, of: wallet, vault: vault)
        do { _ = try await file.share() } catch {
            await file.close()
            throw error
        }
        return file
    }

    /// The share as it is in the file now.
    ///
    /// - Throws: ``CustodyError/shareUnreadable(_:path:_:)``, ``CustodyError/foreignShare(_:path:)``.
    public func share() async throws(CustodyError) -> SealedShare {
        try await SealedShare.read(place, of: wallet, from: vault)
    }

    /// Counts a session of ECDSA, before its first nonce is drawn. If this throws, there must be no session.
    ///
    /// - Throws: ``CustodyError/tooManyUnfinishedSignatures(_:limit:)``, ``CustodyError/shareNotWritable(_:path:_:)``.
    public func begin() async throws(CustodyError) {
        var sealed = try await share()
        guard sealed.unfinishedSignatures < Limits.unfinishedSignatures else {
            throw .tooManyUnfinishedSignatures(location, limit: Limits.unfinishedSignatures)
        }
        sealed.unfinishedSignatures += 1
        try await write(sealed)
    }

    /// Takes back the count of a session whose signatures all verify.
    ///
    /// - Throws: ``CustodyError/shareNotWritable(_:path:_:)``. The signatures are good in any case.
    public func succeeded() async throws(CustodyError) {
        var sealed = try await share()
        guard sealed.unfinishedSignatures > 0 else { return }
        sealed.unfinishedSignatures -= 1
        try await write(sealed)
    }

    /// Destroys for good what is kept of a holder that cheated (``ThresholdError/cheating(by:)``), until the shares are renewed.
    /// Call it before anything else, and before anybody hears of it.
    ///
    /// - Throws: ``CustodyError/ceremony(_:)`` for a holder that the wallet does not have, or oneself;
    ///   ``CustodyError/shareNotWritable(_:path:_:)``.
    public func ban(_ peer: ParticipantIndex) async throws(CustodyError) {
        var sealed = try await share()
        do { try sealed.keys.ecdsa.ban(peer) } catch { throw .ceremony(error) }
        try await write(sealed)
    }

    /// Gives the lock back. The file cannot be used through this any more.
    public func close() async { await vault.close() }

    private func write(_ sealed: consuming SealedShare) async throws(CustodyError) {
        let content: SecretBytes
        do { content = try sealed.encoded() } catch {
            throw .damagedWallet(name: wallet.name.description, reason: "its description cannot be written")
        }
        do throws(SecureStorageError) {
            try await vault.save(content, as: try SealedShare.itemName(place), attributes: .critical(.keyShare))
        } catch { throw .shareNotWritable(location, path: place.path, error) }
    }
}
