internal import Custody
internal import DisplayText
internal import Encoding
internal import Wallet

/// A stored proposal. Its payload is decoded only when it is needed.
struct StoredProposal: Equatable {
    /// The order in which proposals were made; 0 for one of version 1 or 2, which had no number.
    var number: UInt64 = 0
    let digest: [UInt8]
    var times: ClockTimes
    /// `SigningPayload.encoded`.
    let payload: [UInt8]
    /// The order that the payload is an attempt at.
    var order: OrderIdentity?
}

extension StoredProposal {
    /// RLP: [3, digest, time of the first proposal, payload, number, order]; the order is an empty list without one.
    /// Versions 1 and 2, without a number, are what earlier programs wrote: [1, digest, time, payload], and
    /// [2, digest, time, payload, order].
    var encoded: [UInt8] {
        let start = [.bytes(digest), times.rlp, .bytes(payload)]
        let order = order.map { RLP.list($0.fields) }
        guard number == 0 else {
            return RLP.list([RLP(3)] + start + [RLP(number), order ?? .list([])]).encoded
        }
        return RLP.list([RLP(order == nil ? 1 : 2)] + start + [order].compactMap(\.self)).encoded
    }

    /// Returns whether this was proposed before another one. Old ones have no numbers, only times.
    func order(before other: StoredProposal) -> Bool {
        (number, times.first) < (other.number, other.times.first)
    }

    /// - Throws: `CustodyError.malformedRecord`.
    init(decoding bytes: [UInt8]) throws(CustodyError) {
        do {
            let fields = try RLP(decoding: bytes, limit: Limits.proposalSize + WalletLimits.bookItemGrowth).list.present
            let version = try fields.first.present.integer()
            let order: OrderIdentity?
            switch (version, fields.count) {
            case (1, 4): order = nil
            case (2, 5): order = try OrderIdentity(fields: fields[4].items(2))
            case (3, 6): order = try fields[5].list.present.isEmpty ? nil : OrderIdentity(fields: fields[5].items(2))
            default: throw EncodingError.unsupported
            }
            let number: UInt64 = version == 3 ? try fields[4].integer() : 0
            guard version != 3 || number > 0 else { throw EncodingError.notCanonical }
            self.init(
                number: number, digest: try fields[1].bytes.present,
                times: try ClockTimes(fields[2]), payload: try fields[3].bytes.present, order: order)
        } catch { throw .malformedRecord }
        guard digest.count == 32 else { throw .malformedRecord }
    }
}

extension Contact {
    /// JSON: `{"version":1,"contacts":[{"name":…,"party":…},…]}`, in the order of the names' bytes.
    static func encode(_ contacts: [Contact]) -> [UInt8] {
        let list = contacts.map { contact -> JSON in
            ["name": .string(contact.written ?? contact.name), "party": contact.party.json]
        }
        return (["version": 1, "contacts": .array(list)] as JSON).encoded
    }

    /// Reads exactly what ``encode(_:)`` gives.
    ///
    /// - Throws: `CustodyError.malformedRecord`.
    static func list(decoding bytes: [UInt8]) throws(CustodyError) -> [Contact] {
        do {
            let json = try JSON(decoding: bytes, limit: Limits.contactsSize)
            let contacts = try json["contacts"].present.array.present.map {
                Contact(written: try $0["name"].present.string.present, party: try Party(json: $0["party"].present))
            }
            guard encode(contacts) == bytes else { throw EncodingError.notCanonical }
            return contacts
        } catch { throw .malformedRecord }
    }

    /// Returns whether the contact has this name. Names that differ only in case are the same name.
    func isCalled(_ name: String) -> Bool { self.name.lowercased() == name.lowercased() }

    /// Returns whether a reader could mistake this name for the contact's.
    func passes(for name: String) -> Bool { SanitizedText.skeleton(of: self.name) == SanitizedText.skeleton(of: name) }
}
