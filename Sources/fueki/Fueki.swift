internal import ArgumentParser
internal import Invocation
internal import Secrets

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

@main
struct Fueki: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fueki",
        abstract: "A wallet whose key never exists: made as shares, used as shares.",
        discussion: """
            EXAMPLE: make a wallet, take its address, and pay with two of its shares

              fueki wallet create savings --network signet \\
                  --backup-dir /media/usb --recovery-dir /media/safe
              fueki address savings
              fueki send savings --to tb1q… --amount 0.01btc --with device,backup \\
                  --node http://127.0.0.1:38332 --cookie-file ~/.bitcoin/signet/.cookie

            Without a node: sign what another wallet prepared

              fueki psbt inspect payment.psbt
              fueki psbt sign savings payment.psbt -o signed.psbt --with device,backup
              fueki psbt finalize signed.psbt -o payment.hex

            EXIT CODES

            \(ExitCodes.text)
            """,
        version: Version.text,
        subcommands: [
            WalletCommand.self, AddressCommand.self, BalanceCommand.self, SendCommand.self, SpeedUpCommand.self,
            CancelCommand.self, HistoryCommand.self, CoinsCommand.self, PSBTCommand.self, VerifyMessageCommand.self,
            PolicyCommand.self,
            ContactCommand.self, PendingCommand.self, SignMessageCommand.self, SignTypedDataCommand.self,
            BenchCommand.self,
        ])

    static func main() async {
        // A reader that goes away (`fueki … | head`) must not end a command half way.
        signal(SIGPIPE, SIG_IGN)
        CoreDumps.forbid()
        if let repeated = RepeatedOption.first(in: Array(CommandLine.arguments.dropFirst()), of: Self.self) {
            Output(json: CommandLine.arguments.contains("--json")).failure(.repeated(repeated.name))
            exit(withError: ExitCode.validationFailure)
        }
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            // An `ExitCode` is a failure that has been told already; help and versions are no failures.
            guard !(error is ExitCode), exitCode(for: error) == .validationFailure else { exit(withError: error) }
            Output(json: CommandLine.arguments.contains("--json")).misuse(error)
            exit(withError: ExitCode.validationFailure)
        }
    }
}

enum Version {
    static let text = "0.1.0"
}

/// The exit codes as the help and the manual list them.
enum ExitCodes {
    static let text = Table(
        [["   0", "done"]]
            + Failure.Code.allCases.map { code in
                let number = String(code.rawValue)
                return [String(repeating: " ", count: 4 - number.count) + number, code.meaning]
            }
    ).text
}
