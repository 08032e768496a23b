internal import Ceremonies
internal import Files
internal import SecureStorage
internal import Threshold

/// The plan of a renewal: which shares take part, and where the new shares go.
struct RenewalPlan: Equatable, Sendable {
    let wallet: WalletRecord
    let terms: SharingTerms
    /// The file of each new share, by its number.
    let paths: [String]
    let lost: [ShareLocation]

    /// - Throws: ``CustodyError/noSuchShare(name:)``, ``RenewalFault/elsewhere(name:path:found:wallet:needed:)``,
    ///   ``RenewalFault/sharesAway(_:)``, ``RenewalFault/tooFewShares(needed:missing:)``,
    ///   ``RenewalFault/placeAway(_:folder:)``, ``CustodyError/unusablePath``.
    init(
        _ renewal: Renewal, of wallet: WalletRecord, in home: WalletHome, on disks: Disks = .real
    ) throws(CustodyError) {
        let parameters = renewal.parameters(after: wallet.parameters)
        for location in renewal.lost { _ = try wallet.share(at: location) }
        // A second renewal of the same shares would make a second set of the same epoch, beside that of another
        // machine.
        if let newer = wallet.newerFile(in: home) {
            throw .renewal(
                .elsewhere(
                    name: wallet.name.description, path: newer.path, found: newer.epoch, wallet: wallet.epoch,
                    needed: wallet.parameters.threshold))
        }
        let held = wallet.shares.filter { !renewal.lost.contains($0.location) }
        let there = held.filter { FolderCreation.isOccupied($0.path) }
        let away = held.filter { !there.contains($0) }.map(\.location)
        guard there.count >= wallet.parameters.threshold else {
            throw .renewal(.tooFewShares(needed: wallet.parameters.threshold, missing: away + renewal.lost))
        }
        // A place that gets no new share while the others do has lost its share without a command that says so. With
        // another number of shares it may be left out or moved. But if its stick is not mounted now, the new share
        // would be written to this machine's own disk.
        let stranded = away.filter { location in
            guard case .reshare = renewal else { return true }
            return location.index <= parameters.total
                && Self.folder(of: location, renewal, wallet, home)
                    == wallet.shares.first { $0.location == location }?.folder
        }
        guard stranded.isEmpty else { throw .renewal(.sharesAway(stranded)) }
        // The new share of a lost one must not go onto this machine either, because its stick is missing or its folder
        // is empty.
        if case .repair(let lost, []) = renewal {
            for location in lost {
                let folder = Self.folder(of: location, renewal, wallet, home)
                guard FolderCreation.isOccupied(folder), !disks.isUnmounted(folder) else {
                    throw .renewal(.placeAway(location, folder: folder))
                }
            }
        }

        self.wallet = wallet
        lost = renewal.lost
        terms = SharingTerms(
            renewing: wallet.keys, epoch: wallet.epoch, dealers: there.map(\.index), parameters: parameters)
        var paths: [String] = []
        for index in parameters.indices {
            let location = ShareLocation(index: index.value)
            let folder = Self.folder(of: location, renewal, wallet, home)
            let path =
                "\(folder)/\(SharePlaces.file(of: location, of: wallet.name, epoch: wallet.epoch + 1, isInHome: folder == home.folder(of: wallet.name)))"
            guard ShareRecord.isPath(path) else { throw .unusablePath }
            // Files of the next epoch were refused above, except one under a name that another place would use.
            for file in [path, SigningCountsFile.path(ofShareAt: path)] where FolderCreation.isOccupied(file) {
                throw .shareFile(path: file, .inTheWay)
            }
            paths.append(path)
        }
        self.paths = paths
    }

    /// Returns the folder of a new share: that of the old one, unless the user names another.
    private static func folder(
        of location: ShareLocation, _ renewal: Renewal, _ wallet: WalletRecord, _ home: WalletHome
    ) -> String {
        func present(_ location: ShareLocation) -> String? { wallet.shares.first { $0.location == location }?.folder }
        let isBackups = location.index.isMultiple(of: 2)
        switch renewal {
        case .repair(let lost, let folders) where lost.contains(location) && !folders.isEmpty:
            let folder = zip(lost, folders).first { $0.0 == location }?.1
            return absolutePath(folder ?? "")
        // The lost share was not on this machine.
        case .repair(let lost, _) where location == .device && lost.contains(.device):
            return home.folder(of: wallet.name)
        case .reshare(_, let backup?, _) where isBackups: return absolutePath(backup)
        case .reshare(_, _, let recovery?) where !isBackups && location != .device: return absolutePath(recovery)
        default: break
        }
        if let folder = present(location) { return folder }
        let places = SharePlaces(
            backup: present(.backup) ?? "\(home.path)/backup", recovery: present(.recovery))
        return places.folder(of: location, of: wallet.name, in: home)
    }

    /// Returns the description of the wallet with its new shares.
    ///
    /// - Parameter device: the chip that the share of this machine needs; nil for none.
    func record(of keys: GroupKeys, device: StoreBackend?, now: Int64) -> WalletRecord {
        let epoch = wallet.epoch + 1
        let parameters = keys.parameters
        let shares = zip(parameters.indices, paths).map { index, path in
            ShareRecord(
                id: ShareRecord.id(wallet: wallet.walletID, index: index.value, epoch: epoch), index: index.value,
                location: ShareLocation(index: index.value), path: path, createdAt: now,
                metadata: ShareRecord.Metadata(
                    threshold: parameters.threshold, total: parameters.total, purposes: WalletKeyPurpose.allCases,
                    epoch: epoch),
                device: index.value == ShareLocation.device.index ? device : nil)
        }
        return WalletRecord(
            name: wallet.name, network: wallet.network, createdAt: wallet.createdAt, epoch: epoch, keys: keys,
            imported: wallet.imported, shares: shares)
    }
}
