internal import Files
internal import Foundation

/// The share files of a wallet that a change of its passphrase did not reach: they open with the passphrase from before
/// ([format](../../../docs/formats/sealed-share.md#passphrase)).
///
/// The file is public, and only explains errors: no share is accepted or refused because of it.
struct PassphraseBacklog: Equatable, Sendable {
    struct Entry: Equatable, Sendable, Codable {
        let epoch: Int
        let location: ShareLocation
        /// The first change that did not reach the file, in seconds since 1970.
        let since: Int64
    }

    /// The entries: each place and epoch once, in this order.
    private(set) var entries: [Entry]

    private struct JSON: Codable {
        let behind: [Entry]
        let format: Int
    }

    private static let format = 1

    init() { entries = [] }

    /// Returns the time since when the share of this place and epoch is behind; nil if it is not.
    func since(_ location: ShareLocation, _ epoch: Int) -> Int64? {
        entries.first { $0.location == location && $0.epoch == epoch }?.since
    }

    /// Adds a share, unless it is in the list already.
    mutating func insert(_ location: ShareLocation, epoch: Int, since: Int64) {
        guard self.since(location, epoch) == nil else { return }
        entries.append(Entry(epoch: epoch, location: location, since: since))
        entries.sort { Self.order($0) < Self.order($1) }
    }

    /// Keeps the entries that meet a condition.
    mutating func keep(where condition: (Entry) -> Bool) { entries = entries.filter(condition) }

    private static func order(_ entry: Entry) -> (Int, Int) { (entry.epoch, entry.location.index) }

    var encoded: [UInt8] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            return Array(try encoder.encode(JSON(behind: entries, format: Self.format))) + [0x0A]
        }
    }

    /// Reads a list. Only the bytes that ``encoded`` writes are accepted.
    ///
    /// - Returns: nil for any other bytes.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count <= Limits.passphraseBacklogSize,
            let json = try? JSONDecoder().decode(JSON.self, from: Data(bytes)), json.format == Self.format,
            json.behind.allSatisfy({ UInt32(exactly: $0.epoch) != nil }),
            zip(json.behind, json.behind.dropFirst()).allSatisfy({ Self.order($0) < Self.order($1) })
        else { return nil }
        entries = json.behind
        guard (try? encoded) == bytes else { return nil }
    }
}

extension WalletHome {
    func backlogPath(of name: WalletName) -> String { "\(folder(of: name))/\(Self.backlogName)" }
    package static let backlogName = "passphrase.json"

    /// Returns the shares that a change of the passphrase did not reach.
    ///
    /// - Throws: ``CustodyError/damagedWallet(name:reason:)``, ``CustodyError/file(_:)``.
    func passphraseBacklog(of name: WalletName) throws(CustodyError) -> PassphraseBacklog {
        let bytes: [UInt8]
        do {
            bytes = try AtomicFile.read(
                backlogPath(of: name), limit: Limits.passphraseBacklogSize, access: .ownerOnly)
        } catch .notFound {
            return PassphraseBacklog()
        } catch { throw .file(error) }
        guard let backlog = PassphraseBacklog(decoding: bytes) else {
            throw .damagedWallet(
                name: name.description, reason: "its \(Self.backlogName) is damaged, and can be removed")
        }
        return backlog
    }

    /// Removes the entries of earlier epochs, whose files no renewal looks for any longer.
    func forgetOldFiles(of wallet: WalletRecord) throws(CustodyError) {
        var backlog = try passphraseBacklog(of: wallet.name)
        let before = backlog
        backlog.keep { $0.epoch == wallet.epoch }
        if backlog != before { try write(backlog, of: wallet.name) }
    }

    /// Writes the list, or removes the file of an empty one. When it returns, that is durable.
    func write(_ backlog: PassphraseBacklog, of name: WalletName) throws(CustodyError) {
        let path = backlogPath(of: name)
        if backlog.entries.isEmpty {
            do { try FolderCreation.removeForGood(path) } catch { throw .file(error) }
            return
        }
        guard let bytes = try? backlog.encoded else {
            throw .damagedWallet(name: name.description, reason: "its \(Self.backlogName) cannot be written")
        }
        do { try AtomicFile.write(bytes, to: path, replacing: .allowed) } catch { throw .file(error) }
    }
}
