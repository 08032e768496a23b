import Foundation
import Testing

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("Names and places")
struct NameTests {
    @Test(
        "names of wallets are safe as names of files",
        arguments: ["a", "A1", "my-wallet_2.0", "0", String(repeating: "x", count: 64)])
    func good(_ text: String) throws {
        #expect(try WalletName(text).description == text)
    }

    @Test(
        "other names are refused",
        arguments: [
            "", ".", "..", ".hidden", "-x", "_x", "a/b", "../x", "a b", "a\0b", "a\n", "ä", "a\u{301}", "a:b", "a\\b",
            "~", "$x", "名", String(repeating: "x", count: 65),
        ])
    func bad(_ text: String) {
        #expect(throws: CustodyError.badWalletName) { try WalletName(text) }
    }

    @Test("each of fifteen places has a name of its own, which parses back")
    func locations() throws {
        let locations = (1...15).map(ShareLocation.init(index:))
        #expect(locations.prefix(4).map(\.name) == ["device", "backup", "recovery", "share-4"])
        #expect(Set(locations.map(\.name)).count == 15)
        #expect(locations.map(\.index) == Array(1...15))
        #expect(locations.allSatisfy { ShareLocation($0.name) == $0 })
        let json = try JSONEncoder().encode(locations)
        #expect(try JSONDecoder().decode([ShareLocation].self, from: json) == locations)
    }

    @Test(
        "no other name is a place",
        arguments: ["", "Device", "share-1", "share-3", "share-16", "share-04", "share-", "share-4 ", "guardian"])
    func noLocation(_ name: String) {
        #expect(ShareLocation(name) == nil)
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([ShareLocation].self, from: Data("[\"\(name)\"]".utf8))
        }
    }

    @Test("share files are where the person chose, with descriptive names")
    func places() throws {
        let home = WalletHome(path: "/home/x")
        let name = try WalletName("w")
        let places = SharePlaces(backup: "/stick", recovery: nil)
        func path(_ index: Int, _ places: SharePlaces) -> String {
            places.path(of: ShareLocation(index: index), of: name, in: home)
        }
        #expect(path(1, places) == "/home/x/wallets/w/device.vault")
        #expect(path(2, places) == "/stick/fueki-w-backup.vault")
        #expect(path(3, places) == "/home/x/recovery/fueki-w-recovery.vault")
        #expect(path(4, places) == "/stick/fueki-w-share-4.vault")
        #expect(path(3, SharePlaces(backup: "/stick", recovery: "/safe")) == "/safe/fueki-w-recovery.vault")
    }

    @Test("paths are made absolute, once and for all")
    func absolute() {
        let here = FileManager.default.currentDirectoryPath
        #expect(SharePlaces(backup: "stick", recovery: "./a/../safe").backup == "\(here)/stick")
        #expect(SharePlaces(backup: "stick", recovery: "./a/../safe").recovery == "\(here)/safe")
        #expect(SharePlaces(backup: "~/stick", recovery: nil).backup == "\(NSHomeDirectory())/stick")
        #expect(WalletHome(path: "/tmp/").path == "/tmp")
    }
}
