internal import Encoding
internal import Time

/// The orders of one key, in one file, the oldest first. An order is written before it is sent.
struct OrderJournal: Equatable, Sendable {
    private(set) var entries: [JournalEntry] = []
    /// The number of times that the journal was written. An older copy has a lower one.
    var generation: UInt64 = 0

    /// Returns the entry of an id.
    subscript(id: ClientOrderID) -> JournalEntry? { entries.first { $0.id == id } }

    /// Returns an order with the same terms as a new one that may be at the exchange, if no person has seen its outcome,
    /// or if it was written after the person had given the new one.
    func same(as new: JournalEntry, since given: Timestamp) -> JournalEntry? {
        entries.last { entry in
            guard entry.order == new.order, entry.isOpen || entry.placed != nil else { return false }
            // A time in the future was written before this machine's clock was set back.
            return !entry.isReported || entry.created >= given && entry.created <= new.created
        }
    }

    /// Adds an order. If the journal is full, the oldest settled order leaves it. Another attempt at an order that was
    /// not sent replaces it.
    ///
    /// - Throws: ``ExchangeError/idTaken``, ``StateFault/journalFull``.
    mutating func add(_ entry: JournalEntry) throws(ExchangeError) {
        if let known = self[entry.id] {
            guard known.state == .notSent, known.order == entry.order else { throw .idTaken }
            entries.removeAll { $0.id == entry.id }
        }
        while entries.count >= ExchangeLimits.journalOrders {
            guard let oldest = entries.firstIndex(where: { !$0.isOpen }) else { throw .state(.journalFull) }
            entries.remove(at: oldest)
        }
        entries.append(entry)
    }

    /// Adds the orders of another journal that this one does not have, before its own. Settled orders are left out if
    /// there is no room for them.
    ///
    /// - Throws: ``StateFault/journalFull`` if the open ones do not fit.
    mutating func adopt(_ other: OrderJournal) throws(ExchangeError) {
        // The other journal may have a later attempt at an order that was not sent.
        let known = Set(entries.filter { $0.state != .notSent || other[$0.id] == nil }.map(\.id))
        var merged = other.entries.filter { !known.contains($0.id) } + entries.filter { known.contains($0.id) }
        while merged.count > ExchangeLimits.journalOrders {
            guard let oldest = merged.firstIndex(where: { !$0.isOpen }) else { throw .state(.journalFull) }
            merged.remove(at: oldest)
        }
        entries = merged
    }

    /// Changes an entry. Returns the changed entry; nil if the journal does not have the id.
    mutating func change(_ id: ClientOrderID, _ body: (inout JournalEntry) -> Void) -> JournalEntry? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        body(&entries[index])
        return entries[index]
    }

    /// The file: the generation (8 bytes), the number of the entries (2 bytes), and the entries, in an envelope.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.bigEndian(generation)
        writer.bigEndian(UInt16(entries.count))
        for entry in entries { entry.encode(into: &writer) }
        return StateEnvelope.encode(writer.bytes, of: .journal)
    }

    init() {}

    /// Decodes a file.
    init(decoding bytes: [UInt8]) throws(EncodingError) {
        let content = try StateEnvelope.decode(bytes, of: .journal)
        var reader = try ByteReader(content, limit: ExchangeLimits.journalBytes)
        generation = try reader.bigEndian(UInt64.self)
        let count = Int(try reader.bigEndian(UInt16.self))
        guard count <= ExchangeLimits.journalOrders else { throw .tooLong(limit: ExchangeLimits.journalOrders) }
        var ids: Set<ClientOrderID> = []
        for index in 0..<count {
            let entry = try JournalEntry(from: &reader)
            guard ids.insert(entry.id).inserted else { throw .duplicate(offset: index) }
            entries.append(entry)
        }
        try reader.finish()
    }
}
