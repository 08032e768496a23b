internal import Bitcoin
internal import Ceremonies
internal import Curves
internal import Custody
internal import Encoding
internal import Foundation
internal import HDKeys
internal import Terminal
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

    /// What a wallet was imported with: only one whose key was whole has it.
    struct Imported: Encodable {
        let chain: String
        /// The fingerprint of the key that has no parent.
        let master: String
        /// Of the accounts whose keys the wallet has shares of.
        let paths: [String]
    }

    let name: String
    let network: String
    let threshold: Int
    let total: Int
    let epoch: Int
    let taproot_xonly: String
    let fingerprint: String
    let descriptor: String
    let ecdsa_public_key: String
    let segwit_descriptor: String
    let ed25519_public_key: String
    let imported: Imported?
    let created_at: String
    let shares: [Share]

    init(_ wallet: WalletRecord) throws(Failure) {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let account = accounts.taproot
        name = wallet.name.description
        network = wallet.network.name
        threshold = wallet.parameters.threshold
        total = wallet.parameters.total
        epoch = wallet.epoch
        taproot_xonly = Hex.encode(account.key.point.xOnly)
        fingerprint = account.key.fingerprint.description
        descriptor = account.descriptor.text
        ecdsa_public_key = Hex.encode(wallet.keys.ecdsa.publicKey.encoded)
        segwit_descriptor = accounts.segwit?.descriptor.text ?? ""
        ed25519_public_key = Hex.encode(wallet.keys.ed25519.publicKey.encoded)
        imported = try wallet.imported.map { keys throws(Failure) in
            let templates = try attempt { () throws(HDKeyError) in try keys.templates(on: wallet.network) }
            return Imported(
                chain: keys.chain, master: keys.master.description, paths: templates.map(\.description))
        }
        created_at = Date(timeIntervalSince1970: TimeInterval(wallet.createdAt)).ISO8601Format()
        shares = wallet.shares.map {
            Share(
                index: $0.index, location: $0.location.name, path: $0.path,
                present: FileManager.default.fileExists(atPath: $0.path))
        }
    }

    /// All of it.
    var text: String {
        let facts =
            basics + [
                ["made", created_at],
                ["renewed", epoch == 0 ? "never" : "\(epoch) time\(epoch == 1 ? "" : "s")"],
                ["taproot key", taproot_xonly],
                ["", descriptor],
                ["segwit key", ecdsa_public_key],
                ["", segwit_descriptor],
                ["ed25519 key", ed25519_public_key],
            ]
            + (imported.map {
                [["imported", "\($0.paths.joined(separator: ", ")) of words that still have the coins"]]
            } ?? [])
        return Table(facts).text + places
    }

    /// Without keys and descriptors.
    var brief: String { Table(basics).text + places }

    private var basics: [[String]] {
        [["wallet", name], ["network", network], ["signs with", "\(threshold) of \(total) shares"]]
    }

    private var places: String {
        let places = Table(
            shares.map { ["share \($0.index)", $0.location, $0.path + ($0.present ? "" : "   (not there now)")] })
        let present = shares.count(where: \.present)
        let warning = "warning: \(threshold) shares sign, and the files of \(present) are there"
        return "\n\n" + places.text + (present < threshold ? "\n\n" + warning : "")
    }
}
