internal import Crypto
internal import Encoding
internal import Secrets
internal import Time

@testable internal import AuditLog

extension FuzzEntry {
    /// The texts and files of the library AuditLog.
    static let auditLogs: [FuzzEntry] = [
        FuzzEntry("audit-record", seeds: try SeedLog.records().map(\.encoded)) {
            try AuditRecord(decoding: $0).encoded
        },
        FuzzEntry("audit-server-event", seeds: [try SeedLog.serverEvent().encoded]) {
            try ServerEvent(decoding: $0).encoded
        },
        FuzzEntry("audit-entry", seeds: try SeedLog.entries()) { SealedEntry(decoding: $0[...])?.encoded },
        FuzzEntry("audit-segment-header", seeds: [SeedLog.header.encoded]) {
            Segment.Header(decoding: $0[...])?.encoded
        },
        FuzzEntry("audit-segment", seeds: try SeedLog.segments()) { input in
            let replay = try Replay(input, after: GrowingTree())
            precondition(replay.end <= max(input.count, Segment.headerSize), "read past the end")
            return input.count == replay.end ? input : nil
        },
        FuzzEntry("audit-log-identity", seeds: [try SeedLog.identity().encoded]) {
            try LogIdentity(decoding: $0).encoded
        },
        FuzzEntry("audit-note", seeds: [try SeedLog.note().encoded]) { try SignedNote(decoding: $0).encoded },
        FuzzEntry("audit-checkpoint", texts: [try SeedLog.checkpoint().text]) { try Checkpoint(parsing: $0).text },
        FuzzEntry("audit-key", texts: try SeedLog.keys().map(\.text)) { try NoteKey(parsing: $0).text },
        FuzzEntry("audit-cosignature", seeds: [[UInt8](repeating: 1, count: 72)]) { input in
            Cosignature(decoding: input).map { $0.time.bigEndianBytes + $0.signature }
        },
        FuzzEntry("audit-proof", seeds: [try SeedLog.proof().encoded]) { try EntryProof(decoding: $0).encoded },
        FuzzEntry("audit-witness-request", seeds: try SeedLog.requests().map(\.encoded)) {
            try WitnessRequest(decoding: $0).encoded
        },
        FuzzEntry("audit-tile-path", texts: ["tile/0/x001/234.p/17", "tile/entries/000", "tile/63/001"]) {
            try TilePath(parsing: $0).text
        },
    ]
}

/// A small log whose signatures are not valid.
private enum SeedLog {
    static func identity() throws -> LogIdentity {
        try LogIdentity(origin: "seed.example/log", reader: [UInt8](repeating: 9, count: 32))
    }

    static let header = Segment.Header(log: .empty, start: 0, root: .empty)

    static func records() throws -> [AuditRecord] {
        let id = try AuditIdentifier([1, 2, 3])
        let digest = try AuditDigest([UInt8](repeating: 5, count: 32))
        let events: [AuditEvent] = [
            .log(.epochBegan), .log(.clockWentBack(milliseconds: 7)), .log(.witnessed(by: id, size: 9)),
            .wallet(WalletEvent(.signing, .admitted, wallet: id, subject: digest, epoch: 3)),
            .wallet(WalletEvent(.renewal, .completed, wallet: id, subject: nil, admission: 4)),
            .server(try serverEvent()),
            .other(try OtherEvent(code: 0x8000, version: 2, payload: [1, 2, 3])),
        ]
        return events.map {
            AuditRecord(wall: Timestamp(milliseconds: 1), uptime: Timestamp.Span(milliseconds: 2), event: $0)
        }
    }

    static func serverEvent() throws -> ServerEvent {
        let id = try AuditIdentifier([1, 2, 3])
        return ServerEvent(
            .signedIn, id: try ServerEventID([UInt8](repeating: 6, count: 16)), at: 7, account: id, device: id,
            reason: 2)
    }

    static func entries() throws -> [[UInt8]] {
        let opening = SealedEntry.Opening(
            predecessor: 3, envelope: [UInt8](repeating: 1, count: SealedEntry.Opening.envelopeSize))
        return try records().prefix(2).enumerated().map { number, record in
            SealedEntry.seal(
                record, key: SymmetricKey(data: [UInt8](repeating: 2, count: 32)), epoch: 4,
                nonce: [UInt8](repeating: 3, count: SealedEntry.nonceSize), opening: number == 0 ? opening : nil,
                log: .empty, sequence: UInt64(number))
        }
    }

    static func segments() throws -> [[UInt8]] {
        var file = header.encoded
        var tree = GrowingTree()
        for entry in try entries() {
            Segment.append(entry: entry, to: &file)
            tree.append(.leaf(entry)) { _ in }
            Segment.append(commit: tree.size, root: tree.root, to: &file)
        }
        return [file]
    }

    static func keys() throws -> [NoteKey] {
        let bytes = [UInt8](repeating: 7, count: 32)
        return [
            try NoteKey(name: "seed.example/log", kind: .signature, publicKey: bytes),
            try NoteKey(name: "seed.example/w", kind: .cosignature, publicKey: bytes),
        ]
    }

    static func checkpoint() throws -> Checkpoint {
        try Checkpoint(origin: "seed.example/log", size: 3, root: .leaf([1]))
    }

    static func note() throws -> SignedNote {
        SignedNote(
            text: try checkpoint().text,
            signatures: try keys().map { SignedNote.Signature(by: $0, [UInt8](repeating: 1, count: 64)) })
    }

    static func proof() throws -> EntryProof {
        EntryProof(index: 2, path: [.empty, .leaf([3])], checkpoint: try note())
    }

    static func requests() throws -> [WitnessRequest] {
        [
            WitnessRequest(old: 2, proof: [.empty], checkpoint: try note()),
            WitnessRequest(old: 0, proof: [], checkpoint: try note()),
        ]
    }
}
