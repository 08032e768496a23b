internal import ArgumentParser

@main
struct Fueki: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fueki",
        abstract: "A wallet whose key never exists: made as shares, used as shares.",
        discussion: """
            Make a wallet, take its address, and sign with two of its shares:

              fueki wallet create savings --network signet --backup-dir /media/usb
              fueki address savings
              fueki psbt sign savings payment.psbt -o signed.psbt --with device,backup

            Exit codes: 0 done, 1 other error, 2 refused or declined, 3 wrong passphrase, 4 missing or damaged share, \
            5 the holders could not sign, 64 wrong usage, 65 malformed input, 66 unreadable file, 73 unwritable file, \
            75 in use by another process.
            """,
        version: Version.text,
        subcommands: [WalletCommand.self, AddressCommand.self, PSBTCommand.self, BenchCommand.self])
}

enum Version {
    static let text = "0.1.0"
}
