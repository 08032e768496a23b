internal import Custody
internal import Foundation

/// What a person should know of the places that shares go to.
enum PlaceAdvice {
    /// The places that hold too many shares, so that a loss of one place is no loss of coins, and a thief of one has none.
    static func crowded(_ wallet: WalletRecord, in home: WalletHome) -> [String] {
        wallet.crowdedPlaces(in: home).flatMap { place in
            let dangers =
                (place.suffices ? ["whoever has them and the passphrase can sign"] : [])
                + (place.isIndispensable ? ["without them nobody can"] : [])
            let name = place.path == home.path ? "This machine" : place.path
            let shares = place.shares.map(\.name).joined(separator: ", ")
            return [
                "",
                "\(name) holds \(place.shares.count) shares (\(shares)):",
                "\(dangers.joined(separator: "; ")). Move some of them to another place,",
                "and tell the wallet where: fueki wallet restore \(wallet.name) --share FILE",
            ]
        }
    }
}

extension Output {
    /// Warns of folders that are not there: one that is made in the place of a stick lies on this machine.
    func warn(ofMissing folders: [String]) {
        var told: [String] = []
        for folder in folders where !FileManager.default.fileExists(atPath: folder) && !told.contains(folder) {
            note("warning: there is no folder \(folder); it will be made. Should it be on a stick, connect that first.")
            told.append(folder)
        }
    }
}
