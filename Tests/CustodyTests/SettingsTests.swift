internal import Ethereum
import Foundation
import TestSupport
import Testing
import Wallet

@testable import Custody
@testable import CustodyTestSupport

@Suite("Settings")
struct SettingsTests {
    @Test("written settings are read back in order, and only the owner can read the file")
    func roundTrip() throws {
        let house = try WalletHomeFixture()
        var settings = Settings()
        try settings.set(.init(.node(.ethereum(.ethereum))), "https://user:secret@node.example")
        try settings.set(.init(.cookieFile), "/srv/.cookie")
        try settings.set(.init(.node(.bitcoin)), "http://127.0.0.1:8332")
        try settings.set(.init(.cookieFile), "/srv/other")
        try settings.write(in: house.home)
        #expect(try Settings.read(in: house.home) == settings)
        #expect(settings.entries.map(\.name.text) == ["node.ethereum", "cookie-file", "node.bitcoin"])
        #expect(settings[.init(.cookieFile)] == "/srv/other")
        #expect(try house.mode("home/config.json") == 0o600)
        settings.remove(.init(.cookieFile))
        #expect(settings[.init(.cookieFile)] == nil)
    }

    @Test("each chain has a node, its pins, its proxy and its hosts without encryption, also for one wallet")
    func keysOfChains() throws {
        for prefix in ["node", "node-pin", "node-pins", "node-proxy", "allow-http"] {
            for chain in ["bitcoin", "sepolia", "ethereum:999999"] {
                for wallet in ["", "wallet.savings.", "wallet.my.node.", "wallet.node-pin."] {
                    let name = "\(wallet)\(prefix).\(chain)"
                    #expect(Settings.Name(name)?.text == name)
                }
            }
            #expect(Settings.Name("\(prefix).mars") == nil && Settings.Name(prefix) == nil)
        }
    }

    @Test("an exchange has pins, a proxy and limits of its markets, for all wallets")
    func keysOfExchanges() throws {
        for name in [
            "exchange-pin.kraken", "exchange-proxy.binance", "order-limit.kraken.XBT/USD", "order-limit.kraken.XBT.S",
        ] {
            #expect(Settings.Name(name)?.text == name)
            #expect(Settings.Name("wallet.savings.\(name)") == nil)
        }
        for name in [
            "exchange-pin", "exchange-pin.", "exchange-pin.Kraken", "exchange-pin.kraken.x", "order-limit.kraken",
            "order-limit.kraken.", "order-limit..XBTUSD", "order-limit.\(String(repeating: "a", count: 17)).XBTUSD",
        ] { #expect(Settings.Name(name) == nil, "\(name)") }
    }

    @Test("without a file nothing is set")
    func none() throws {
        let house = try WalletHomeFixture()
        #expect(try Settings.read(in: house.home).entries.isEmpty)
    }

    @Test(
        "a file that is no settings is refused, with its flaw",
        arguments: [
            ("[]", .notJSON), ("{", .notJSON), (#"{"version": 2}"#, .unknownVersion),
            (#"{"version": "1"}"#, .unknownVersion), (#"{"node.mars": "http://a"}"#, .unknownSetting("node.mars")),
            (#"{"cookie-file": 1}"#, .unknownSetting("cookie-file")),
        ] as [(String, SettingsFault.Flaw)])
    func malformed(text: String, flaw: SettingsFault.Flaw) throws {
        let house = try WalletHomeFixture()
        try house.put(Array(text.utf8), at: "home/config.json")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: "\(house.path)/home/config.json")
        let path = Settings.path(in: house.home)
        #expect(throws: SettingsFault.malformed(path: path, flaw)) { try Settings.read(in: house.home) }
    }

    @Test("a file that others can read is not read")
    func others() throws {
        let house = try WalletHomeFixture()
        try house.put(Array(#"{"version": 1}"#.utf8), at: "home/config.json")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644], ofItemAtPath: "\(house.path)/home/config.json")
        #expect {
            try Settings.read(in: house.home)
        } throws: { error in
            if case .unreadable = error as? SettingsFault { true } else { false }
        }
    }

    @Test("the path of a cookie file begins with a slash")
    func relative() {
        var settings = Settings()
        #expect(throws: SettingsFault.relativeCookieFile) { try settings.set(.init(.cookieFile), ".cookie") }
        #expect(settings.entries.isEmpty)
    }

    @Test("a wallet's own setting comes before the one for all; a name with points is told from a key")
    func wallets() throws {
        let house = try WalletHomeFixture()
        var settings = Settings()
        let (savings, odd) = (try WalletName("savings"), try WalletName("node.unit"))
        for (name, value) in [
            ("unit", "sat"), ("wallet.savings.unit", "btc"), ("wallet.node.unit.unit", "btc"),
            ("wallet.savings.chain", "base"), ("wallet.savings.node.base", "https://base.example"),
            ("node.base", "https://other.example"),
        ] {
            try settings.set(try #require(Settings.Name(name)), value)
        }
        try settings.write(in: house.home)
        #expect(try Settings.read(in: house.home) == settings)
        let other = try WalletName("other")
        #expect(settings.unit(for: nil) == .sat && settings.unit(for: other) == .sat)
        #expect(settings.unit(for: savings) == .btc && settings.unit(for: odd) == .btc)
        let base = try #require(ChainName("base"))
        #expect(settings.chain(for: savings) == base && settings.chain(for: odd) == .bitcoin)
        #expect(settings.value(of: .node(base), for: savings) == "https://base.example")
        #expect(settings.value(of: .node(base), for: odd) == "https://other.example")
        // A wallet that is deleted takes its settings with it, and no others.
        try Settings.forget(savings, in: house.home)
        #expect(
            try Settings.read(in: house.home).entries.map(\.name.text) == [
                "unit", "wallet.node.unit.unit", "node.base",
            ])
    }

    @Test(
        "an unknown setting's name is refused",
        arguments: [
            "wallet", "wallet.savings", "wallet.savings.", "wallet..unit", "wallet.savings.mars", "Unit", "",
            "wallet.-a.unit",
        ])
    func names(text: String) { #expect(Settings.Name(text) == nil) }

    @Test("a unit and a chain are ones that there are")
    func values() {
        var settings = Settings()
        #expect(throws: SettingsFault.unknownUnit) { try settings.set(.init(.unit), "mBTC") }
        #expect(throws: SettingsFault.unknownChain) { try settings.set(.init(.chain), "mars") }
        #expect(settings.entries.isEmpty)
    }
}
