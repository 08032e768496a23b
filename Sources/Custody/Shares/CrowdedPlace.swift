internal import Threshold

/// A place that holds too many shares of one wallet: whoever has it needs no other, or whoever lost it cannot do without.
public struct CrowdedPlace: Equatable, Sendable {
    /// The folder; for this machine, the wallets' home.
    public let path: String
    public let shares: [ShareLocation]
    /// The shares there are enough to sign.
    public let suffices: Bool
    /// Without the shares there, those that are left are too few to sign.
    public let isIndispensable: Bool
}

extension WalletRecord {
    /// The places that hold too many shares. All that lies in the home is one place, however its folders are called; every
    /// other folder is taken for a place of its own, since nobody here can know which disk ends up where.
    public func crowdedPlaces(in home: WalletHome) -> [CrowdedPlace] {
        var places: [(path: String, shares: [ShareLocation])] = []
        for share in shares {
            let folder = String(share.path.prefix(upTo: share.path.lastIndex(of: "/") ?? share.path.startIndex))
            let path = (folder + "/").hasPrefix(home.path + "/") ? home.path : folder
            if let known = places.firstIndex(where: { $0.path == path }) {
                places[known].shares.append(share.location)
            } else {
                places.append((path, [share.location]))
            }
        }
        let (threshold, total) = (parameters.threshold, parameters.total)
        return places.compactMap { path, shares in
            let place = CrowdedPlace(
                path: path, shares: shares, suffices: shares.count >= threshold,
                isIndispensable: total - shares.count < threshold)
            // Where every share is needed each place is indispensable, which is what was asked for.
            return place.suffices || (place.isIndispensable && total > threshold) ? place : nil
        }
    }
}
