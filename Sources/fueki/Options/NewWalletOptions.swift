internal import ArgumentParser
internal import Custody
internal import Foundation
internal import HDKeys
internal import Presentation
internal import Secrets
internal import Terminal
internal import Texts
internal import Threshold

/// The options of a new wallet: network, number and folders of shares, and passphrase.
struct NewWalletOptions: ParsableArguments {
    @Option(help: "The chain that it is for.")
    var network: Network

    @Option(help: .value("number", "How many shares it takes to sign."))
    var threshold = 2

    @Option(help: .value("number", "How many shares there are, at most 15."))
    var shares = 3

    @Option(folder: "The folder for the backup share: on a stick, on another disk.")
    var backupDir: String

    @Option(
        folder: "The folder for the recovery share (default: 'recovery' beside your wallets, to be moved elsewhere).")
    var recoveryDir: String?

    @Flag(name: .shortAndLong, help: "Do not ask whether a short passphrase is meant.")
    var yes = false

    @OptionGroup var device: DeviceKeyOption
    @OptionGroup var passphrase: PassphraseOptions

    /// Reports wrong options and existing files before the user is asked for a passphrase.
    func creation(of name: String, in home: WalletHome, _ output: Output) async throws(Failure) -> WalletCreation {
        guard let parameters = try? ThresholdParameters(threshold: threshold, total: shares) else {
            throw .impossible(threshold: threshold, of: shares)
        }
        let walletName = try attempt { () throws(CustodyError) in try WalletName(name) }
        let creation = WalletCreation(
            name: walletName, network: network, parameters: parameters,
            places: SharePlaces(backup: backupDir, recovery: recoveryDir), home: home,
            bindsDeviceShare: try await device.isBound(in: home))
        try attempt { () throws(CustodyError) in try creation.check() }
        for folder in [backupDir, recoveryDir] where folder?.isEmpty == true { throw .unnamedFolder() }
        output.warn(ofMissing: [backupDir, recoveryDir].compactMap(\.self))
        output.warn(of: PlaceAdvice(creation.placeFindings(on: .real), in: home))
        return creation
    }

    /// Asks for the passphrase. If it is short and the user declines it, asks for another one.
    func newPassphrase(_ output: Output) throws(Failure) -> SecretBytes {
        try passphrase.input.newOfWallet(
            // A passphrase file means that the command may run without a user, so it asks no question.
            threshold: threshold, isShortAccepted: passphrase.passphraseFile != nil || yes, output)
    }
}

extension SecretInput {
    /// Returns the new passphrase of a wallet. If it is short and the user declines it, asks for another one.
    ///
    /// - Parameter isShortAccepted: whether to take a short one with a warning, and ask no question.
    func newOfWallet(threshold: Int, isShortAccepted: Bool, _ output: Output) throws(Failure) -> SecretBytes {
        while true {
            let secret = try new("New passphrase: ", advice: NewWalletAdvice.passphrase, output)
            guard WalletCreation.isShort(secret) else { return secret }
            let warning = NewWalletAdvice.shortPassphrase(threshold: threshold)
            guard !isShortAccepted else {
                output.note(warning)
                return secret
            }
            let isMeant = try Confirmation.ask(
                "Continue anyway?", about: StyledText(Wrapped.text(warning), .warning),
                insteadUse: "--yes")
            if isMeant { return secret }
        }
    }
}

extension Output {
    /// Warns of missing folders. If a removable drive is not connected, a folder that is made at its path is on this
    /// machine.
    func warn(ofMissing folders: [String]) {
        var told: [String] = []
        for folder in folders where !FileManager.default.fileExists(atPath: folder) && !told.contains(folder) {
            note("warning: there is no folder \(folder); it will be made. Should it be on a stick, connect that first.")
            told.append(folder)
        }
    }

    /// Warns of unsuitable places for shares, while the user can still connect a removable drive.
    func warn(of advice: PlaceAdvice) {
        for sentence in advice.sentences { note("warning: \(sentence)") }
    }
}
