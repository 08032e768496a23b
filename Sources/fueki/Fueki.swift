internal import ArgumentParser
internal import Terminal
internal import Texts

@main
struct Fueki: Program {
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

            \(exitCodes.table)
            """,
        version: Version.text,
        subcommands: [
            WalletCommand.self, AddressCommand.self, BalanceCommand.self, SendCommand.self, SpeedUpCommand.self,
            CancelCommand.self, ResumeCommand.self, HistoryCommand.self, CoinsCommand.self, PSBTCommand.self,
            VerifyMessageCommand.self,
            PolicyCommand.self,
            ContactCommand.self, BookCommand.self, PendingCommand.self, SignMessageCommand.self,
            SignTypedDataCommand.self, SignFileCommand.self, VerifyFileCommand.self,
            ConfigCommand.self, ExchangeCommand.self, StoreCommand.self, DoctorCommand.self, PinsCommand.self,
            AuditCommand.self, RedactCommand.self,
        ])

    static func main() async { await start() }

    static func output(json: Bool) -> Output { output(json: json, warnings: []) }

    static func output(json: Bool, warnings: [String]) -> Output {
        Output(program: "fueki", json: json, warnings: warnings)
    }

    static let exitCodes = ExitCodes([
        .other: "failed for a reason that has no code of its own",
        .refused: "refused by a rule, not confirmed, or not valid; nothing was signed",
        .wrongPassphrase: "the passphrase or PIN is wrong, or a TPM refuses all of them",
        .badShare: "a share is missing, damaged, or another wallet's",
        .ceremony: "the shares could not make a valid signature",
        .usage: "wrong usage",
        .malformed: "a file is malformed",
        .missing: "a file cannot be read, or a wallet or key does not exist",
        .unavailable: "a node, exchange, store or chip does not answer, or answers wrongly",
        .unwritable: "a file cannot be written, or exists already",
        .unreported: "done, but the result could not be written to standard output",
        .busy: "another process has the file in use",
        .permissions: "this user may not use the store or chip",
    ])
}
