public import Ceremonies
public import Secrets
internal import SecureStorage
internal import Threshold
internal import ThresholdECDSA

/// The contents of one share file: the shares of all keys, and a copy of the wallet's description, which cannot be
/// changed without the passphrase ([format](../../../docs/formats/sealed-share.md)).
public struct SealedShare: ~Copyable, Sendable {
    /// The shares of all keys.
    public internal(set) var keys: KeyShares
    /// The wallet's description, sealed together with the share.
    public let record: WalletRecord
    /// The id by which the share names the file of its counts, from its first ECDSA session on.
    var countsID: [UInt8]?
    /// The counts of its ECDSA sessions; nil if their file is missing or is another share's.
    public internal(set) var counts: SigningCounts?

    init(
        keys: consuming KeyShares, record: WalletRecord, countsID: [UInt8]? = nil,
        counts: SigningCounts? = SigningCounts()
    ) {
        self.keys = keys
        self.record = record
        self.countsID = countsID
        self.counts = counts
    }

    /// Takes the shares out and makes a participant that signs with them.
    ///
    /// - Parameters:
    ///   - confirmed: the `Intent.digest` that the user confirmed. The participant signs nothing else.
    ///   - authorizer: asked before this share signs.
    ///   - ledger: the ledger of this share. Without one, the participant makes no ECDSA signatures.
    public consuming func participant(
        confirmed: [UInt8], authorizer: any SigningAuthorizer, ledger: (any SigningLedger)?, random: some RandomSource
    ) -> SigningParticipant {
        let (network, imported) = (record.network, record.imported)
        return SigningParticipant(
            keys: keys, network: network, imported: imported,
            authorizer: ConfirmedIntent(confirmed, asking: authorizer), ledger: ledger, random: random)
    }

    /// Returns the shares alone.
    consuming func takeKeys() -> KeyShares { keys }

    /// Writes the shares to a new file. An existing file is never replaced.
    ///
    /// - Parameters:
    ///   - vault: the id of the file; nil to draw one.
    ///   - device: the chip that the file is to need; nil for a passphrase alone.
    /// - Throws: ``ShareFileFault/inTheWay``, ``ShareFault/notMade(path:_:)`` with the store's error.
    func seal(
        passphrase: borrowing SecretBytes, vault: VaultID? = nil, device: (any DeviceSealer)? = nil,
        random: some RandomSource
    ) throws(CustodyError) {
        let location = ShareLocation(index: keys.index.value)
        let place = try record.share(at: location)
        let content: SecretBytes
        do { content = try encoded() } catch {
            throw .damagedWallet(name: record.name.description, reason: "its description cannot be written")
        }
        do throws(SecureStorageError) {
            try VaultFile.seal(
                content, as: try Self.itemName(place), attributes: .critical(.keyShare), at: place.path,
                id: vault ?? VaultID(from: random), passphrase: passphrase, device: device, random: random)
        } catch .alreadyExists {
            throw .shareFile(path: place.path, .inTheWay)
        } catch {
            throw .share(location, .notMade(path: place.path, error))
        }
    }

    /// Opens a share file, and checks that it contains the expected share of the wallet.
    ///
    /// - Parameters:
    ///   - wallet: the description that says where the file is.
    ///   - device: the chip of this machine, which the file may need.
    /// - Throws: ``ShareFault/missing(path:place:)``, ``ShareFault/unreadable(path:_:)``,
    ///   ``ShareFault/foreign(path:)``, ``ShareFault/otherEpoch(path:found:wallet:)``.
    static func open(
        _ location: ShareLocation, of wallet: WalletRecord, passphrase: borrowing SecretBytes,
        device: (any DeviceSealer)? = nil
    ) async throws(CustodyError) -> SealedShare {
        let place = try wallet.share(at: location)
        let vault: VaultFile
        do {
            vault = try VaultFile.openReadOnly(
                at: place.path, passphrase: passphrase, device: device, freshness: .unchecked)
        } catch .notFound {
            throw .share(location, .missing(path: place.path, place: MissingPlace(of: place.path)))
        } catch {
            throw .share(location, .unreadable(path: place.path, error))
        }
        var sealed = try await read(place, of: wallet, from: vault)
        await vault.close()
        if let id = sealed.countsID {
            let read = try? await SigningCountsFile.read(place, of: sealed.keys)
            sealed.counts = read?.id == id ? read?.counts : nil
        }
        return sealed
    }

    /// Reads a share from its file, and checks that it is the expected share of the wallet.
    ///
    /// - Throws: ``ShareFault/unreadable(path:_:)``, ``ShareFault/foreign(path:)``,
    ///   ``ShareFault/otherEpoch(path:found:wallet:)``.
    static func read(
        _ place: ShareRecord, of wallet: WalletRecord, from vault: VaultFile
    ) async throws(CustodyError) -> SealedShare {
        let location = place.location
        let content: Content
        do { content = try await Self.content(of: vault, named: try itemName(place)) } catch {
            throw .share(location, .unreadable(path: place.path, error))
        }
        let sealed: SealedShare
        switch consume content {
        case .expected(let encoded):
            do { sealed = try SealedShare(decoding: encoded, name: wallet.name) } catch {
                throw .share(location, .unreadable(path: place.path, .wrongKind))
            }
        case .other(let encoded):
            if let found = epoch(of: encoded, in: wallet, at: location), found != wallet.epoch {
                throw .share(location, .otherEpoch(path: place.path, found: found, wallet: wallet.epoch))
            }
            throw .share(location, .foreign(path: place.path))
        case .nothing:
            throw .share(location, .foreign(path: place.path))
        }
        guard sealed.keys.index.value == location.index, sealed.keys.groups == wallet.keys,
            sealed.record.keys == wallet.keys, sealed.record.imported == wallet.imported,
            sealed.record.network == wallet.network,
            sealed.record.epoch == wallet.epoch, sealed.keys.ecdsa.epoch == wallet.epoch
        else { throw .share(location, .foreign(path: place.path)) }
        return sealed
    }

    private enum Content: ~Copyable {
        case expected(SecretBytes)
        /// Another share, which is only examined to describe the error.
        case other(SecretBytes)
        case nothing
    }

    private static func content(
        of vault: VaultFile, named name: ItemName
    ) async throws(SecureStorageError) -> Content {
        if let encoded = try await vault.load(name) { return .expected(encoded) }
        let names = try await vault.names(in: service)
        guard names.count == 1, let other = names.first, let encoded = try await vault.load(other) else {
            return .nothing
        }
        return .other(encoded)
    }

    /// Returns the epoch of a file that may be this share of this wallet before or after a renewal; nil for any other
    /// contents.
    private static func epoch(
        of encoded: borrowing SecretBytes, in wallet: WalletRecord, at location: ShareLocation
    ) -> Int? {
        guard let sealed = try? SealedShare(decoding: encoded, name: nil),
            sealed.keys.groups.isSameKeys(as: wallet.keys), sealed.record.imported == wallet.imported,
            sealed.keys.index.value == location.index
        else { return nil }
        return sealed.record.epoch
    }

    /// The service name under which shares are stored.
    static let service = "fueki.share"

    /// Returns the item's name. It contains the wallet, the share and the epoch, so a file of another wallet has no
    /// item of this name.
    static func itemName(_ place: ShareRecord) throws(SecureStorageError) -> ItemName {
        try ItemName(service: service, account: place.id)
    }
}
