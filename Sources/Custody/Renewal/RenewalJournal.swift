internal import Ceremonies
package import Files
internal import Foundation

/// The record that a renewal writes before it makes its first file. After any interruption it says which files are
/// useless: the new ones as long as `wallet.json` names the old ones, and the old ones afterwards.
///
/// Replacing `wallet.json` is what completes the renewal. The journal only says what to remove.
struct RenewalJournal: Equatable, Sendable {
    /// The description before the renewal.
    let from: WalletRecord
    /// The description after it, with the new shares' public parts: a file of another attempt is not one of its files.
    let to: WalletRecord
    /// The places of `from` whose shares were lost. Their files are not looked for.
    let lost: [ShareLocation]

    private struct JSON: Codable {
        let format: Int
        let from: String
        let to: String
        let lost: [ShareLocation]
    }

    private static let format = 1

    var encoded: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let json = JSON(
                format: Self.format, from: String(decoding: try from.encoded, as: UTF8.self),
                to: String(decoding: try to.encoded, as: UTF8.self), lost: lost)
            return Array(try encoder.encode(json)) + [0x0A]
        }
    }

    init(from: WalletRecord, to: WalletRecord, lost: [ShareLocation]) {
        self.from = from
        self.to = to
        self.lost = lost
    }

    /// Reads a journal, and checks that both sides are descriptions of one wallet, one epoch apart.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)``.
    init(decoding bytes: [UInt8], name: WalletName) throws(CustodyError) {
        let damaged = CustodyError.damagedWallet(name: name.description, reason: "its renewal.json is damaged")
        guard bytes.count <= Limits.renewalJournalSize,
            let json = try? JSONDecoder().decode(JSON.self, from: Data(bytes)),
            json.format == Self.format
        else { throw damaged }
        from = try WalletRecord(decoding: Array(json.from.utf8), name: name)
        to = try WalletRecord(decoding: Array(json.to.utf8), name: name)
        lost = json.lost
        guard from.keys.isSameKeys(as: to.keys), from.imported == to.imported, from.epoch + 1 == to.epoch else {
            throw damaged
        }
    }
}

extension WalletHome {
    private func journalPath(of name: WalletName) -> String { "\(folder(of: name))/renewal.json" }

    /// Returns the journal of an unfinished renewal, if there is one.
    func journal(of name: WalletName) throws(CustodyError) -> RenewalJournal? {
        let bytes: [UInt8]
        do {
            bytes = try AtomicFile.read(journalPath(of: name), limit: Limits.renewalJournalSize, access: .ownerOnly)
        } catch .notFound {
            return nil
        } catch { throw .file(error) }
        return try RenewalJournal(decoding: bytes, name: name)
    }

    /// Returns whether a renewal was interrupted, and has not been cleaned up.
    package func hasUnfinishedRenewal(of name: WalletName) throws(CustodyError) -> Bool { try journal(of: name) != nil }

    /// Writes a journal, and replaces an existing one.
    func write(_ journal: RenewalJournal) throws(CustodyError) {
        let name = journal.to.name
        guard let bytes = try? journal.encoded else {
            throw .damagedWallet(name: name.description, reason: "its description cannot be written")
        }
        do { try AtomicFile.write(bytes, to: journalPath(of: name), replacing: .allowed) } catch { throw .file(error) }
    }

    func removeJournal(of name: WalletName) throws(CustodyError) {
        do { try FolderCreation.removeForGood(journalPath(of: name)) } catch { throw .file(error) }
    }

    /// Locks out every other renewal of the wallet, in this process and others, while the lock exists.
    package func lockRenewals(of name: WalletName) throws(CustodyError) -> FileLock {
        do { return try FileLock(on: "\(folder(of: name))/renewal") } catch .notFound {
            throw .noSuchWallet(name: name.description)
        } catch .lockedByAnother(let processID) {
            throw .renewal(.running(name: name.description, processID: processID))
        } catch { throw .file(error) }
    }
}
