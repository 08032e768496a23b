import Foundation
import Secrets
import TestSupport
import Testing

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("A wallet's label on this machine")
struct WalletLabelTests {
    private static func name(_ text: String) throws -> WalletName { try WalletName(text) }

    /// Makes a folder that looks like a wallet to everything that does not read its description.
    private func add(_ name: String, to house: borrowing WalletHomeFixture) throws {
        try house.put([], at: "home/wallets/\(name)/wallet.json")
    }

    @Test("a renamed wallet is found by both names, and no other file changes")
    func renamed() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let before = try house.plainFiles.map { try house.bytes($0) }
        #expect(try house.home.rename(wallet.name, to: Self.name("house")) == wallet.name)
        #expect(house.home.label(of: wallet.name) == (try Self.name("house")))
        #expect(try house.home.wallet(called: Self.name("house")) == wallet)
        #expect(try house.home.wallet(called: wallet.name) == wallet)
        #expect(house.home.names() == [wallet.name])
        #expect(house.home.allNames().map(\.description) == ["house", "w"])
        #expect(try house.bytes("home/wallets/w/label") == Array("house\n".utf8))
        #expect(try house.mode("home/wallets/w/label") == 0o600)
        #expect(try house.plainFiles.filter { !$0.hasSuffix("/label") }.map { try house.bytes($0) } == before)
    }

    @Test("share files from before the renaming restore the wallet by its own name, and a renewal keeps the label")
    func backups() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation().run()
        let files = wallet.shares.map(\.path)
        try house.home.rename(wallet.name, to: Self.name("house"))
        let renewed = try await house.renew(.refresh)
        #expect(house.home.label(of: wallet.name)?.description == "house")
        #expect(renewed.wallet.name == wallet.name && renewed.wallet.epoch == 1)

        let elsewhere = WalletHome(path: "\(house.path)/elsewhere")
        let again = try await WalletRestoration(name: wallet.name, home: elsewhere).run(
            files: Array(renewed.wallet.shares.map(\.path).prefix(2)), passphrase: secret(WalletHomeFixture.passphrase))
        #expect(again.isSameWallet(as: renewed.wallet) && files.count == 3)
        #expect(elsewhere.label(of: wallet.name) == nil)
    }

    @Test("a label that is another wallet's name or label is refused")
    func taken() throws {
        let house = try WalletHomeFixture()
        for name in ["a", "b"] { try add(name, to: house) }
        try house.home.rename(Self.name("a"), to: Self.name("x"))
        #expect(throws: CustodyError.walletExists(name: "a")) {
            try house.home.rename(try Self.name("b"), to: try Self.name("a"))
        }
        #expect(throws: CustodyError.label(.taken(label: "x", wallet: "a"))) {
            try house.home.rename(try Self.name("b"), to: try Self.name("x"))
        }
        #expect(house.home.label(of: try Self.name("b")) == nil)
    }

    @Test("neither a new wallet nor a restored one gets a name that is a label")
    func newWallets() throws {
        let house = try WalletHomeFixture()
        try add("a", to: house)
        try house.home.rename(Self.name("a"), to: Self.name("x"))
        let fault = CustodyError.label(.taken(label: "x", wallet: "a"))
        let (creation, home) = (try house.creation("x"), house.home)
        #expect(throws: fault) { try creation.check() }
        #expect(throws: fault) { try WalletRestoration(name: try Self.name("x"), home: home).check() }
        try WalletRestoration(name: Self.name("y"), home: home).check()
    }

    @Test("an own name means its wallet, even if a label says the same")
    func precedence() throws {
        let house = try WalletHomeFixture()
        try add("a", to: house)
        try house.home.rename(Self.name("a"), to: Self.name("b"))
        try add("b", to: house)
        #expect(try house.home.name(ofWalletCalled: Self.name("b")).description == "b")
        #expect(try house.home.name(ofWalletCalled: Self.name("a")).description == "a")
    }

    @Test("a label that two wallets have names neither of them, and their own names stay valid")
    func ambiguous() throws {
        let house = try WalletHomeFixture()
        for name in ["a", "b"] { try add(name, to: house) }
        try house.home.rename(Self.name("a"), to: Self.name("x"))
        try FileManager.default.copyItem(
            atPath: "\(house.path)/home/wallets/a/label", toPath: "\(house.path)/home/wallets/b/label")
        let home = house.home
        #expect(throws: CustodyError.label(.ambiguous(label: "x", wallets: ["a", "b"]))) {
            try home.name(ofWalletCalled: try Self.name("x"))
        }
        try home.rename(Self.name("b"), to: Self.name("y"))
        #expect(try home.name(ofWalletCalled: Self.name("x")).description == "a")
    }

    @Test("the same renaming succeeds again, whichever name it was given")
    func repeated() throws {
        let house = try WalletHomeFixture()
        try add("a", to: house)
        for (old, new) in [("a", "x"), ("x", "y"), ("y", "a"), ("a", "z"), ("z", "a")] {
            for _ in 0..<2 {
                #expect(try house.home.rename(Self.name(old), to: Self.name(new)).description == "a")
            }
            #expect(house.home.label(of: try Self.name("a"))?.description == (new == "a" ? nil : new))
        }
    }

    @Test("a renaming that was interrupted before its only step left the old label; the same call finishes it")
    func interrupted() throws {
        let house = try WalletHomeFixture()
        try add("a", to: house)
        try house.home.rename(Self.name("a"), to: Self.name("x"))
        // The remains of a write that was killed before it replaced the file, and of its locks.
        try house.put(Array("y\n".utf8), at: "home/wallets/a/.label.tmp")
        try house.put(Array("1".utf8), at: "home/wallets/.labels.lock")
        try house.put(Array("1".utf8), at: "home/wallets/a/label.lock")
        #expect(house.home.label(of: try Self.name("a"))?.description == "x")
        try house.home.rename(Self.name("x"), to: Self.name("y"))
        #expect(house.home.label(of: try Self.name("a"))?.description == "y")
        #expect(house.home.names().map(\.description) == ["a"])
    }

    @Test(
        "a damaged label counts as none, and another renaming replaces it",
        arguments: ["", "x", "x\n\n", "x\ny\nz\n", "../x\n", " x\n", "x\r\n", String(repeating: "x", count: 65) + "\n"])
    func damaged(_ text: String) throws {
        let house = try WalletHomeFixture()
        try add("a", to: house)
        try house.home.rename(Self.name("a"), to: Self.name("x"))
        let path = "\(house.path)/home/wallets/a/label"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: CustodyError.malformedRecord) { try WalletLabel(decoding: Array(text.utf8)) }
        #expect(house.home.label(of: try Self.name("a")) == nil)
        #expect(try house.home.name(ofWalletCalled: Self.name("a")).description == "a")
        try house.home.rename(Self.name("a"), to: Self.name("x"))
        #expect(house.home.label(of: try Self.name("a"))?.description == "x")
    }

    @Test("a label that other users can change counts as none")
    func open() throws {
        let house = try WalletHomeFixture()
        try add("a", to: house)
        try house.home.rename(Self.name("a"), to: Self.name("x"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o666], ofItemAtPath: "\(house.path)/home/wallets/a/label")
        #expect(house.home.label(of: try Self.name("a")) == nil)
    }

    @Test("an unknown wallet cannot be renamed")
    func unknown() throws {
        let house = try WalletHomeFixture()
        let home = house.home
        #expect(throws: CustodyError.noSuchWallet(name: "a")) {
            try home.rename(try Self.name("a"), to: try Self.name("x"))
        }
        try add("b", to: house)
        #expect(throws: CustodyError.noSuchWallet(name: "a")) {
            try home.rename(try Self.name("a"), to: try Self.name("x"))
        }
    }
}
