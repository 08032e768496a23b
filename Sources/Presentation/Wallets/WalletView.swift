internal import Bitcoin
internal import Ceremonies
internal import Curves
package import Custody
internal import Encoding
internal import ErrorTexts
internal import HDKeys
internal import SecureStorage
package import Texts
internal import Threshold
internal import Wallet

/// The public data of a wallet.
package struct WalletView: Encodable {
    struct Share: Encodable {
        let index: Int
        let location: String
        let path: String
        /// Whether a file exists in that place. `wallet check` verifies that it is the right one.
        let present: Bool
        /// The chip that the file needs besides the passphrase; omitted for none.
        let device: String?
    }

    /// The origin of an imported wallet; only a wallet whose key once existed as a whole has one.
    struct Imported: Encodable {
        let chain: String
        /// The fingerprint of the master key.
        let master: String
        /// The paths of the accounts whose keys are shared in the wallet.
        let paths: [String]
    }

    /// The wallet's own name.
    let name: String
    /// The name that the user gave it later; absent if it has none.
    let label: String?
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

    /// - Parameters:
    ///   - label: the wallet's label on this machine.
    ///   - present: the shares that have a file in their place.
    package init(_ wallet: WalletRecord, label: WalletName?, present: [ShareRecord]) throws(Failure) {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        let account = accounts.taproot
        name = wallet.name.description
        self.label = label?.description
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
        created_at = UInt64(max(0, wallet.createdAt)).timeText
        let places = Set(present.map(\.location))
        shares = wallet.shares.map {
            Share(
                index: $0.index, location: $0.location.name, path: $0.path, present: places.contains($0.location),
                device: $0.device?.rawValue)
        }
    }

    /// The whole view.
    package var text: String {
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

    /// The view without keys and descriptors.
    package var brief: String { Table(basics).text + places }

    private var basics: [[String]] {
        [
            ["wallet", WalletTitle.text(name, label)], ["network", network],
            ["signs with", "\(threshold) of \(total) shares"],
        ]
    }

    private var places: String {
        let places = Table(
            shares.map { share in
                let chip = share.device.map {
                    "   (needs the \($0 == "tpm" ? "TPM" : "Secure Enclave") of this machine)"
                }
                return [
                    "share \(share.index)", share.location,
                    share.path + (share.present ? "" : "   (not there now)") + (chip ?? ""),
                ]
            })
        let present = shares.count(where: \.present)
        let warning = "warning: \(threshold) shares sign, and the files of \(present) are there"
        return "\n\n" + places.text + (present < threshold ? "\n\n" + warning : "")
    }
}
