public import Amounts
public import Bitcoin
public import Custody
internal import DisplayText
internal import Encoding
public import Wallet

/// An entry of the history in an exported document: the facts for a reader. No limit, nonce or order is computed from
/// it.
public struct ArchivedEntry: Equatable, Sendable {
    /// The time of the signature by the clock of the signing machine, in seconds since 1970.
    public let time: UInt64
    /// The chain; nil for an intent that is valid on every chain.
    public let chain: Chain?
    /// The state when the document was written.
    public let state: HistoryEntry.State
    /// The transaction's id or hash; nil for messages, and for an entry that was never signed.
    public let id: String?
    /// The `Intent.digest`.
    public let digest: [UInt8]
    /// The highest fee; nil if it was unknown.
    public let highestFee: UInt256?
    /// The effects of signing it.
    public let effects: [Effect]
}

/// A document with the contacts, the frozen coins and the history of one wallet, for another machine
/// ([format](../../../docs/formats/book-export.md)).
///
/// The document is neither sealed nor signed: any program that can write to it can change it. So an import shows its
/// contents and asks (``BookMerge``). The document has no policy, no proposals, no nonces and no orders.
public struct BookExport: Equatable, Sendable {
    /// The wallet's id: `WalletRecord.walletID`.
    public let wallet: [UInt8]
    /// The time of writing, in seconds since 1970.
    public let time: UInt64
    /// The contacts, in the order of their names.
    public let contacts: [Contact]
    /// The frozen coins.
    public let frozen: Set<OutPoint>
    /// The history, the oldest first.
    public let history: [ArchivedEntry]
}

extension WalletBook {
    /// Returns the document with this book's contacts, frozen coins and history.
    ///
    /// Contacts whose names an earlier version allowed, and this one does not, are left out. Of the history, the
    /// document has the newest entries that fit.
    ///
    /// - Parameter now: in seconds since 1970.
    public func export(now: UInt64) -> BookExport {
        let own = entries.map { entry in
            ArchivedEntry(
                time: entry.time, chain: entry.chain, state: entry.state, id: entry.id, digest: entry.digest,
                highestFee: entry.highestFee, effects: entry.effects)
        }
        let digests = Set(own.map(\.digest))
        return BookExport(
            wallet: wallet.walletID, time: now,
            contacts: contactList.filter { (try? Contact(name: $0.name, party: $0.party)) == $0 },
            frozen: frozenCoins,
            history: ArchivedEntry.newest(archived.filter { !digests.contains($0.digest) } + own))
    }

    /// Returns the entries that were imported from other machines. No limit and no order counts them.
    public func archive() -> [ArchivedEntry] { archived }
}

// MARK: - The document

extension BookExport {
    private static let format = "fueki-book"
    private static let version: Int64 = 1

    /// The document: one line of JSON.
    public var encoded: [UInt8] {
        let json: JSON = [
            "format": .string(Self.format), "version": JSON(Self.version), "wallet": .string(Hex.encode(wallet)),
            "time": .string("\(time)"), "contacts": .array(contacts.map(\.json)),
            "frozen": .array(frozen.map(\.description).sorted().map { .string($0) }),
            "history": .array(history.map(\.json)),
        ]
        return json.encoded + [0x0A]
    }

    /// Reads a document in exactly the form of ``encoded``.
    ///
    /// - Throws: `CustodyError.book(_:)` with `BookFault.badExport`, for names that could not be added as contacts,
    ///   too.
    public init(decoding bytes: [UInt8]) throws(CustodyError) {
        do {
            let json = try JSON(decoding: bytes, limit: Limits.bookExportSize)
            guard json["format"]?.string == Self.format,
                json["version"]?.number?.integer(as: Int64.self) == Self.version
            else { throw EncodingError.unsupported }
            let contacts = try json["contacts"].present.array.present
            let coins = try json["frozen"].present.array.present
            let history = try json["history"].present.array.present
            guard contacts.count <= Limits.contacts, coins.count <= Limits.frozenCoins,
                history.count <= Limits.archivedEntries
            else { throw EncodingError.tooLong(limit: Limits.archivedEntries) }
            self.init(
                wallet: try Hex.decode(json["wallet"].present.string.present),
                time: try UInt64(json["time"].present.string.present).present,
                contacts: try contacts.map {
                    try Contact(name: $0["name"].present.string.present, party: try Party(json: $0["party"].present))
                },
                frozen: Set(try coins.map { try OutPoint($0.string.present) }),
                history: try history.map(ArchivedEntry.init(json:)))
            // Two names that look alike are never in one book: the second would hide behind the first.
            guard wallet.count == 32,
                Set(self.contacts.map { SanitizedText.skeleton(of: $0.name) }).count == contacts.count,
                Set(self.history.map(\.digest)).count == history.count, encoded == bytes
            else { throw EncodingError.notCanonical }
        } catch { throw .book(.badExport) }
    }
}

extension Contact {
    fileprivate var json: JSON { ["name": .string(name), "party": party.json] }
}

extension ArchivedEntry {
    fileprivate var json: JSON {
        [
            "time": .string("\(time)"), "chain": chain.map { .string($0.description) } ?? .null,
            "state": .string(state.word), "height": state.height.map { .string("\($0)") } ?? .null,
            "id": id.map { .string($0) } ?? .null, "digest": .string(Hex.encode(digest)),
            "highest_fee": highestFee.map { .string($0.description) } ?? .null,
            "effects": .array(effects.map(\.json)),
        ]
    }

    fileprivate init(json: JSON) throws {
        let id = try json["id"].present
        let fee = try json["highest_fee"].present
        let height = try json["height"].present
        let chain = try json["chain"].present
        let effects = try json["effects"].present.array.present
        guard effects.count <= Limits.archivedEffects else {
            throw EncodingError.tooLong(limit: Limits.archivedEffects)
        }
        self.init(
            time: try UInt64(json["time"].present.string.present).present,
            chain: chain.isNull ? nil : try Chain(text: chain.string.present).present,
            state: try HistoryEntry.State(
                word: json["state"].present.string.present,
                height: height.isNull ? nil : try UInt64(height.string.present).present
            ).present,
            id: id.isNull ? nil : try Self.checked(id: id.string.present),
            digest: try Hex.decode(json["digest"].present.string.present),
            highestFee: fee.isNull ? nil : try UInt256(decimal: fee.string.present),
            effects: try effects.map { try Effect(json: $0) })
        guard digest.count == 32 else { throw EncodingError.unsupported }
    }

    /// Checks that an id is 64 digits, on Ethereum after `0x`: it is shown on a terminal.
    private static func checked(id: String) throws -> String {
        let digits = id.hasPrefix("0x") ? id.dropFirst(2) : id[...]
        guard try Hex.decode(String(digits)).count == 32 else { throw EncodingError.unsupported }
        return id
    }

    /// Adds the newest entries for which a document and a book have room. Present entries stay.
    ///
    /// - Returns: the present and the added entries, the oldest first.
    static func newest(_ entries: [ArchivedEntry], beside present: [ArchivedEntry] = []) -> [ArchivedEntry] {
        var room = Limits.archiveSize - encode(present).count - 1
        var kept = present
        for entry in entries.sorted(by: { $0.time > $1.time }) where kept.count < Limits.archivedEntries {
            let size = entry.json.encoded.count + 1
            guard size <= room, entry.effects.count <= Limits.archivedEffects else { continue }
            room -= size
            kept.append(entry)
        }
        return kept.sorted { $0.time < $1.time }
    }

    /// Returns the bytes of the book's item.
    static func encode(_ entries: [ArchivedEntry]) -> [UInt8] { JSON.array(entries.map(\.json)).encoded }

    /// Reads the book's item in exactly the form of ``encode(_:)``.
    ///
    /// - Throws: `CustodyError.malformedRecord`.
    static func list(decoding bytes: [UInt8]) throws(CustodyError) -> [ArchivedEntry] {
        do {
            let entries = try JSON(decoding: bytes, limit: Limits.archiveSize).array.present
            guard entries.count <= Limits.archivedEntries else { throw EncodingError.unsupported }
            let read = try entries.map(ArchivedEntry.init(json:))
            guard encode(read) == bytes else { throw EncodingError.notCanonical }
            return read
        } catch { throw .malformedRecord }
    }
}

extension HistoryEntry.State {
    fileprivate var word: String {
        switch self {
        case .reserved: "reserved"
        case .failed: "failed"
        case .signed: "signed"
        case .unanswered: "unanswered"
        case .sent: "sent"
        case .mined: "mined"
        case .settled: "settled"
        case .replaced: "replaced"
        }
    }

    fileprivate init?(word: String, height: UInt64?) {
        switch (word, height) {
        case ("reserved", nil): self = .reserved
        case ("failed", nil): self = .failed
        case ("signed", nil): self = .signed
        case ("unanswered", nil): self = .unanswered
        case ("sent", nil): self = .sent
        case ("mined", let height?): self = .mined(height: height)
        case ("settled", let height?): self = .settled(height: height)
        case ("replaced", nil): self = .replaced
        default: return nil
        }
    }
}
