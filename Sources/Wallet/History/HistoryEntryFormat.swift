internal import Amounts
internal import Bitcoin
package import Encoding
internal import Ethereum

// RLP: [version, number, time, proposed, chain, digest, effects, [fee?], conflictSet, state, [id?], [transaction?], order].
// docs/formats/book.md describes each field. Version 1 has no order.

extension HistoryEntry {
    /// The entry's only encoding. An entry without an order is written as version 1.
    package var encoded: [UInt8] {
        RLP.list(
            [
                RLP(order == nil ? 1 : 2), RLP(number), times.rlp,
                .list(proposed.map { [RLP($0)] } ?? []),
                .text(chain?.description ?? ""), .bytes(digest), .bytes(JSON.array(effects.map(\.json)).encoded),
                .list(highestFee.map { [.bytes($0.minimalBytes)] } ?? []), .list(conflictSet?.fields ?? []),
                .list(state.fields),
                .list(id.map { [.text($0)] } ?? []), .list(transaction.map { [.bytes($0)] } ?? []),
            ] + (order.map { [.list($0.fields + [RLP(hearing.rawValue)])] } ?? [])
        ).encoded
    }

    /// Reads exactly what ``encoded`` gives.
    ///
    /// - Throws: ``WalletError/malformed(_:)``.
    package init(decoding bytes: [UInt8]) throws(WalletError) {
        let limit = WalletLimits.historyEntrySize + WalletLimits.bookItemGrowth
        guard let entry = try? Self.read(RLP(decoding: bytes, limit: limit)), entry.encoded == bytes
        else { throw .malformed(.unsupported) }
        self = entry
    }

    private static func read(_ rlp: RLP) throws -> HistoryEntry {
        let fields = try rlp.list.present
        guard let version = try fields.first?.integer(),
            (version, fields.count) == (1, 12) || (version, fields.count) == (2, 13),
            let digest = fields[5].bytes, digest.count == 32,
            let effects = fields[6].bytes, let conflictSet = fields[8].list, let state = fields[9].list
        else { throw EncodingError.unsupported }
        let chain = try fields[4].text
        let times = try ClockTimes(fields[2])
        let order = try fields.dropFirst(12).first?.items(3)
        return HistoryEntry(
            number: try fields[1].integer(), time: times.first, corrections: times.corrections,
            proposed: try fields[3].optional { try $0.integer() },
            chain: chain.isEmpty ? nil : try Chain(text: chain).present, digest: digest,
            effects: try JSON(decoding: effects).array.present.map { try Effect(json: $0) },
            highestFee: try fields[7].optional { try UInt256(bytes: $0.integerBytes(upTo: 32)) },
            conflictSet: conflictSet.isEmpty ? nil : try ConflictSet(fields: conflictSet),
            state: try State(fields: state),
            id: try fields[10].optional { try $0.text }, transaction: try fields[11].optional { try $0.bytes.present },
            order: try order.map { try OrderIdentity(fields: Array($0.prefix(2))) },
            hearing: try order.map { try Hearing(rawValue: $0[2].integer()).present } ?? .unheard)
    }
}

extension OrderIdentity {
    /// [[key?], fingerprint]
    package var fields: [RLP] { [.list(key.map { [.text($0.text)] } ?? []), .bytes(fingerprint)] }

    /// - Throws: an error for anything that ``fields`` does not give.
    package init(fields: [RLP]) throws {
        guard fields.count == 2, let fingerprint = fields[1].bytes, fingerprint.count == 32 else {
            throw EncodingError.unsupported
        }
        self.init(key: try fields[0].optional { try PaymentKey($0.text) }, fingerprint: fingerprint)
    }
}

extension HistoryEntry.State {
    fileprivate var fields: [RLP] {
        switch self {
        case .reserved: [RLP(0)]
        case .failed: [RLP(1)]
        case .signed: [RLP(2)]
        case .sent: [RLP(3)]
        case .mined(let height): [RLP(4), RLP(height)]
        case .replaced: [RLP(5)]
        case .unanswered: [RLP(6)]
        case .settled(let height): [RLP(7), RLP(height)]
        }
    }

    fileprivate init(fields: [RLP]) throws {
        switch (try fields.first?.integer(), fields.count) {
        case (0, 1): self = .reserved
        case (1, 1): self = .failed
        case (2, 1): self = .signed
        case (3, 1): self = .sent
        case (4, 2): self = .mined(height: try fields[1].integer())
        case (5, 1): self = .replaced
        case (6, 1): self = .unanswered
        case (7, 2): self = .settled(height: try fields[1].integer())
        default: throw EncodingError.unsupported
        }
    }
}

extension ConflictSet {
    /// The fields, with the chain first.
    fileprivate var fields: [RLP] {
        switch self {
        case .ethereum(let chain, let account, let nonce):
            [.text(Chain.ethereum(chain).description), .bytes(account.bytes), RLP(nonce)]
        case .bitcoin(let network, let outPoints):
            [.text(Chain.bitcoin(network).description)]
                + outPoints.map { $0.transaction.bytes + $0.index.bigEndianBytes }.sorted {
                    $0.lexicographicallyPrecedes($1)
                }.map(RLP.bytes)
        }
    }

    fileprivate init(fields: [RLP]) throws {
        switch Chain(text: try fields[0].text) {
        case .ethereum(let chain) where fields.count == 3:
            self = .ethereum(
                chain, account: try EthereumAddress(bytes: fields[1].bytes.present), nonce: try fields[2].integer())
        case .bitcoin(let network):
            var outPoints: Set<OutPoint> = []
            for field in fields.dropFirst() {
                guard let bytes = field.bytes, bytes.count == 36 else { throw EncodingError.unsupported }
                let id = try TransactionID(Hex.encode(bytes.prefix(32).reversed()))
                let index = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                outPoints.insert(OutPoint(transaction: id, index: index))
            }
            self = .bitcoin(network, spending: outPoints)
        default: throw EncodingError.unsupported
        }
    }
}
