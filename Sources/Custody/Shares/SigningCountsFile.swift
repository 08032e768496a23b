internal import Ceremonies
internal import Curves
internal import Files
internal import Secrets
internal import SecureStorage
internal import Threshold
internal import ThresholdECDSA

/// The small file beside a share file, with the data that change at every ECDSA session
/// ([format](../../../docs/formats/sealed-share.md#counts)). The share itself, with its pairs, is large: it is written
/// only at its first session and for a ban.
///
/// The file is a vault of its own. Its key is derived from the share, and the share names the vault. So another file is
/// refused, a missing one is noticed, and an open share needs no second passphrase.
struct SigningCountsFile: Sendable {
    private let vault: VaultFile
    private let name: ItemName

    /// The id by which the share names it: 16 bytes.
    var id: [UInt8] { vault.id.bytes }

    static func path(of place: ShareRecord) -> String { path(ofShareAt: place.path) }

    static func path(ofShareAt path: String) -> String { path + ".counts" }

    /// The service name under which counts are stored.
    private static let service = "fueki.counts"

    /// Opens the file for reading and writing.
    static func open(
        _ place: ShareRecord, of keys: borrowing KeyShares, freshness: Freshness, random: some RandomSource
    ) throws(SecureStorageError) -> SigningCountsFile {
        let vault = try VaultFile.open(
            at: path(of: place), passphrase: key(of: keys), freshness: freshness, random: random, access: .anyone,
            stretcher: .real)
        return SigningCountsFile(vault: vault, name: try ItemName(service: service, account: place.id))
    }

    /// Makes the file.
    ///
    /// - Throws: ``SecureStorageError/alreadyExists``, and the errors of writing.
    static func create(
        _ place: ShareRecord, of keys: borrowing KeyShares, freshness: Freshness, random: some RandomSource
    ) throws(SecureStorageError) -> SigningCountsFile {
        // The key cannot be guessed, so stretching it would only take time.
        let vault = try VaultFile.create(
            at: path(of: place), passphrase: key(of: keys), freshness: freshness, random: random, stretching: .least)
        return SigningCountsFile(vault: vault, name: try ItemName(service: service, account: place.id))
    }

    /// Opens the file only to read it. Returns its id and the counts.
    static func read(
        _ place: ShareRecord, of keys: borrowing KeyShares
    ) async throws(SecureStorageError) -> (id: [UInt8], counts: SigningCounts) {
        let vault = try VaultFile.openReadOnly(at: path(of: place), passphrase: key(of: keys), freshness: .unchecked)
        let file = SigningCountsFile(vault: vault, name: try ItemName(service: service, account: place.id))
        let counts = try await file.load()
        await vault.close()
        return (file.id, counts)
    }

    /// Returns the counts; zeros if a crash came between making the file and the first write.
    func load() async throws(SecureStorageError) -> SigningCounts {
        guard let content = try await vault.load(name) else { return SigningCounts() }
        guard let counts = try? SigningCounts(decoding: content.withUnsafeBytes { Array($0) }) else { throw .damaged }
        return counts
    }

    /// Writes the counts. When it returns, they are durable on the disk.
    func store(_ counts: SigningCounts) async throws(SecureStorageError) {
        let bytes = counts.encoded
        let content = SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
        try await vault.save(content, as: name, attributes: .critical(.other))
    }

    func close() async { await vault.close() }

    /// Returns the key, derived from the ECDSA share, which differs for each share, wallet and epoch.
    private static func key(of keys: borrowing KeyShares) -> SecretBytes {
        var hasher = BIP340.taggedHasher("Fueki/counts")
        hasher.update(keys.ecdsa.key.encoded())
        return hasher.finalizeSecret()
    }
}
