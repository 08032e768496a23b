internal import Curves
public import Secrets
internal import SecureStorage

/// The key of somebody who approves what a wallet signs: Ed25519, sealed under a passphrase of the approver's own.
///
/// Not a plain file that only its owner may read: the key is what stands between a wallet and a large payment, every backup of a
/// home folder would carry it away, and who asks for an approval is there to type a passphrase.
public struct ApproverKey: ~Copyable, Sendable {
    private let seed: SecretBytes
    /// 32 bytes: what policies name.
    public let publicKey: [UInt8]

    private init(seed: consuming SecretBytes) {
        publicKey = EdDSA.publicKey(ofSeed: seed)
        self.seed = seed
    }

    /// Makes a key, and a file with it. No file is ever replaced.
    ///
    /// - Throws: ``CustodyError/approverKey(path:_:)``.
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

    /// Opens a key's file.
    ///
    /// - Throws: ``CustodyError/approverKey(path:_:)``; with ``SecureStorageError/wrongKind`` for a vault with something else in it.
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

    /// Approves what has this digest.
    ///
    /// - Parameter digest: of an intent, 32 bytes.
    public borrowing func approve(_ digest: [UInt8]) throws(CustodyError) -> Approval {
        try Approval.sign(digest, key: seed)
    }

    private static func itemName() throws(SecureStorageError) -> ItemName {
        try ItemName(service: "fueki.approver", account: "key")
    }
}
