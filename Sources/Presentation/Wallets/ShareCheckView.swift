package import Custody
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

    /// The failure of a check in which shares failed; nil if none did. A wrong passphrase says nothing about the shares.
    ///
    /// - Parameter count: the number of all shares.
    package static func failure(of count: Int, _ failures: [Failure]) -> Failure? {
        guard let first = failures.first else { return nil }
        if failures.count == count, failures.allSatisfy({ $0.code == .wrongPassphrase }) { return first }
        return Failure(
            code: first.code, name: first.name, message: "\(failures.count) of \(count) shares cannot be used")
    }
}
