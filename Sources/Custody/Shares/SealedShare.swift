public import Curves
internal import Encoding
public import Secrets
internal import SecureStorage
public import Threshold

/// One share as it lies in its file: the key share, and a copy of the wallet's description that nobody can change without
/// the passphrase ([format](../../../docs/formats/sealed-share.md)).
///
/// | bytes | what |
/// |---|---|
/// | 4 | size of the key share, big-endian |
/// | … | the key share ([format](../../../docs/formats/threshold-messages.md)) |
/// | 4 | size of the description, big-endian |
/// | … | the description, the JSON of `wallet.json` |
public struct SealedShare: ~Copyable, Sendable {
    public let share: KeyShare<Secp256k1>
    public let record: WalletRecord

    init(share: consuming KeyShare<Secp256k1>, record: WalletRecord) {
        self.share = share
        self.record = record
    }

    /// Takes the share out, to sign with.
    ///
    /// - Parameter confirmed: ``SpendSummary/intentDigest`` of what the person confirmed: the one thing that is signed.
    public consuming func holder(confirmed: [UInt8], random: some RandomSource) -> SigningHolder {
        let network = record.network
        return SigningHolder(share: share, network: network, confirmed: confirmed, random: random)
    }

    /// Writes the share to a new file. No file is ever replaced.
    ///
    /// - Throws: ``CustodyError/shareInTheWay(path:)``, ``CustodyError/shareUnreadable(_:path:_:)`` with the store's error.
    func seal(passphrase: borrowing SecretBytes, random: some RandomSource) throws(CustodyError) {
        let location = ShareLocation(index: share.index.value)
        let place = try record.share(at: location)
        do {
            try VaultFile.seal(
                try encoded(), as: try Self.itemName(place), attributes: .critical(.keyShare), at: place.path,
                passphrase: passphrase, random: random)
        } catch SecureStorageError.alreadyExists {
            throw .shareInTheWay(path: place.path)
        } catch let error as SecureStorageError {
            throw .shareUnreadable(location, path: place.path, error)
        } catch {
            throw .damagedWallet(name: record.name.description, reason: "its description cannot be written")
        }
    }

    /// Opens the file of a share, and checks that it holds that share of that wallet.
    ///
    /// - Parameter wallet: the description that says where the file is.
    /// - Throws: ``CustodyError/shareMissing(_:path:)``, ``CustodyError/shareUnreadable(_:path:_:)``,
    ///   ``CustodyError/foreignShare(_:path:)``.
    static func open(
        _ location: ShareLocation, of wallet: WalletRecord, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> SealedShare {
        let place = try wallet.share(at: location)
        let encoded: SecretBytes?
        do {
            let vault = try VaultFile.openReadOnly(at: place.path, passphrase: passphrase, freshness: .unchecked)
            encoded = try await vault.load(try itemName(place))
            await vault.close()
        } catch .notFound {
            throw .shareMissing(location, path: place.path)
        } catch {
            throw .shareUnreadable(location, path: place.path, error)
        }
        guard let encoded else { throw .foreignShare(location, path: place.path) }
        let sealed: SealedShare
        do { sealed = try SealedShare(decoding: encoded, name: wallet.name) } catch {
            throw .shareUnreadable(location, path: place.path, .wrongKind)
        }
        guard sealed.share.index.value == location.index, sealed.share.group == wallet.group,
            sealed.record.group == wallet.group, sealed.record.network == wallet.network,
            sealed.record.epoch == wallet.epoch
        else { throw .foreignShare(location, path: place.path) }
        return sealed
    }

    /// Under which shares are stored.
    static let service = "fueki.share"

    /// Tells the wallet, the share and the epoch: a file of another wallet has no item of this name.
    private static func itemName(_ place: ShareRecord) throws(SecureStorageError) -> ItemName {
        try ItemName(service: service, account: place.id)
    }
}

extension SealedShare {
    borrowing func encoded() throws -> SecretBytes {
        let share = share.encoded()
        let record = try record.encoded
        let size = 4 + share.count + 4 + record.count
        return SecretBytes(count: size) { memory in
            memory.storeBytes(of: UInt32(share.count).bigEndian, as: UInt32.self)
            share.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: memory[4...]).copyMemory(from: $0) }
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[(4 + share.count)...])
            rest.storeBytes(of: UInt32(record.count).bigEndian, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: rest[4...]).copyBytes(from: record)
        }
    }

    /// - Parameter name: the wallet that the share must be of; any, if there is none.
    /// - Throws: ``CustodyError/malformedMessage``, ``CustodyError/ceremony(_:)`` or
    ///   ``CustodyError/damagedWallet(name:reason:)``.
    init(decoding bytes: borrowing SecretBytes, name: WalletName?) throws(CustodyError) {
        // Only sizes and the description become arrays; the share goes from guarded memory to guarded memory.
        let shareSize = bytes.withUnsafeBytes { Self.size(at: 0, of: $0) }
        guard let shareSize else { throw .malformedMessage }
        let recordStart = 4 + shareSize
        let record = bytes.withUnsafeBytes { bytes -> [UInt8]? in
            guard let size = Self.size(at: recordStart, of: bytes), recordStart + 4 + size == bytes.count else {
                return nil
            }
            return Array(bytes[(recordStart + 4)...])
        }
        guard let record else { throw .malformedMessage }
        let encodedShare = SecretBytes(count: shareSize) { memory in
            bytes.withUnsafeBytes {
                memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[4..<recordStart]))
            }
        }
        let share: KeyShare<Secp256k1>
        do { share = try KeyShare(decoding: encodedShare) } catch { throw .ceremony(error) }
        self.init(share: share, record: try WalletRecord(decoding: record, name: name))
    }

    /// The size that stands at an offset, if so many bytes follow it.
    private static func size(at offset: Int, of bytes: UnsafeRawBufferPointer) -> Int? {
        guard offset + 4 <= bytes.count else { return nil }
        let size = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        return size <= bytes.count - offset - 4 ? size : nil
    }
}
