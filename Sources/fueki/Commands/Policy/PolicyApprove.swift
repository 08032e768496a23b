internal import ArgumentParser
internal import Bitcoin
internal import Ceremonies
internal import Custody
internal import Encoding
internal import Ethereum
internal import HDKeys
internal import Secrets
internal import Terminal
internal import Wallet

struct PolicyKey: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make the key of somebody who approves what a wallet signs.",
        discussion: """
            An Ed25519 key, sealed under a passphrase of the approver's, in a file that stays with the approver. Not a plain \
            file: every backup would carry it away. Put what is printed under 'approvers' in the policy. With --show, an \
            existing file tells its public key once more.

            EXAMPLE
              fueki policy key -o anna.vault
            """)

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where the new key goes.", valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("A key's file whose public key is printed.", valueName: "file"),
        completion: .file(extensions: ["vault"]))
    var show: String?

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        /// 32 bytes in hexadecimal: what policies name.
        let public_key: String
        let file: String
    }

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
        let text = Hex.encode(key.publicKey)
        try output.result(Result(public_key: text, file: self.output ?? show ?? "")) { text }
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

    @Option(
        help: ArgumentHelp("The file of your key: see 'policy key'.", valueName: "file"),
        completion: .file(extensions: ["vault"]))
    var key: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where the approval goes; '-' is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp("Do not ask, and approve only what was shown before with this digest.", valueName: "digest"))
    var expect: String?

    @OptionGroup var accepted: AcceptOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let output: String
        let approver: String
        let intent: IntentView
    }

    func perform(_ output: Output) async throws(Failure) {
        if file == "-", passphrase.passphraseFile == "-" {
            throw .usage("the proposal and the passphrase cannot both come from standard input")
        }
        guard case .proposal(let proposal) = try PayloadFile.read(file) else {
            throw CustodyError.badProposal.failure
        }
        try OutputFile.check(self.output, output)
        let accounts = try attempt { () throws(CustodyError) in try proposal.accounts }
        let work = try attempt { () throws(HDKeyError) in try SigningWork(of: proposal.payload, for: accounts) }
        // Who approves is asked by a policy that is not here. Whom the wallet knows, and what it has signed, is not here either.
        let context = PolicyContext.unknown(now: .now)
        let intent = work.intent.checked(in: context)
        let everything = Policy(rules: [PolicyRule(name: "asked", conditions: [], outcome: .allow)])
        let view = IntentView(
            intent, everything.decide(on: intent, in: context), of: work, accounts: accounts,
            wallet: proposal.wallet)
        try confirm(intent, text(view, proposal, accounts), output)

        let secret = try passphrase.existing()
        let approver = try await attempt { () async throws(CustodyError) in
            try await ApproverKey.open(at: key, passphrase: secret)
        }
        let approval = try attempt { () throws(CustodyError) in try approver.approve(intent.digest) }
        let result = Result(output: self.output, approver: Hex.encode(approval.approver), intent: view)
        try output.file(approval.file, to: self.output, result) { "approved by \(result.approver)" }
        output.note(
            "next, where the wallet is: fueki pending sign \(proposal.wallet) \(Hex.encode(intent.digest.prefix(4))) "
                + "--approval \(self.output == OutputFile.standardOutput ? "FILE" : self.output) -o FILE")
    }

    private func confirm(_ intent: Intent, _ text: StyledText, _ output: Output) throws(Failure) {
        guard intent.refusals.isEmpty else {
            output.note(text + StyledText("\n"))
            throw CeremonyError.refused(intent.refusals).failure
        }
        guard let expect else {
            guard try Confirmation.ask("Approve this?", about: text, insteadUse: "--expect DIGEST") else {
                throw Failure(code: .refused, name: "declined", message: "not approved: you did not confirm")
            }
            return
        }
        output.note(text + StyledText("\n"))
        guard let expected = try? Hex.decode(expect.lowercased()) else {
            throw .usage("--expect takes the digest that was shown")
        }
        guard expected == intent.digest else { throw CeremonyError.notWhatWasConfirmed.failure }
        let costs = intent.costs(besides: accepted.names)
        guard costs.isEmpty else { throw .notAccepted(costs, by: "--expect") }
    }

    /// With what the approver can compare: the wallet's first address, which a file with false keys does not have.
    private func text(_ view: IntentView, _ proposal: ProposalFile, _ accounts: Accounts) throws(Failure) -> StyledText
    {
        let addresses = try attempt { () throws(HDKeyError) in
            let first = try AddressPath(.receive, index: 0)
            return [
                try accounts.taproot.address(at: first).description,
                try accounts.ethereum?.key(at: 0).address.description,
            ].compactMap(\.self)
        }
        return view.text
            + StyledText(
                "\n\nThe wallet calls itself '\(proposal.wallet)'. Its first addresses:\n"
                    + addresses.flatMap { Review.groups($0, inLine: 8) }.map { "  \($0)" }.joined(separator: "\n"))
    }
}
