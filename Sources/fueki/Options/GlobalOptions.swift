internal import ArgumentParser
internal import Custody
internal import Foundation
internal import Terminal

/// What every command takes.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The folder that holds your wallets (default: $FUEKI_HOME, or ~/.fueki).", valueName: "folder"),
        completion: .directory)
    var home: String?

    @Flag(help: "Print JSON: the result on standard output, an error on standard error.")
    var json = false

    /// The folder of wallets, not yet looked at.
    var walletHome: WalletHome { Self.walletHome(named: home) }

    /// The folder that a command line names, whether it is complete yet or not.
    static func home(in words: [String]) -> WalletHome {
        let named = words.indices.reversed().lazy.compactMap { index -> String? in
            if words[index].hasPrefix("--home=") { return String(words[index].dropFirst("--home=".count)) }
            return words[index] == "--home" && index + 1 < words.count ? words[index + 1] : nil
        }.first
        return walletHome(named: named)
    }

    private static func walletHome(named home: String?) -> WalletHome {
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
