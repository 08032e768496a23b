internal import Crypto
internal import Encoding
internal import TestSupport
internal import Testing
internal import Time

@testable internal import AuditLog

@Suite("Events")
struct EventTests {
    static func samples() throws -> [AuditEvent] {
        let id = try AuditIdentifier([1, 2, 3])
        let digest = try AuditDigest([UInt8](repeating: 5, count: 32))
        let log: [LogEvent] = [
            .epochBegan, .tailDropped(bytes: 7), .diskFull, .spaceRestored, .clockWentBack(milliseconds: 9),
            .sinkFailed(id), .sinkRemoved(id), .witnessed(by: id, size: 1 << 40), .closed,
            .follows(root: digest, size: 1 << 40),
        ]
        let wallet = WalletEvent.Act.allCases.flatMap { act in
            WalletEvent.Stage.allCases.map { stage in
                WalletEvent(
                    act, stage, wallet: id, subject: stage == .admitted ? digest : nil, epoch: 3,
                    admission: stage == .admitted ? nil : 12)
            }
        }
        let eventID = try ServerEventID([UInt8](repeating: 6, count: 16))
        let server = ServerEvent.Kind.allCases.map { kind in
            ServerEvent(
                kind, id: eventID, at: -7, account: kind == .configured ? nil : id, device: id, reason: 4)
        }
        return log.map { .log($0) } + wallet.map { .wallet($0) } + server.map { .server($0) }
            + [.other(try OtherEvent(code: 0x8001, version: 1, payload: [1, 2]))]
    }

    @Test("every event is read as it was written, and from no shorter or longer bytes")
    func roundTrip() throws {
        let time = ClockReading(wall: Timestamp(milliseconds: -5), uptime: Timestamp.Span(milliseconds: 1 << 53))
        for event in try Self.samples() {
            let record = AuditRecord(time: time, event: event)
            #expect(try AuditRecord(decoding: record.encoded) == record)
            #expect(throws: (any Error).self) { try AuditRecord(decoding: record.encoded + [0]) }
            #expect(throws: (any Error).self) { try AuditRecord(decoding: record.encoded.dropLast()) }
        }
    }

    @Test("the fields of a server's event are read as they were written, and a mutated one is refused or the same")
    func serverFields() throws {
        for case .server(let event) in try Self.samples() {
            #expect(try ServerEvent(decoding: event.encoded) == event)
            #expect(throws: (any Error).self) { try ServerEvent(decoding: event.encoded + [0]) }
            #expect(throws: (any Error).self) { try ServerEvent(decoding: event.encoded.dropLast()) }
        }
    }

    @Test("events of unknown types and of later versions are kept as they are")
    func unknown() throws {
        var bytes = AuditRecord(wall: Timestamp(seconds: 0), uptime: .zero, event: .log(.closed)).encoded
        bytes[19] = 2
        guard case .other(let later) = try AuditRecord(decoding: bytes).event else {
            Issue.record("a later version was understood")
            return
        }
        #expect(later.code == 0 && later.version == 2 && later.payload == [9])
        #expect(try AuditRecord(decoding: bytes).encoded == bytes)
        bytes[18] = 0x77
        #expect(try AuditRecord(decoding: bytes).encoded == bytes)
        #expect(throws: AuditLogError.outsideLimits) { try OtherEvent(code: 0x7FFF, version: 1, payload: []) }
        #expect(throws: AuditLogError.outsideLimits) {
            try OtherEvent(code: 0x8000, version: 1, payload: [UInt8](repeating: 0, count: AuditLimits.payload + 1))
        }
    }

    @Test("a wallet's act that came later has a version of its own, so that an earlier program keeps its record")
    func laterAct() throws {
        let id = try AuditIdentifier([1, 2, 3])
        for act in WalletEvent.Act.allCases {
            let event = WalletEvent(act, .admitted, wallet: id, subject: nil)
            let version: UInt8 = act == .passphraseChange ? 2 : 1
            var bytes = AuditRecord(wall: Timestamp(seconds: 0), uptime: .zero, event: .wallet(event)).encoded
            #expect(bytes[19] == version)
            for other in [1, 2, 3] as [UInt8] where other != version {
                bytes[19] = other
                guard other == 3 else {
                    #expect(throws: EncodingError.unsupported, "\(act)") { try AuditRecord(decoding: bytes) }
                    continue
                }
                guard case .other = try AuditRecord(decoding: bytes).event else {
                    Issue.record("a later version was understood")
                    continue
                }
            }
        }
    }

    @Test("identifiers and digests have their sizes")
    func sizes() {
        for count in [0, 65] {
            #expect(throws: AuditLogError.outsideLimits) { try AuditIdentifier([UInt8](repeating: 0, count: count)) }
        }
        for count in [0, 15, 17] {
            #expect(throws: AuditLogError.outsideLimits) { try ServerEventID([UInt8](repeating: 0, count: count)) }
        }
        for count in [0, 31, 33] {
            #expect(throws: AuditLogError.outsideLimits) { try AuditDigest([UInt8](repeating: 0, count: count)) }
        }
    }

    @Test("mutated records are refused or written as they were read")
    func fuzz() throws {
        let seeds = try Self.samples().map {
            AuditRecord(wall: Timestamp(milliseconds: 1), uptime: Timestamp.Span(milliseconds: 2), event: $0).encoded
        }
        Fuzz.roundTrips(of: seeds) {
            try AuditRecord(decoding: $0)
        } encode: {
            $0.encoded
        }
    }

    @Test("mutated notes, checkpoints, keys, paths, proofs and requests are refused or written as they were read")
    func fuzzTexts() throws {
        let signer = try Ed25519Signer(name: "a", seed: LogFixture.secret(1))
        let witness = try Ed25519Signer(name: "w", kind: .cosignature, seed: LogFixture.secret(2))
        let checkpoint = try Checkpoint(origin: "a", size: 3, root: .leaf([1]))
        let note = SignedNote(
            text: checkpoint.text,
            signatures: [
                .init(by: signer.key, try signer.sign([UInt8](checkpoint.text.utf8))),
                .init(by: witness.key, UInt64(5).bigEndianBytes + (try witness.sign([1]))),
            ])
        Fuzz.roundTrips(of: [note.encoded], iterations: 8_000) {
            try SignedNote(decoding: $0)
        } encode: {
            $0.encoded
        }
        Fuzz.texts(of: [checkpoint.text]) { try Checkpoint(parsing: $0).text }
        Fuzz.texts(of: [signer.key.text, witness.key.text]) { try NoteKey(parsing: $0).text }
        Fuzz.texts(of: ["tile/0/x001/234.p/17", "tile/entries/000"]) { try TilePath(parsing: $0).text }
        let proof = EntryProof(index: 2, path: [.empty, .leaf([3])], checkpoint: note)
        let extended = EntryProof(index: 2, path: [.empty], checkpoint: note, extra: [1, 2, 3])
        Fuzz.roundTrips(of: [proof.encoded, extended.encoded], iterations: 8_000) {
            try EntryProof(decoding: $0)
        } encode: {
            $0.encoded
        }
        let request = WitnessRequest(old: 2, proof: [.empty], checkpoint: note)
        let empty = WitnessRequest(old: 0, proof: [], checkpoint: note)
        Fuzz.roundTrips(of: [request.encoded, empty.encoded], iterations: 8_000) {
            try WitnessRequest(decoding: $0)
        } encode: {
            $0.encoded
        }
    }

    @Test("mutated entries and files are refused or written as they were read")
    func fuzzFiles() throws {
        let identity = try LogIdentity(origin: "a", reader: [UInt8](repeating: 9, count: 32))
        Fuzz.roundTrips(of: [identity.encoded]) {
            try LogIdentity(decoding: $0)
        } encode: {
            $0.encoded
        }
        let opening = SealedEntry.Opening(
            predecessor: 3, envelope: [UInt8](repeating: 1, count: SealedEntry.Opening.envelopeSize))
        let record = AuditRecord(wall: Timestamp(milliseconds: 1), uptime: .zero, event: .log(.closed))
        let entries = [nil, opening].map { opening in
            SealedEntry.seal(
                record, key: .init(size: .bits256), epoch: 4, nonce: [UInt8](repeating: 3, count: 12),
                opening: opening, log: .empty, sequence: 5)
        }
        Fuzz.roundTrips(of: entries) { bytes -> SealedEntry in
            guard let entry = SealedEntry(decoding: bytes[...]) else { throw AuditLogError.outsideLimits }
            return entry
        } encode: {
            $0.encoded
        }
        var file = Segment.Header(log: .empty, start: 0, root: .empty).encoded
        var tree = GrowingTree()
        for entry in entries {
            Segment.append(entry: entry, to: &file)
            tree.append(.leaf(entry)) { _ in }
            Segment.append(commit: tree.size, root: tree.root, to: &file)
        }
        Fuzz.mutations(of: [file], iterations: 4_000) { bytes in
            guard let replay = try? Replay(bytes, after: GrowingTree()) else { return }
            #expect(replay.end <= max(bytes.count, Segment.headerSize))
        }
    }
}
