internal import ArgumentParser
internal import Custody
internal import Presentation
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

struct SignFileCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-file",
        abstract: "Sign a file with shares of a wallet, so that minisign verifies it.",
        discussion: """
            The wallet's Ed25519 key signs the file's BLAKE2b digest, and a line of text: the trusted comment. Both are shown before \
            you confirm. The digest is computed once, before that; a file that changes later does not match the signature.

            The signature goes to FILE.minisig. 'fueki wallet show NAME --minisign-key' prints the key file for those who verify.

            EXAMPLES
              fueki sign-file savings fueki-1.0.tar.gz
              fueki sign-file savings fueki-1.0.tar.gz --comment 'Fueki 1.0, stable'
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(help: "The file to sign, of any size.", completion: .file())
    var file: String

    @Option(help: .value("text", "The trusted comment (default: file:NAME)."))
    var comment: String?

    @Option(name: .shortAndLong, file: "Where the signature goes (default: FILE.minisig); '-' is standard output.")
    var output: String?

    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        _ = try signing.locations(of: wallet)
        let target = self.output ?? file + ".minisig"
        try OutputFile.check(target, output)
        let digest = try FileDigest.read(file, output)
        // By bytes: a mark at the beginning of a name belongs to the slash before it, if characters are compared.
        let name = file.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
        let comment = comment ?? "file:\(name ?? "")"
        let payload = try attempt { () throws(MinisignFault) in try wallet.signing(digest, comment: comment) }
        let prompt = try await SigningPrompt.open(wallet, signing, global, output)
        let proposal = try await attempt { () async throws(SigningError) in try await prompt.flow.propose(payload) }
        guard let (signed, view) = try await prompt.sign(proposal) else { return }
        await prompt.flow.book.close()
        let outcome = SignedOutcome(
            proposal: signed.product, in: target, view, shares: prompt.shares, warnings: prompt.warnings(of: signed))
        try output.file(
            Array((signed.product.text + "\n").utf8), to: target, isForOthers: true, outcome
        ) { outcome.text }
    }
}

extension FileDigest {
    /// Reads a file of any size, and reports the step if it is large.
    static func read(_ path: String, _ output: Output) throws(Failure) -> FileDigest {
        var hasher = Hasher()
        try InputFile.readRegular(path, output) { hasher.update($0) }
        return hasher.finalize()
    }
}
