internal import ArgumentParser
internal import Custody
internal import Encoding
internal import Foundation
internal import Secrets
internal import Threshold
internal import Wallet

struct PSBTSign: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a transaction with shares of a wallet, after you have confirmed it.",
        discussion: """
            Shows what the transaction does, asks, opens the shares, and has their holders sign. Each holder reads the \
            transaction itself, and every signature is verified before it is written.

            EXAMPLES
              fueki psbt sign savings payment.psbt -o signed.psbt
              fueki psbt sign savings payment.psbt -o signed.psbt --with backup,recovery

            In a script, sign what 'psbt inspect --json' showed, and nothing else:
              fueki psbt sign savings payment.psbt -o signed.psbt \\
                  --expect "$digest" --passphrase-file passphrase.txt --json
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(help: "The PSBT: binary, base64 or hexadecimal; '-' is standard input.", completion: .file())
    var input: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Where the signed PSBT goes, in the form of the input; '-' is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "The shares that sign, as in 'device,backup' (default: the first that are there).", valueName: "shares"),
        completion: .list(["device,backup", "device,recovery", "backup,recovery"]))
    var with: String?

    @Flag(
        name: .shortAndLong,
        help: "Do not ask. What is refused stays refused, and so is a fee that looks like a mistake.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Do not ask, and sign only the transaction that 'psbt inspect' showed with this digest.",
            valueName: "digest"))
    var expect: String?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let output: String
        let txid: String
        let signed_inputs: Int
        let shares: [String]
        let digest: String
        /// What went wrong when the signatures were there. They are good.
        let warnings: [String]
        /// All that was signed, as `psbt inspect` shows it.
        let spend: SpendView
    }

    func perform(_ output: Output) async throws(Failure) {
        if input == "-", passphrase.passphraseFile == "-" {
            throw .usage("the PSBT and the passphrase cannot both come from standard input")
        }
        let wallet = try global.wallet(named: wallet.name)
        let locations = try locations(of: wallet)
        let file = try TransactionFile.read(input)
        try OutputFile.check(self.output, output)
        let spend = try attempt { () throws(CustodyError) in try ProposedSpend(file.psbt, from: wallet) }
        let view = SpendView(spend.summary, wallet: wallet.name)
        let confirmed = try confirm(spend, view, output)

        let secret = try passphrase.existing()
        var holders: [any Holder] = []
        for location in locations {
            output.progress("opening the \(location.name) share")
            holders.append(
                try await attempt { () async throws(CustodyError) in
                    try await holder(location, of: wallet, for: confirmed, passphrase: secret)
                })
        }
        let names = locations.map(\.name)
        output.progress("signing with \(names.joined(separator: " and "))")
        let signed = try await attempt { () async throws(CustodyError) in
            try await confirmed.sign(with: holders, random: SystemRandom())
        }
        let warnings = signed.warnings.map { "the signatures are good, but \($0.failure.message)" }
        for warning in warnings { output.note("warning: \(warning)") }
        let count = spend.summary.signingRequests.count
        let result = Result(
            output: self.output, txid: view.txid, signed_inputs: count, shares: names, digest: view.digest,
            warnings: warnings, spend: view)
        try output.file(signed.psbt.file(as: file.format), to: self.output, result) {
            "\(count) input\(count == 1 ? "" : "s") signed with \(names.joined(separator: " and "))"
        }
    }

    /// Opens one share. For ECDSA its file stays open, to write into it what must not be forgotten.
    private func holder(
        _ location: ShareLocation, of wallet: WalletRecord, for spend: ConfirmedSpend, passphrase: borrowing SecretBytes
    ) async throws(CustodyError) -> SigningHolder {
        let home = global.walletHome
        guard spend.needsLedgers else {
            return try await home.open(location, of: wallet, passphrase: passphrase)
                .holder(confirmed: spend.digest, ledger: nil, random: SystemRandom())
        }
        let file = try await ShareFile.open(
            location, of: wallet, in: home, passphrase: passphrase, random: SystemRandom())
        return try await file.share().holder(confirmed: spend.digest, ledger: file, random: SystemRandom())
    }

    /// The places that `--with` names, or the first whose files are there.
    private func locations(of wallet: WalletRecord) throws(Failure) -> [ShareLocation] {
        let needed = wallet.parameters.threshold
        guard let with else {
            let present = wallet.shares.filter { FileManager.default.fileExists(atPath: $0.path) }
            // With too few of them, opening tells which one is not where it should be.
            return (present.count < needed ? wallet.shares : present).prefix(needed).map(\.location)
        }
        var locations: [ShareLocation] = []
        for name in with.split(separator: ",", omittingEmptySubsequences: false) {
            guard let location = ShareLocation(name), wallet.shares.contains(where: { $0.location == location }) else {
                throw CustodyError.noSuchShare(name: String(name)).failure
            }
            locations.append(location)
        }
        guard Set(locations).count == locations.count, locations.count == needed else {
            throw CustodyError.wrongNumberOfShares(needed: needed, given: Set(locations).count).failure
        }
        return locations
    }

    /// Shows what will be signed, and asks; or compares it with what was shown before.
    private func confirm(_ spend: ProposedSpend, _ view: SpendView, _ output: Output) throws(Failure) -> ConfirmedSpend
    {
        var digest = spend.summary.intentDigest
        if let expect {
            guard let expected = try? Hex.decode(expect.lowercased()) else {
                throw .usage("--expect takes the digest that 'psbt inspect' shows")
            }
            digest = expected
        }
        // Nobody is asked about what will not be signed anyway. The question shows it all itself.
        let isQuestion = !yes && expect == nil && spend.summary.refusals.isEmpty
        if !isQuestion { output.note(view.text + "\n") }
        let confirmed = try attempt { () throws(CustodyError) in try spend.confirmed(digest) }
        // `--yes` is written before anybody has seen the transaction; a digest is taken from what somebody has seen.
        if yes, expect == nil, let warning = spend.summary.warnings.first(where: \.isCostly) {
            throw .needsConfirmation(of: warning.description)
        }
        if isQuestion, try !Confirmation.ask("Sign this?", about: view.text, insteadUse: "--yes, or --expect DIGEST") {
            throw .declined()
        }
        return confirmed
    }
}
