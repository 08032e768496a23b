internal import ArgumentParser
internal import Custody
internal import Secrets
internal import Terminal

struct PolicySet: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Put a wallet under a policy, or under none.",
        discussion: """
            From then on this machine signs with the wallet only what the policy allows. It is sealed in the wallet's book, \
            under the wallet's passphrase; what was signed before counts against its limits.

            A policy binds the machine that has it. Whoever has enough shares and the passphrase on another machine can give \
            that one another policy: put the shares in different hands.

            EXAMPLES
              fueki policy set savings policy.json
              fueki policy set savings --none
            """)

    @OptionGroup var wallet: WalletArgument

    @Argument(help: "The policy: see 'policy check'.", completion: .file(extensions: ["json"]))
    var file: String?

    @Flag(help: "Remove the policy: what you confirm is signed, but nothing that nobody can read.")
    var none = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let wallet: String
        /// Null for a wallet without one.
        let policy: PolicyView?
    }

    func validate() throws {
        guard (file == nil) == none else { throw ValidationError("give a policy's file, or --none") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let document = try file.map { (path) throws(Failure) in try PolicyDocument.read(path) }
        let view = document.map { PolicyView($0.policy) }
        for warning in view?.warnings ?? [] { output.note("warning: \(warning)") }
        if !yes {
            let subject = view?.text ?? "No policy: what you confirm is signed, but nothing that nobody can read."
            guard try Confirmation.ask("Put '\(wallet.name)' under this?", about: subject, insteadUse: "--yes") else {
                throw .notRenewed()
            }
        }
        let secret = try passphrase.existing()
        try await global.walletHome.withBook(of: wallet, passphrase: secret) { (book) throws(CustodyError) in
            try await book.setPolicy(document?.bytes)
        }
        try output.result(Result(wallet: wallet.name.description, policy: view)) {
            "\(wallet.name) is under \(view.map { "a policy of \($0.rules.count) rule\($0.rules.count == 1 ? "" : "s")" } ?? "no policy")"
        }
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

    private struct Result: Encodable {
        let wallet: String
        /// Null for a wallet without one.
        let policy: PolicyView?
    }

    func validate() throws {
        guard !(file && global.json) else { throw ValidationError("--file and --json both want standard output") }
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let secret = try passphrase.existing()
        let (bytes, policy) = try await global.walletHome.withBook(of: wallet, passphrase: secret) {
            (book) throws(CustodyError) in
            (await book.policyFile(), try await book.policy())
        }
        guard let bytes else {
            if file {
                throw Failure(
                    code: .missing, name: "no_policy", message: "'\(wallet.name)' is under no policy")
            }
            return try output.result(Result(wallet: wallet.name.description, policy: nil)) {
                "\(wallet.name) is under no policy: what you confirm is signed, but nothing that nobody can read"
            }
        }
        if file { return try StandardStream.output.write(bytes) }
        let view = PolicyView(policy)
        try output.result(Result(wallet: wallet.name.description, policy: view)) { view.text }
    }
}
