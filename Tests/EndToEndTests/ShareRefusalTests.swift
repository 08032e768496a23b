internal import Foundation
import TestSupport
import Testing

/// Shares damaged by a thief, a broken disk or a mistake: nothing is signed, no file is written, and the message gives
/// the reason.
@Suite(
    "Shares that do not sign", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct ShareRefusalTests {
    @Test("one share alone, one twice, one that does not exist, and too many are refused")
    func wrongSets() throws {
        let wallet = try TestWallet()
        try wallet.writePayment()
        wallet.expectNothingSigned(
            try wallet.sign(with: "device"), status: 2, says: "needs 2 different shares, and 1 was named")
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,device"), status: 2, says: "needs 2 different shares, and 1 was named")
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup,recovery"), status: 2,
            says: "needs 2 different shares, and 3 were named")
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,guardian"), status: 64, says: "the wallet has no share 'guardian'")
    }

    @Test("the wrong passphrase opens no share")
    func wrongPassphrase() throws {
        let wallet = try TestWallet()
        try wallet.writePayment()
        try wallet.fueki.folder.write("correct horse battery stable\n", to: "guess")
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup", passphraseFile: "guess"), status: 3,
            says: "the passphrase does not open the wallet's book")
        try wallet.fueki.folder.write("\n", to: "empty")
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup", passphraseFile: "empty"), status: 64,
            says: "the file's first line is empty")
    }

    @Test(
        "a share file with one bit changed, wherever, is refused; restored, it signs", arguments: ["device", "backup"])
    func flippedBit(location: String) throws {
        let wallet = try TestWallet()
        try wallet.writePayment()
        let file = URL(fileURLWithPath: try wallet.share(location))
        let whole = try Data(contentsOf: file)
        // The head, the passphrase slot, the index, the sealed share, the last byte.
        for position in [0, 40, whole.count / 4, whole.count / 2, whole.count - 1] {
            var changed = whole
            changed[position] ^= 0x10
            try changed.write(to: file)
            let outcome = try wallet.sign(with: "device,backup")
            // A changed slot looks like a wrong passphrase: the two cannot be distinguished.
            #expect([3, 4].contains(outcome.status), "byte \(position): \(outcome.errors)")
            wallet.expectNothingSigned(outcome, status: outcome.status, says: "the \(location) share")
        }
        try whole.write(to: file)
        #expect(try wallet.sign(with: "device,backup").status == 0)
    }

    @Test("a truncated, emptied or overwritten share file is refused")
    func truncated() throws {
        let wallet = try TestWallet()
        try wallet.writePayment()
        let file = URL(fileURLWithPath: try wallet.share("backup"))
        let whole = try Data(contentsOf: file)
        let cases: [(Data, String)] = [
            (whole.dropLast(1), "the vault file is cut off: its end is missing"),
            (whole.prefix(whole.count / 2), "the vault file is cut off: its end is missing"),
            (Data(), "the vault file is cut off: its end is missing"),
            (Data("my backup of everything".utf8), "the file is not a Fueki vault"),
        ]
        for (content, reason) in cases {
            try content.write(to: file)
            wallet.expectNothingSigned(try wallet.sign(with: "device,backup"), status: 4, says: reason)
        }
        try FileManager.default.removeItem(at: file)
        wallet.expectNothingSigned(
            try wallet.sign(with: "device,backup"), status: 4, says: "the backup share is not at \(file.path)")
        // The other two still sign.
        #expect(try wallet.sign(with: "device,recovery").status == 0)
    }

    @Test("another wallet's share, and another share of the same wallet, are refused in a share's place")
    func swapped() throws {
        let wallet = try TestWallet()
        let other = try TestWallet(isCopy: false)
        try wallet.writePayment()
        let place = try wallet.share("backup")
        let own = "\(wallet.folder)/own"
        try FileManager.default.moveItem(atPath: place, toPath: own)
        for stranger in [try other.share("backup"), try wallet.share("recovery"), try wallet.share("device")] {
            try FileManager.default.copyItem(atPath: stranger, toPath: place)
            wallet.expectNothingSigned(
                try wallet.sign(with: "device,backup"), status: 4, says: "is not the backup share of this wallet")
            try FileManager.default.removeItem(atPath: place)
        }
        try FileManager.default.moveItem(atPath: own, toPath: place)
        #expect(try wallet.sign(with: "device,backup").status == 0)
    }
}
