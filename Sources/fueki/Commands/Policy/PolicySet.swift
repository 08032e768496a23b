internal import ArgumentParser
internal import Custody
internal import Presentation
internal import Terminal
internal import Texts
internal import WalletBooks

struct PolicySet: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Put a wallet under a policy, or under none.",
        discussion: """
            From then on this machine signs with the wallet only what the policy allows. It is sealed in the wallet's book, \
            under the wallet's passphrase; what was signed before counts against its limits.

            A policy binds the machine that has it. Another machine with a threshold of shares and the passphrase can \
            have another policy: keep the shares with different people.

            EXAMPLES
              fueki policy set savings policy.json
              fueki policy set savings --none
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(help: "The policy: see 'policy check'.", completion: .file(extensions: ["json"]))
    var file: String?

    @Flag(help: "Remove the policy: what you confirm is signed, except what cannot be decoded.")
    var none = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (file == nil) == none else { throw ValidationError("give a policy's file, or --none") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let document = try file.map { (path) throws(Failure) in try PolicyDocument.read(path) }
        let view = WalletPolicyView(wallet.name, document?.policy)
        for warning in view.warnings { output.note("warning: \(warning)") }
        if !yes,
            try !Confirmation.ask("Put '\(wallet.name)' under this?", about: view.subject, insteadUse: "--yes")
        {
            throw .notRenewed()
        }
        try await passphrase.withBook(of: wallet, in: global) { (book) throws(CustodyError) in
            try await book.setPolicy(document?.bytes)
        }
        try output.receipt(view) { view.setText }
    }
}

struct PolicyShow: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the policy that a wallet is under.",
        discussion: """
            EXAMPLES
              fueki policy show savings
              fueki policy show savings --file >policy.json
            """)

    @OptionGroup var wallet: WalletArgument

    @Flag(help: "Print the file as it was given.")
    var file = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard !(file && global.json) else { throw ValidationError("--file and --json both want standard output") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let (bytes, policy) = try await passphrase.withBook(of: wallet, in: global) {
            (book) throws(CustodyError) in
            (await book.policyFile(), try await book.policy())
        }
        if file {
            guard let bytes else { throw WalletPolicyView.none(of: wallet.name) }
            return try StandardStream.output.write(bytes)
        }
        try output.result(WalletPolicyView(wallet.name, bytes == nil ? nil : policy))
    }
}
