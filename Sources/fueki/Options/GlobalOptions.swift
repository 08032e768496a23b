internal import ArgumentParser
internal import Custody
internal import Foundation

/// What every command takes.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder that holds your wallets (default: $FUEKI_HOME, else ~/.fueki).", valueName: "folder"),
        completion: .directory)
    var home: String?

    @Flag(help: "Print JSON, for programs: the result on standard output, errors on standard error.")
    var json = false

    /// The folder of wallets, not yet looked at.
    var walletHome: WalletHome {
        if let home { return WalletHome(path: home) }
        let environment = ProcessInfo.processInfo.environment
        if let home = environment["FUEKI_HOME"], !home.isEmpty { return WalletHome(path: home) }
        return WalletHome(path: (environment["HOME"] ?? ".") + "/.fueki")
    }

    /// The public description of a wallet in that folder.
    func wallet(named name: String) throws(Failure) -> WalletRecord {
        try attempt { () throws(CustodyError) in try walletHome.wallet(try WalletName(name)) }
    }
}
