import Foundation
import TestSupport
import Testing

@testable import Custody
@testable import CustodyTestSupport

@Suite("The list of shares that a change of the passphrase did not reach")
struct PassphraseBacklogTests {
    private static var backlog: PassphraseBacklog {
        var backlog = PassphraseBacklog()
        backlog.insert(.recovery, epoch: 1, since: 1_800_000_000)
        backlog.insert(.backup, epoch: 1, since: 1_800_000_001)
        backlog.insert(.further(index: 4), epoch: 0, since: 7)
        // The first change that did not reach a share counts.
        backlog.insert(.backup, epoch: 1, since: 1_900_000_000)
        return backlog
    }

    private static let text = """
        {
          "behind" : [
            {
              "epoch" : 0,
              "location" : "share-4",
              "since" : 7
            },
            {
              "epoch" : 1,
              "location" : "backup",
              "since" : 1800000001
            },
            {
              "epoch" : 1,
              "location" : "recovery",
              "since" : 1800000000
            }
          ],
          "format" : 1
        }

        """

    @Test("golden bytes, which are read back")
    func golden() throws {
        #expect(String(decoding: try Self.backlog.encoded, as: UTF8.self) == Self.text)
        let read = try #require(PassphraseBacklog(decoding: Array(Self.text.utf8)))
        #expect(read == Self.backlog)
        #expect(read.since(.recovery, 1) == 1_800_000_000)
        #expect(read.since(.recovery, 0) == nil)
    }

    @Test("another format, other bytes for the same list, and a list out of order are refused")
    func broken() {
        let text = Self.text
        for (part, other) in [
            ("\"format\" : 1", "\"format\" : 2"), ("\"format\" : 1", "\"format\" : 1,\n  \"more\" : 1"),
            ("share-4", "attic"), ("\"backup\"", "\"recovery\""), ("\"recovery\"", "\"device\""),
            ("\"epoch\" : 0", "\"epoch\" : -1"), ("\"epoch\" : 0", "\"epoch\" : 5"), (" : 7", " : 7.5"), (" : ", ":"),
        ] {
            #expect(text.contains(part))
            #expect(PassphraseBacklog(decoding: Array(text.replacing(part, with: other).utf8)) == nil, "\(other)")
        }
        #expect(PassphraseBacklog(decoding: []) == nil)
        let padded = Array(text.utf8) + Array(repeating: 0x20, count: Limits.passphraseBacklogSize)
        #expect(PassphraseBacklog(decoding: padded) == nil)
    }

    @Test("an empty list has no file, and a damaged file is an error")
    func file() async throws {
        let house = try WalletHomeFixture()
        let wallet = try await house.creation("w", 2, of: 2).run()
        let file = "home/wallets/w/passphrase.json"
        #expect(try house.home.passphraseBacklog(of: wallet.name) == PassphraseBacklog())
        try house.home.write(Self.backlog, of: wallet.name)
        #expect(try house.mode(file) == 0o600)
        #expect(try house.home.passphraseBacklog(of: wallet.name) == Self.backlog)
        try house.home.write(PassphraseBacklog(), of: wallet.name)
        #expect(!house.plainFiles.contains(file))
        try house.put([1, 2, 3], at: file)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: "\(house.path)/\(file)")
        #expect(
            throws: CustodyError.damagedWallet(
                name: "w", reason: "its passphrase.json is damaged, and can be removed")
        ) { try house.home.passphraseBacklog(of: wallet.name) }
    }
}
