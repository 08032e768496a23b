internal import ArgumentParser
internal import Custody
internal import Encoding
internal import Secrets
internal import Threshold
internal import Wallet

struct PSBTSign: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a transaction with shares of a wallet, after you have confirmed it.",
        discussion: """
            Shows what the transaction does, asks, opens the shares, and has their holders sign. Each holder reads the \
            transaction itself. The signature is verified before it is written.
            """)

    @Argument(help: "The wallet's name.")
    var name: String

    @Argument(help: "The PSBT: binary, base64 or hexadecimal; '-' is standard input.", completion: .file())
    var input: String

    @Option(name: .shortAndLong, help: "Where the signed PSBT goes, in the form of the input.", completion: .file())
    var output: String

    @Option(help: "Which shares sign, as in 'device,backup'.")
    var with: String

    @Flag(name: .shortAndLong, help: "Do not ask: sign if nothing speaks against it.")
    var yes = false

    @Option(help: "Sign only what 'psbt inspect' showed with this digest. Serves as the confirmation.")
    var expect: String?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let output: String
        let txid: String
        let signed_inputs: Int
        let shares: [String]
        let digest: String
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: name)
        let locations = try locations(of: wallet)
        let file = try TransactionFile.read(input)
        try OutputFile.check(self.output)
        let spend = try attempt { () throws(CustodyError) in try ProposedSpend(file.psbt, from: wallet) }
        let confirmed = try confirm(spend, of: wallet, output)

        let secret = try passphrase.existing()
        var holders: [any Holder] = []
        for location in locations {
            output.progress("opening the \(location.name) share")
            let sealed = try await attempt { () async throws(CustodyError) in
                try await global.walletHome.open(location, of: wallet, passphrase: secret)
            }
            holders.append(sealed.holder(confirmed: confirmed.digest, random: SystemRandom()))
        }
        output.progress("signing with \(locations.map(\.name).joined(separator: " and "))")
        let signed = try await attempt { () async throws(CustodyError) in
            try await confirmed.sign(with: holders, random: SystemRandom())
        }
        try OutputFile.write(signed.file(as: file.format), to: self.output)

        let result = Result(
            output: self.output, txid: spend.summary.transaction.description,
            signed_inputs: spend.summary.signingRequests.count, shares: locations.map(\.name),
            digest: Hex.encode(spend.summary.intentDigest))
        output.result(result) { "signed: \(self.output)" }
    }

    /// The places that `--with` names.
    private func locations(of wallet: WalletRecord) throws(Failure) -> [ShareLocation] {
        var locations: [ShareLocation] = []
        for name in with.split(separator: ",", omittingEmptySubsequences: false) {
            guard let location = ShareLocation(name), wallet.shares.contains(where: { $0.location == location }) else {
                throw CustodyError.noSuchShare(name: String(name)).failure
            }
            locations.append(location)
        }
        let needed = wallet.group.parameters.threshold
        guard Set(locations).count == locations.count, locations.count == needed else {
            throw CustodyError.wrongNumberOfShares(needed: needed, given: Set(locations).count).failure
        }
        return locations
    }

    /// Shows what will be signed, and asks; or compares it with what was shown before.
    private func confirm(_ spend: ProposedSpend, of wallet: WalletRecord, _ output: Output) throws(Failure)
        -> ConfirmedSpend
    {
        let view = SpendView(spend.summary, wallet: wallet.name).text
        let asks = expect == nil && !yes && spend.summary.refusals.isEmpty
        // Whoever is asked sees it beside the question.
        if !asks { output.note(view) }
        var digest = spend.summary.intentDigest
        if let expect {
            guard let expected = try? Hex.decode(expect.lowercased()) else {
                throw .usage("--expect takes the digest that 'psbt inspect' shows")
            }
            digest = expected
        }
        // Refusals come before the question: nobody is asked about what will not be signed anyway.
        let confirmed = try attempt { () throws(CustodyError) in try spend.confirmed(digest) }
        if asks, try !Confirmation.ask("Sign this?", about: view) { throw .declined() }
        return confirmed
    }
}
