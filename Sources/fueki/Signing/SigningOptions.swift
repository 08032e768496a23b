internal import ArgumentParser
internal import Custody
internal import Texts

/// The options of every command that signs.
struct SigningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The shares that sign, as in 'device,backup' (default: the first that are there).", valueName: "shares"),
        completion: .list(["device,backup", "device,recovery", "backup,recovery"]))
    var with: String?

    @Flag(
        name: .shortAndLong,
        help: "Do not ask. Refusals remain, and likely costly mistakes are refused, too.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Do not ask, and sign only what was shown before with this digest.", valueName: "digest"))
    var expect: String?

    @OptionGroup var accepted: AcceptOptions

    @Flag(
        help: "Show what would be signed and what the policy says to it. Signs nothing, sends nothing, opens no share.")
    var dryRun = false

    @Option(
        name: .customLong("approval"),
        help: ArgumentHelp(
            "An approval that the policy asks for, as 'fueki policy approve' writes it; once for each.",
            valueName: "file"),
        completion: .file())
    var approvals: [String] = []

    @OptionGroup var passphrase: PassphraseOptions

    /// Returns the shares that `--with` names, or the first ones whose files exist.
    func locations(of wallet: WalletRecord) throws(Failure) -> [ShareLocation] {
        guard let with else { return wallet.defaultSigners }
        return try attempt { () throws(CustodyError) in try wallet.signers(named: with) }
    }
}
