internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Presentation
internal import Secrets
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

struct PolicyKey: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make the key of an approver, who approves what a wallet signs.",
        discussion: """
            An Ed25519 key, sealed under a passphrase of the approver's, in a file that stays with the approver. Not a plain \
            file: every backup would carry it away. Put what is printed under 'approvers' in the policy. With --show, an \
            existing file shows its public key again.

            EXAMPLE
              fueki policy key -o anna.vault
            """)

    @Option(name: .shortAndLong, file: "Where the new key goes.")
    var output: String?

    @Option(file: "A key's file whose public key is printed.", extensions: ["vault"])
    var show: String?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (output == nil) != (show == nil) else { throw ValidationError("give one of -o and --show") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let key: ApproverKey
        if let path = show {
            let secret = try passphrase.existing()
            key = try await attempt { () async throws(CustodyError) in
                try await ApproverKey.open(at: path, passphrase: secret)
            }
        } else {
            let path = self.output ?? ""
            try OutputFile.check(path, output)
            if path == OutputFile.standardOutput { throw .usage("a key goes to a file, not to standard output") }
            let secret = try passphrase.new(output)
            key = try attempt { () throws(CustodyError) in
                try ApproverKey.create(at: path, passphrase: secret, random: SystemRandom())
            }
        }
        try output.receipt(ApproverKeyView(publicKey: key.publicKey, file: self.output ?? show ?? ""))
    }
}

struct PolicyApprove: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve something that a wallet is to sign, on the approver's machine.",
        discussion: """
            Shows what it does, worked out here from the bytes to be signed and the wallet's public keys, and asks. The \
            approval is for exactly this: whatever differs in anything that is signed has another digest. A file that lies \
            about the wallet's keys, to show a stranger's address as change, has another digest too, and its approval is \
            worth nothing to the wallet.

            EXAMPLE
              fueki policy approve proposal.json --key anna.vault -o approval.json
            """)

    @Argument(help: "The proposal that 'pending export' wrote; '-' is standard input.", completion: .file())
    var file: String

    @Option(file: "The file of your key: see 'policy key'.", extensions: ["vault"])
    var key: String

    @Option(name: .shortAndLong, file: "Where the approval goes; '-' is standard output.")
    var output: String

    @Option(help: .value("digest", "Do not ask, and approve only what was shown before with this digest."))
    var expect: String?

    @OptionGroup var accepted: AcceptOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        if file == "-", passphrase.passphraseFile == "-" {
            throw .usage("the proposal and the passphrase cannot both come from standard input")
        }
        let bytes = try InputFile.read(file)
        let content = try attempt(on: file) { () throws(CustodyError) in try PayloadFile(decoding: bytes) }
        guard case .proposal(let proposal) = content else { throw CustodyError.badProposal.failure }
        try OutputFile.check(self.output, output)
        let request = try attempt { () throws(CustodyError) in try ApprovalRequest(proposal, now: .now) }
        let view = ApprovalRequestView(request)
        try confirm(request, view.text(in: .ofTerminal), output)
        let secret = try passphrase.existing()
        let approver = try await attempt { () async throws(CustodyError) in
            try await ApproverKey.open(at: key, passphrase: secret)
        }
        let approval = try attempt { () throws(CustodyError) in try approver.approve(request.intent.digest) }
        let isFile = self.output != OutputFile.standardOutput
        let result = view.approved(approval, in: isFile ? self.output : nil, output: self.output)
        try output.file(approval.file, to: self.output, result)
        output.note(result.next)
    }

    private func confirm(_ request: ApprovalRequest, _ text: StyledText, _ output: Output) throws(Failure) {
        let method: ConfirmationMethod =
            if let expect { .digest(try Failure.readDigest(expect), accepting: accepted.findings) } else { .question }
        let next = request.confirmation(by: method)
        guard next == .question else {
            output.note(text + StyledText("\n"))
            if let failure = next.failure(by: method) { throw failure }
            return
        }
        guard try Confirmation.ask("Approve this?", about: text, insteadUse: "--expect DIGEST") else {
            throw .notApproved()
        }
    }
}
