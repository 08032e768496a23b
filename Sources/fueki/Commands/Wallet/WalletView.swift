internal import Curves
internal import Custody
internal import Encoding
internal import Foundation
internal import Threshold
internal import Wallet

/// What is public of a wallet, as it is shown.
struct WalletView: Encodable {
    struct Share: Encodable {
        let index: Int
        let location: String
        let path: String
        /// Whether there is a file in that place. Whether it is the right one, `wallet check` finds out.
        let present: Bool
    }

    let name: String
    let network: String
    let threshold: Int
    let total: Int
    let epoch: Int
    let taproot_xonly: String
    let fingerprint: String
    let descriptor: String
    let created_at: String
    let shares: [Share]

    init(_ wallet: WalletRecord) throws(Failure) {
        let account = try attempt { () throws(CustodyError) in try wallet.account }
        name = wallet.name.description
        network = wallet.network.name
        threshold = wallet.group.parameters.threshold
        total = wallet.group.parameters.total
        epoch = wallet.epoch
        taproot_xonly = Hex.encode(account.key.point.xOnly)
        fingerprint = account.key.fingerprint.description
        descriptor = account.descriptor.text
        created_at = Date(timeIntervalSince1970: TimeInterval(wallet.createdAt)).ISO8601Format()
        shares = wallet.shares.map {
            Share(
                index: $0.index, location: $0.location.name, path: $0.path,
                present: FileManager.default.fileExists(atPath: $0.path))
        }
    }

    var text: String {
        let facts = Table([
            ["wallet", name],
            ["network", network],
            ["signs with", "\(threshold) of \(total) shares"],
            ["made", created_at],
            ["key (x-only)", taproot_xonly],
            ["descriptor", descriptor],
        ])
        let places = Table(
            shares.map { ["share \($0.index)", $0.location, $0.path + ($0.present ? "" : "   (not there now)")] })
        let present = shares.count(where: \.present)
        let warning = "warning: \(threshold) shares sign, and the files of \(present) are there"
        return facts.text + "\n\n" + places.text + (present < threshold ? "\n\n" + warning : "")
    }
}
