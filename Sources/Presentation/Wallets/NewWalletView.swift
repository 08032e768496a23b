package import Custody
internal import HDKeys
package import Texts

/// The result of making or importing a wallet.
package struct NewWalletView {
    package let result: WalletResult
    private let view: WalletView
    private let advice: NewWalletAdvice

    /// Creates the result for a wallet whose key never existed as a whole.
    ///
    /// - Parameters:
    ///   - places: the advice about the places of its shares.
    ///   - isRecoveryHere: whether the recovery share is stored beside the wallets, because no folder was named.
    ///   - version: the version of this program.
    package init(
        made wallet: WalletRecord, _ places: PlaceAdvice, isRecoveryHere: Bool, version: String
    ) throws(Failure) {
        try self.init(
            wallet, [try Self.first(.taproot, of: wallet)], places, isRecoveryHere: isRecoveryHere, version: version)
    }

    /// Creates the result for a wallet with the keys of a mnemonic.
    ///
    /// - Parameter kinds: the kinds of its addresses.
    package init(
        imported wallet: WalletRecord, _ kinds: [WalletAddress.Kind], _ places: PlaceAdvice, isRecoveryHere: Bool,
        version: String
    ) throws(Failure) {
        let addresses = try kinds.map { kind throws(Failure) in try Self.first(kind, of: wallet) }
        try self.init(
            wallet, addresses, places, isRecoveryHere: isRecoveryHere, version: version, isImported: true)
    }

    private init(
        _ wallet: WalletRecord, _ addresses: [WalletAddress], _ places: PlaceAdvice, isRecoveryHere: Bool,
        version: String, isImported: Bool = false
    ) throws(Failure) {
        view = try WalletView(wallet, label: nil, present: wallet.presentShares)
        advice = NewWalletAdvice(on: wallet, places, isRecoveryHere: isRecoveryHere, version: version)
        var result = WalletResult(view)
        (result.firstAddress, result.warnings) = (
            addresses.first?.address, places.sentences + (advice.maturity.map { [$0] } ?? [])
        )
        if isImported { (result.addresses, result.warning) = (addresses, Self.warning) }
        self.result = result
    }

    private static func first(
        _ kind: WalletAddress.Kind, of wallet: WalletRecord
    ) throws(Failure) -> WalletAddress {
        try attempt { () throws(CustodyError) in try wallet.address(kind, at: .receive, index: 0) }
    }

    /// The new wallet, its first address, and the next steps.
    ///
    /// - Parameters:
    ///   - isVerbose: whether the public keys and descriptors are shown.
    ///   - columns: the width of the terminal.
    package func text(isVerbose: Bool, columns: Int) -> String {
        ([isVerbose ? view.text : view.brief, "", "first address  \(result.firstAddress ?? "")"]
            + advice.warnings + advice.nextSteps(columns: columns)).joined(separator: "\n")
    }

    /// The imported wallet, and the first address of each kind, for comparison with other software.
    package var importedText: String {
        let table = Table((result.addresses ?? []).map { ["first address", $0.address, $0.path] })
        let text = [
            view.text, "", table.text, "", "Compare with what other software shows for the words.", Self.warning,
        ]
        return (text + advice.warnings).joined(separator: "\n")
    }

    private static let warning =
        "Every copy of the words can still spend the coins. 'fueki wallet sweep' moves them to a wallet whose key "
        + "never was whole."
}
