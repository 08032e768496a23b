internal import Curves
public import Custody
public import Secrets
internal import SecureStorage
public import Wallet

/// An approver's key: an Ed25519 key, sealed under a passphrase of the approver's own.
///
/// It is not a plain file that only its owner may read, because it protects the wallet's large payments and every
/// backup of a home folder would contain it. An approver is present to type a passphrase.
public struct ApproverKey: ~Copyable, Sendable {
    private let seed: SecretBytes
    /// The public key, 32 bytes, by which policies name the approver.
    public let publicKey: [UInt8]

    private init(seed: consuming SecretBytes) {
        publicKey = EdDSA.publicKey(ofSeed: seed)
        self.seed = seed
    }

    /// Makes a key and its file. An existing file is never replaced.
    ///
    /// - Throws: `CustodyError.approverKey(path:_:)`.
    public static func create(
        at path: String, passphrase: borrowing SecretBytes, random: some RandomSource
    ) throws(CustodyError) -> ApproverKey {
        let key = ApproverKey(seed: SecretBytes(count: EdDSA.seedSize, from: random))
        do {
            try VaultFile.seal(
                key.seed, as: try itemName(), attributes: .critical(.other), at: path, passphrase: passphrase,
                random: random)
        } catch { throw .approverKey(path: path, error) }
        return key
    }

    /// Opens the file of a key.
    ///
    /// - Throws: `CustodyError.approverKey(path:_:)`; with `SecureStorageError.wrongKind` for a vault with other
    ///   contents.
    public static func open(
        at path: String, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> ApproverKey {
        do throws(SecureStorageError) {
            let vault = try VaultFile.openReadOnly(at: path, passphrase: passphrase, freshness: .unchecked)
            let seed = try await vault.load(try itemName())
            await vault.close()
            guard let seed, seed.count == EdDSA.seedSize else { throw SecureStorageError.wrongKind }
            return ApproverKey(seed: seed)
        } catch { throw .approverKey(path: path, error) }
    }

    /// Signs an approval of this digest.
    ///
    /// - Parameter digest: the intent's digest, 32 bytes.
    /// - Throws: `CustodyError.wallet(_:)` with `WalletError.badApproval` for another size.
    public borrowing func approve(_ digest: [UInt8]) throws(CustodyError) -> Approval {
        do { return try Approval.sign(digest, key: seed) } catch { throw .wallet(error) }
    }

    private static func itemName() throws(SecureStorageError) -> ItemName {
        try ItemName(service: "fueki.approver", account: "key")
    }
}
