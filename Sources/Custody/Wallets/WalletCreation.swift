internal import Ceremonies
internal import Encoding
public import HDKeys
public import Secrets
internal import SecureStorage
public import Threshold
internal import Wallet

/// Makes a wallet: generates its shares, seals each in its place, reads each back, and only then writes down that there is
/// a wallet. A run that fails, at whatever point, leaves no wallet, and removes the files that it made.
public struct WalletCreation: Sendable {
    let name: WalletName
    let network: Network
    let parameters: ThresholdParameters
    let places: SharePlaces
    let home: WalletHome

    public init(
        name: WalletName, network: Network, parameters: ThresholdParameters, places: SharePlaces, home: WalletHome
    ) {
        self.name = name
        self.network = network
        self.parameters = parameters
        self.places = places
        self.home = home
    }

    /// A step that takes long enough to be told.
    public enum Step: Equatable, Sendable, CustomStringConvertible {
        case generating
        case dealing
        case sealing(ShareLocation)
        case readingBack(ShareLocation)

        public var description: String {
            switch self {
            case .generating: "generating the shares"
            case .dealing: "dealing the keys into shares"
            case .sealing(let location): "sealing the \(location.name) share"
            case .readingBack(let location): "reading the \(location.name) share back"
            }
        }
    }

    /// Tells what is in the way, before anything is made.
    ///
    /// - Throws: ``CustodyError/walletExists(name:)``, ``CustodyError/unusablePath`` or
    ///   ``CustodyError/shareInTheWay(path:)``.
    public func check() throws(CustodyError) {
        if FolderCreation.isOccupied(home.recordPath(of: name)) { throw .walletExists(name: name.description) }
        for location in locations {
            let path = path(of: location)
            guard ShareRecord.isPath(path) else { throw .unusablePath }
            for file in [path, SigningCountsFile.path(ofShareAt: path)] where FolderCreation.isOccupied(file) {
                throw .shareInTheWay(path: file)
            }
        }
    }

    /// Makes the wallet. When it returns, every share and the description are on the disk to stay.
    ///
    /// - Parameters:
    ///   - passphrase: for every share's file.
    ///   - now: seconds since 1970.
    ///   - progress: called at the beginning of each step.
    /// - Throws: as ``check()``, ``CustodyError/shareUnreadable(_:path:_:)``, ``CustodyError/file(_:)``,
    ///   ``CustodyError/ceremony(_:)``.
    public func run(
        passphrase: borrowing SecretBytes, random: some RandomSource, now: Int64, progress: (Step) -> Void
    ) async throws(CustodyError) -> WalletRecord {
        try check()
        progress(.generating)
        let participants = parameters.indices.map {
            KeyGenerationParticipant(index: $0, parameters: parameters, random: random)
        }
        var shares: [OneShot<KeyShares>] = []
        do throws(CeremonyError) {
            try await KeyGeneration(parameters).run(with: participants, random: random)
            for participant in participants { shares.append(OneShot(try await participant.takeShares())) }
        } catch { throw CustodyError(error) }
        return try await place(
            shares, imported: nil, passphrase: passphrase, random: random, now: now, progress: progress)
    }

    /// Makes a wallet of the shares of one key each, or leaves nothing.
    ///
    /// - Parameters:
    ///   - shares: by their indices.
    ///   - imported: of keys that were whole before.
    func place(
        _ shares: [OneShot<KeyShares>], imported: ImportedPublicKeys?, passphrase: borrowing SecretBytes,
        random: some RandomSource, now: Int64, progress: (Step) -> Void
    ) async throws(CustodyError) -> WalletRecord {
        var made: [String] = []
        do {
            let wallet = try seal(shares, imported, &made, passphrase: passphrase, random, now: now, progress)
            try await readBack(wallet, passphrase: passphrase, progress)
            try home.write(wallet)
            return wallet
        } catch {
            // Never a share while there is a description that gives addresses: it comes last, when all shares are in place.
            if !FolderCreation.isOccupied(home.recordPath(of: name)) {
                for path in made.reversed() { try? FolderCreation.removeFile(path) }
                FolderCreation.removeIfEmpty(home.folder(of: name))
            }
            throw error
        }
    }

    private var locations: [ShareLocation] { parameters.indices.map { ShareLocation(index: $0.value) } }

    private func path(of location: ShareLocation) -> String { places.path(of: location, of: name, in: home) }

    /// Seals the shares, each in its place.
    private func seal(
        _ shares: [OneShot<KeyShares>], _ imported: ImportedPublicKeys?, _ made: inout [String],
        passphrase: borrowing SecretBytes, _ random: some RandomSource, now: Int64, _ progress: (Step) -> Void
    ) throws(CustodyError) -> WalletRecord {
        var wallet: WalletRecord?
        for (share, location) in zip(shares, locations) {
            guard let keys = share.take() else { preconditionFailure("each share is taken once") }
            let record = wallet ?? record(of: keys.groups, imported, now: now)
            wallet = record
            guard keys.groups == record.keys else { throw .ceremony(.threshold(.inconsistentKey)) }

            progress(.sealing(location))
            try makeFolder(places.folder(of: location, of: name, in: home))
            try SealedShare(keys: keys, record: record).seal(passphrase: passphrase, random: random)
            made.append(path(of: location))
        }
        guard let wallet else { preconditionFailure("a group has at least two participants") }
        return wallet
    }

    /// Opening checks that each secret fits its public part, and that the public parts lie on one polynomial that leads to the
    /// wallet's key: so any threshold of these files signs. The description comes after it: it is what makes a wallet of them.
    private func readBack(
        _ wallet: WalletRecord, passphrase: borrowing SecretBytes, _ progress: (Step) -> Void
    ) async throws(CustodyError) {
        for location in locations {
            progress(.readingBack(location))
            let sealed = try await home.open(location, of: wallet, passphrase: passphrase)
            guard sealed.record == wallet else { throw .foreignShare(location, path: path(of: location)) }
        }
    }

    private func makeFolder(_ path: String) throws(CustodyError) {
        do { try FolderCreation.make(path) } catch { throw .noFolder(path: path, error) }
    }

    private func record(of keys: GroupKeys, _ imported: ImportedPublicKeys?, now: Int64) -> WalletRecord {
        let epoch = 0
        let walletID = WalletRecord.walletID(of: keys, imported: imported)
        let shares = locations.map { location in
            ShareRecord(
                id: ShareRecord.id(wallet: walletID, index: location.index, epoch: epoch), index: location.index,
                location: location, path: path(of: location), createdAt: now,
                metadata: ShareRecord.Metadata(
                    threshold: parameters.threshold, total: parameters.total, purposes: WalletKeyPurpose.allCases,
                    epoch: epoch))
        }
        return WalletRecord(
            name: name, network: network, createdAt: now, epoch: epoch, keys: keys, imported: imported,
            shares: shares)
    }
}
