package import Custody
internal import HDKeys
package import SecureStorage
internal import Texts
internal import Threshold

/// Advice for the owner of a new or imported wallet.
package struct NewWalletAdvice {
    private let wallet: WalletRecord
    private let places: PlaceAdvice
    private let isRecoveryHere: Bool
    private let version: String

    /// - Parameters:
    ///   - isRecoveryHere: whether the recovery share is stored beside the wallets, because no folder was named.
    ///   - version: the version of this program.
    package init(on wallet: WalletRecord, _ places: PlaceAdvice, isRecoveryHere: Bool, version: String) {
        self.version = version
        self.wallet = wallet
        self.places = places
        self.isRecoveryHere = isRecoveryHere
    }

    /// The advice before the passphrase is asked for.
    package static let passphrase =
        "Choose a passphrase for the share files, such as five random words. A forgotten one cannot be recovered."

    /// Returns the warning about a weak passphrase.
    ///
    /// - Parameter threshold: the number of shares that are needed to sign.
    package static func weakPassphrase(_ weakness: PassphraseWeakness, threshold: Int) -> String {
        "warning: this passphrase \(weakness.text). A thief of \(threshold) share files can try to guess it: five random words "
            + "are better."
    }

    /// Returns the three steps to take before a new wallet receives coins.
    ///
    /// - Parameter columns: the width of the terminal.
    package func nextSteps(columns: Int) -> [String] {
        let recovery = wallet.shares.first { $0.location == .recovery }
        let places =
            isRecoveryHere && recovery != nil
            ? "Move the recovery share, \(recovery?.path ?? ""), to another place, and tell the wallet where: fueki wallet "
                + "restore \(wallet.name) --share FILE"
            : "Keep the places of the shares apart: with the passphrase, \(wallet.parameters.threshold) of them are "
                + "enough to spend the coins."
        return ["", "Next:"]
            + [
                "1. Write the passphrase down, and keep it apart from the shares: without it they do not open, and it "
                    + "cannot be recovered.",
                "2. \(places)",
                "3. Try all of it with a small amount: pay it to the address above, see 'fueki wallet check \(wallet.name)', and "
                    + "send it back.",
            ].map { Fitted.text("  \($0)", columns: columns) }
    }

    /// The next steps, so that the loss of one place loses no coins, and the theft of one allows no spending.
    package var warnings: [String] {
        var advice: [String] = []
        if wallet.parameters.threshold == wallet.parameters.total {
            advice += [
                "", "Every share is needed to sign: losing one of them, or the passphrase, loses the coins.",
            ]
        }
        return advice + places.paragraphs(for: wallet.name) + (maturity.map { ["", $0] } ?? [])
    }

    /// The statement about this version, for a wallet with coins of value; nil for a test network.
    package var maturity: String? {
        guard wallet.network == .mainnet else { return nil }
        return
            "This is fueki \(version), which has had no audit from outside the project: keep only amounts in it that you "
            + "can afford to lose."
    }
}

extension PassphraseWeakness {
    /// The reason, as the end of a sentence about the passphrase.
    fileprivate var text: String {
        switch self {
        case .common: "is one of the first that are tried"
        case .repetition: "repeats one text"
        case .sequence: "follows the alphabet, the digits or a row of keys"
        case .digitsOnly: "has only digits"
        case .walletName: "is little more than the wallet's name"
        case .short: "is short"
        }
    }
}
