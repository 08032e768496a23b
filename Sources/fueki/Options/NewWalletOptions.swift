internal import ArgumentParser
internal import Custody
internal import HDKeys
internal import Secrets
internal import Terminal
internal import Threshold
internal import Wallet

/// What it takes to make a wallet: how many shares of which network, where they go, and the passphrase of their files.
struct NewWalletOptions: ParsableArguments {
    @Option(help: "The chain that it is for.")
    var network: Network

    @Option(help: ArgumentHelp("How many shares it takes to sign.", valueName: "number"))
    var threshold = 2

    @Option(help: ArgumentHelp("How many shares there are, at most 15.", valueName: "number"))
    var shares = 3

    @Option(
        help: ArgumentHelp("The folder for the backup share: on a stick, on another disk.", valueName: "folder"),
        completion: .directory)
    var backupDir: String

    @Option(
        help: ArgumentHelp(
            "The folder for the recovery share (default: 'recovery' beside your wallets, to be moved elsewhere).",
            valueName: "folder"),
        completion: .directory)
    var recoveryDir: String?

    @OptionGroup var passphrase: PassphraseOptions

    /// Shorter passphrases are taken, with a warning: a phrase of five words is longer.
    private static let shortPassphrase = 16

    /// Tells what is in the way before anybody thinks of a passphrase.
    func creation(of name: String, in home: WalletHome, _ output: Output) throws(Failure) -> WalletCreation {
        guard let parameters = try? ThresholdParameters(threshold: threshold, total: shares) else {
            throw .usage(
                "\(threshold) of \(shares) shares is not possible",
                hint: "the threshold is at least 2 and at most the number of shares, of which there are at most 15")
        }
        let walletName = try attempt { () throws(CustodyError) in try WalletName(name) }
        let creation = WalletCreation(
            name: walletName, network: network, parameters: parameters,
            places: SharePlaces(backup: backupDir, recovery: recoveryDir), home: home)
        try attempt { () throws(CustodyError) in try creation.check() }
        for folder in [backupDir, recoveryDir ?? backupDir] where folder.isEmpty {
            throw .usage("a folder for shares needs a name, and this one is empty")
        }
        output.warn(ofMissing: [backupDir, recoveryDir].compactMap(\.self))
        output.warn(of: PlaceAdvice(creation.placeFindings(on: .real), in: home))
        return creation
    }

    /// Asks for the passphrase; for another one where a person would rather not have a short one.
    func newPassphrase(_ output: Output) throws(Failure) -> SecretBytes {
        while true {
            let secret = try passphrase.new(
                output,
                advice:
                    "Choose a passphrase for the share files, such as five random words. It cannot be changed, and nobody "
                    + "can recover it.")
            guard secret.count < Self.shortPassphrase else { return secret }
            let warning =
                "warning: this passphrase is short. Whoever finds \(threshold) share files can try to guess it: five random "
                + "words are better."
            // A script has nobody to ask.
            guard passphrase.passphraseFile == nil else {
                output.note(warning)
                return secret
            }
            let isMeant = try Confirmation.ask(
                "Use it all the same?", about: StyledText(Wrapped.text(warning), .warning),
                insteadUse: "--passphrase-file FILE")
            if isMeant { return secret }
        }
    }

    /// The three things that stand between a new wallet and coins on it.
    func nextSteps(for wallet: WalletRecord) -> [String] {
        let recovery = wallet.shares.first { $0.location == .recovery }
        let places =
            recoveryDir == nil && recovery != nil
            ? "Move the recovery share, \(recovery?.path ?? ""), to another place, and tell the wallet where: fueki wallet "
                + "restore \(wallet.name) --share FILE"
            : "Keep the places of the shares apart: whoever has \(threshold) of them and the passphrase has the coins."
        return ["", "Next:"]
            + [
                "1. Write the passphrase down, and keep it apart from the shares: without it they are worth nothing, and nobody "
                    + "can recover it.",
                "2. \(places)",
                "3. Try all of it with a small amount: pay it to the address above, see 'fueki wallet check \(wallet.name)', and "
                    + "send it back.",
            ].map { "  " + Wrapped.text($0).replacing("\n", with: "\n ") }
    }

    /// What to do next, so that a loss of one place is no loss of coins, and a thief of one has none.
    func advice(on wallet: WalletRecord, _ places: PlaceAdvice) -> [String] {
        var advice: [String] = []
        if threshold == shares {
            advice += [
                "", "Every share is needed to sign: losing one of them, or the passphrase, loses the coins.",
            ]
        }
        return advice + places.paragraphs(for: wallet.name)
    }
}
