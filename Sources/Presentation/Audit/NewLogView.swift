internal import AuditLog
package import Custody
internal import Texts
package import WalletBooks

/// The result of beginning a new audit log for a wallet.
package struct NewLogView: ResultView {
    /// The folder of the new log.
    let log: String
    /// The public key that signs its checkpoints, which a witness needs.
    let logKey: String
    /// The folder of the old log, which stays as it is.
    let old: String?
    private let wallet: String

    /// Creates a view.
    package init(_ log: WalletLog?, instead old: WalletLog?, of wallet: WalletName) {
        self.log = log?.folder ?? ""
        logKey = log?.signingKey.text ?? ""
        self.old = old?.folder
        self.wallet = wallet.description
    }

    package var text: String {
        let old = old.map { "old log: \($0)\nread it with: fueki audit show \($0) --keys-of \(wallet)" }
        return ["new audit log: \(log)", "log key: \(logKey)", old].compactMap(\.self).joined(separator: "\n")
    }

    private enum CodingKeys: String, CodingKey {
        case log, old
        case logKey = "log_key"
    }
}
