package import Custody
internal import ErrorTexts
package import Texts

/// The result of opening a share.
package struct ShareCheckView: Encodable {
    let index: Int
    let location: String
    let ok: Bool
    let problem: String?
    /// The warnings about the share's place.
    let warnings: [String]

    /// - Parameter failure: the reason why the share cannot be used; nil if it can.
    package init(_ share: ShareRecord, _ failure: Failure?, warnings: [String]) {
        index = share.index
        location = share.location.name
        ok = failure == nil
        problem = failure?.message
        self.warnings = warnings
    }

    /// The row of the table.
    package var row: [String] { ["share \(index)", location, problem ?? "ok"] }

    /// Returns the warning about a file that other users can change; nil if they cannot.
    package static func warning(on share: ShareRecord) -> String? {
        guard share.isWritableByOthers else { return nil }
        return "the mode of \(share.path) lets other users of this machine change it; 'chmod 600' takes that away"
    }

    /// The failure of a check in which shares failed; nil if none did. A wrong passphrase says nothing about the shares.
    package static func failure(of wallet: WalletRecord, _ errors: [CustodyError]) -> Failure? {
        let failures = errors.map(\.failure)
        guard let first = failures.first else { return nil }
        let unusable = UnusableShares(of: wallet, errors)
        if unusable.count == unusable.total, failures.allSatisfy({ $0.code == .wrongPassphrase }) { return first }
        let options = unusable.lost.map { "--lost \($0.name)" }.joined(separator: " ")
        guard unusable.missing > 0 else {
            return Failure(
                code: first.code, name: first.name,
                message: "\(unusable.count) of \(unusable.total) shares cannot be used",
                hint: unusable.lost.isEmpty
                    ? nil
                    : "if \(unusable.lost.count == 1 ? "it is" : "they are") lost for good, 'fueki wallet repair "
                        + "\(wallet.name) \(options)' makes new shares for all places; do it while the others are there"
            )
        }
        let found = unusable.missing == 1 ? "one of them is" : "\(unusable.missing) of them are"
        return Failure(
            code: first.code, name: first.name,
            message: "\(unusable.count) of \(unusable.total) shares cannot be used, and signing needs "
                + "\(unusable.threshold): the coins cannot be spent unless \(found) connected or found",
            hint:
                "look for the files and for copies of them; 'fueki wallet restore \(wallet.name) --share FILE' tells the "
                + "wallet where one is")
    }
}
