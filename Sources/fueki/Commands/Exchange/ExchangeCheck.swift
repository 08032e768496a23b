internal import ArgumentParser
internal import Exchange
internal import ExchangeViews
internal import Terminal
internal import Texts

struct ExchangeCheck: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Ask an exchange for the rights of a key, and warn of the dangerous ones.",
        discussion: """
            The right to withdraw and a missing list of IP addresses are dangers: the exit code is 2. With --strict it is 2 \
            for a warning, too, such as a key that expires soon. The rights are noted for 'list' and 'emergency'.

            EXAMPLES
              fueki exchange check main
              fueki exchange check main --strict --passphrase-file passphrase
            """)

    @OptionGroup var request: KeyRequestOptions

    @Flag(help: "Exit with 2 also for a warning.")
    var strict = false

    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let view = try await request.run(in: global.exchangeHome) { client async throws(ExchangeError) in
            KeyCheckView(try await client.probePermissions(), of: client.label, time: .ofSystem)
        }
        try output.result(view) { view.text(in: .ofTerminal) }
        if let failure = view.failure(from: strict ? .warning : .danger) { throw failure }
    }
}
