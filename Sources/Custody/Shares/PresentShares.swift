internal import Ceremonies
internal import Foundation
internal import Threshold

extension WalletRecord {
    /// The shares that have a file in their place, in their order. Only opening a file shows whether it is the right
    /// one.
    public var presentShares: [ShareRecord] {
        shares.filter { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// The default signing shares: the first shares whose files are in their places.
    ///
    /// - Returns: a threshold of shares. If fewer files are there, the first shares of all: opening them then reports
    ///   the missing one.
    public var defaultSigners: [ShareLocation] {
        let (needed, present) = (parameters.threshold, presentShares)
        return (present.count < needed ? shares : present).prefix(needed).map(\.location)
    }

    /// Reads the names of the signing shares, separated by commas: `device,backup`.
    ///
    /// - Throws: ``CustodyError/noSuchShare(name:)``; ``CustodyError/ceremony(_:)`` with
    ///   `CeremonyError.wrongNumberOfShares` unless they are exactly a threshold of different shares.
    public func signers(named names: String) throws(CustodyError) -> [ShareLocation] {
        var locations: [ShareLocation] = []
        for name in names.split(separator: ",", omittingEmptySubsequences: false) {
            guard let location = ShareLocation(name), shares.contains(where: { $0.location == location }) else {
                throw .noSuchShare(name: String(name))
            }
            locations.append(location)
        }
        try requireThreshold(of: locations)
        return locations
    }

    /// Checks that these are exactly a threshold of different shares of the wallet.
    ///
    /// - Throws: ``CustodyError/noSuchShare(name:)``; ``CustodyError/ceremony(_:)`` with
    ///   `CeremonyError.wrongNumberOfShares`.
    public func requireThreshold(of locations: [ShareLocation]) throws(CustodyError) {
        for location in locations { _ = try share(at: location) }
        let (needed, given) = (parameters.threshold, Set(locations).count)
        guard given == locations.count, given == needed else {
            throw .ceremony(.wrongNumberOfShares(needed: needed, given: given))
        }
    }
}
