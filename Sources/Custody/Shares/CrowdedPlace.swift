internal import Ceremonies
internal import Threshold

/// A place that holds too many shares of one wallet: whoever has it needs no other, or whoever lost it cannot do without.
public struct CrowdedPlace: Equatable, Sendable {
    /// The folder; for this machine, the wallets' home. Several if they are on one disk.
    public let folders: [String]
    /// The shares that lie there.
    public let shares: [ShareLocation]
    /// The shares there are enough to sign.
    public let suffices: Bool
    /// Without the shares there, those that are left are too few to sign.
    public let isIndispensable: Bool
}

/// A share, and the folder where it lies or will lie.
struct PlacedShare {
    let location: ShareLocation
    let folder: String
    /// Where that is; nothing where it cannot be told, as for a share whose stick is not connected.
    let fileSystem: Disks.FileSystem?

    /// The places that hold too many of these shares. All that lies in the home is one place, however its folders are called, and
    /// so is all that lies on one disk: it is lost, or stolen, together. Every other folder is a place of its own.
    static func crowded(
        _ shares: [PlacedShare], of parameters: ThresholdParameters, in home: WalletHome
    ) -> [CrowdedPlace] {
        var places: [(folders: [String], shares: [PlacedShare])] = []
        for share in shares {
            let folder = (share.folder + "/").hasPrefix(home.path + "/") ? home.path : share.folder
            // A share may be on one disk with several places: a volume is on several disks.
            var place = (folders: [folder], shares: [share])
            places.removeAll { other in
                guard other.folders.contains(folder) || other.shares.contains(where: share.isOnOneDisk) else {
                    return false
                }
                place = (
                    other.folders + place.folders.filter { !other.folders.contains($0) }, other.shares + place.shares
                )
                return true
            }
            places.append(place)
        }
        let (threshold, total) = (parameters.threshold, parameters.total)
        return places.sorted { $0.shares[0].location.index < $1.shares[0].location.index }.compactMap {
            folders, shares in
            let locations = shares.map(\.location).sorted { $0.index < $1.index }
            let place = CrowdedPlace(
                folders: folders, shares: locations, suffices: shares.count >= threshold,
                isIndispensable: total - shares.count < threshold)
            // Where every share is needed each place is indispensable, which is what was asked for.
            return place.suffices || (place.isIndispensable && total > threshold) ? place : nil
        }
    }

    private func isOnOneDisk(with other: PlacedShare) -> Bool {
        guard let fileSystem, let others = other.fileSystem else { return false }
        return fileSystem.isOnOneDisk(with: others)
    }
}

/// What a person should know of the places of a wallet's shares.
public struct PlaceFindings: Equatable, Sendable {
    /// Places that hold too many shares.
    public let crowded: [CrowdedPlace]
    /// Folders in places for sticks and disks where none is mounted, with the shares that are there nevertheless.
    public let unmounted: [Unmounted]

    /// A folder on the system's own disk, in a place for sticks.
    public struct Unmounted: Equatable, Sendable {
        /// The folder's path.
        public let folder: String
        /// The shares that lie there, or will.
        public let shares: [ShareLocation]
    }

    private init(crowded: [CrowdedPlace], unmounted: [Unmounted]) {
        self.crowded = crowded
        self.unmounted = unmounted
    }

    /// Those that one share is among.
    public func only(about share: ShareLocation) -> PlaceFindings {
        PlaceFindings(
            crowded: crowded.filter { $0.shares.contains(share) },
            unmounted: unmounted.filter { $0.shares.contains(share) })
    }

    init(_ shares: [PlacedShare], of parameters: ThresholdParameters, in home: WalletHome, on disks: Disks) {
        crowded = PlacedShare.crowded(shares, of: parameters, in: home)
        var unmounted: [Unmounted] = []
        for share in shares where share.fileSystem != nil && disks.isUnmounted(share.folder) {
            let before = unmounted.first { $0.folder == share.folder }?.shares ?? []
            unmounted.removeAll { $0.folder == share.folder }
            unmounted.append(Unmounted(folder: share.folder, shares: before + [share.location]))
        }
        self.unmounted = unmounted
    }
}

extension WalletRecord {
    /// What is to be known of the places where the shares are. Of a share that is not there now, only the folder is known.
    public func placeFindings(in home: WalletHome, on disks: Disks) -> PlaceFindings {
        let placed = shares.map { share in
            PlacedShare(
                location: share.location, folder: share.folder,
                fileSystem: disks.fileSystem(share.path) == nil ? nil : disks.fileSystem(ofFolder: share.folder))
        }
        return PlaceFindings(placed, of: parameters, in: home, on: disks)
    }
}

extension WalletCreation {
    /// What is to be known of the places where the shares will be.
    public func placeFindings(on disks: Disks) -> PlaceFindings {
        let placed = parameters.indices.map { index in
            let location = ShareLocation(index: index.value)
            let folder = places.folder(of: location, of: name, in: home)
            return PlacedShare(location: location, folder: folder, fileSystem: disks.fileSystem(ofFolder: folder))
        }
        return PlaceFindings(placed, of: parameters, in: home, on: disks)
    }
}

extension WalletRenewal {
    /// What is to be known of the places where the new shares will be; nothing where that is not known yet, since an interrupted
    /// renewal is tidied up first.
    ///
    /// - Throws: as ``check()``.
    public func placeFindings(on disks: Disks) throws(CustodyError) -> PlaceFindings? {
        let wallet = try home.wallet(name)
        guard try home.journal(of: name) == nil else { return nil }
        let plan = try RenewalPlan(renewal, of: wallet, in: home)
        let placed = zip(plan.terms.parameters.indices, plan.paths).map { index, path in
            let folder = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
            return PlacedShare(
                location: ShareLocation(index: index.value), folder: folder,
                fileSystem: disks.fileSystem(ofFolder: folder))
        }
        return PlaceFindings(placed, of: plan.terms.parameters, in: home, on: disks)
    }
}
