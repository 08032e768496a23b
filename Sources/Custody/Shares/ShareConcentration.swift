internal import Ceremonies
internal import Threshold

/// A place with too many shares of one wallet: they reach the threshold, or the others do not.
public struct ShareConcentration: Equatable, Sendable {
    /// The folders; for this machine, the wallets' home. Several if they are on one disk.
    public let folders: [String]
    /// The shares in this place.
    public let shares: [ShareLocation]
    /// Whether the shares in this place reach the threshold.
    public let suffices: Bool
    /// Whether the shares outside this place are too few to sign.
    public let isIndispensable: Bool
}

/// A share, and the folder where it is or will be.
struct PlacedShare {
    let location: ShareLocation
    let folder: String
    /// The folder's file system; nil if it is unknown, as for a share whose stick is not connected.
    let fileSystem: Disks.FileSystem?

    /// Returns the places that have too many of these shares. The whole home is one place, whatever its folders are
    /// called, and so is one disk: their shares are lost or stolen together. Every other folder is a place of its own.
    static func crowded(
        _ shares: [PlacedShare], of parameters: ThresholdParameters, in home: WalletHome
    ) -> [ShareConcentration] {
        var places: [(folders: [String], shares: [PlacedShare])] = []
        for share in shares {
            let folder = (share.folder + "/").hasPrefix(home.path + "/") ? home.path : share.folder
            // A share may be on one disk with several places, because a volume can be on several disks.
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
            let place = ShareConcentration(
                folders: folders, shares: locations, suffices: shares.count >= threshold,
                isIndispensable: total - shares.count < threshold)
            // If every share is needed, each place is indispensable, and the user chose that.
            return place.suffices || (place.isIndispensable && total > threshold) ? place : nil
        }
    }

    private func isOnOneDisk(with other: PlacedShare) -> Bool {
        guard let fileSystem, let others = other.fileSystem else { return false }
        return fileSystem.isOnOneDisk(with: others)
    }
}

/// The findings about the places of a wallet's shares, for the user.
public struct PlaceFindings: Equatable, Sendable {
    /// Places that hold too many shares.
    public let crowded: [ShareConcentration]
    /// Folders under the mount points of sticks and disks where nothing is mounted, with the shares in them.
    public let unmounted: [Unmounted]

    /// A folder on the system's own disk, under the mount points of sticks.
    public struct Unmounted: Equatable, Sendable {
        /// The folder's path.
        public let folder: String
        /// The shares that are in the folder, or will be.
        public let shares: [ShareLocation]
    }

    private init(crowded: [ShareConcentration], unmounted: [Unmounted]) {
        self.crowded = crowded
        self.unmounted = unmounted
    }

    /// Returns the findings that concern one share.
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
    /// Returns the findings about the present places of the shares. For a share that is missing now, only its folder is
    /// used.
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
    /// Returns the findings about the future places of the shares.
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
    /// Returns the findings about the places of the new shares; nil if those are not known yet, because an interrupted
    /// renewal must be cleaned up first.
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
