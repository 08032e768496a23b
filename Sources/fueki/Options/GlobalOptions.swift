internal import ArgumentParser
internal import Custody
internal import DeviceStores
internal import Foundation
internal import Terminal
internal import Texts

/// The options of every command.
struct GlobalOptions: ParsableArguments {
    @Option(folder: "The folder of wallets (default: $FUEKI_HOME or ~/.fueki).")
    var home: String?

    @Flag(help: "Print the result, or the error, as JSON.")
    var json = false

    /// The folder of wallets. This property does not access the folder.
    var walletHome: WalletHome { Self.walletHome(named: home) }

    /// Returns the folder of wallets that a complete or incomplete command line names.
    static func home(in words: [String]) -> WalletHome {
        let named = words.indices.reversed().lazy.compactMap { index -> String? in
            if words[index].hasPrefix("--home=") { return String(words[index].dropFirst("--home=".count)) }
            return words[index] == "--home" && index + 1 < words.count ? words[index + 1] : nil
        }.first
        return walletHome(named: named)
    }

    private static func walletHome(named home: String?) -> WalletHome {
        let device = MachineStores.ofThisMachine.sealer
        let environment = ProcessInfo.processInfo.environment
        let chosen = home ?? environment["FUEKI_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return WalletHome(path: chosen ?? (environment["HOME"] ?? ".") + "/.fueki", device: device)
    }

    /// Returns the public description of a wallet in that folder.
    ///
    /// - Parameter name: the wallet's own name, or its label.
    func wallet(named name: String) throws(Failure) -> WalletRecord {
        try attempt { () throws(CustodyError) in try walletHome.wallet(called: try WalletName(name)) }
    }

    /// Returns the own name of a wallet in that folder, given its own name or its label.
    func walletName(_ name: String) throws(Failure) -> WalletName {
        try attempt { () throws(CustodyError) in try walletHome.name(ofWalletCalled: try WalletName(name)) }
    }
}
