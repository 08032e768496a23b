internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import AuditLog

/// An independent verifier in Python reads what a log exports.
@Suite("An independent verifier", .enabled(if: Peer.python.isExpected, "\(Peer.python.absence)"))
struct PeerTests {
    private struct Question: Encodable {
        var command: String
        var log: String
        var folder: String?
        var witnesses: [String]?
        var reader: String?
        var proof: String?
        var entry: String?
        var body: String?
        var root: String?

        enum CodingKeys: CodingKey { case command, log, folder, witnesses, reader, proof, entry, body, root }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(command, forKey: .command)
            try container.encode(log, forKey: .log)
            try container.encode(folder, forKey: .folder)
            try container.encode(witnesses, forKey: .witnesses)
            try container.encode(reader, forKey: .reader)
            try container.encode(proof, forKey: .proof)
            try container.encode(entry, forKey: .entry)
            try container.encode(body, forKey: .body)
            try container.encode(root, forKey: .root)
        }
    }

    private struct Export: Decodable {
        let size: UInt64
        let root: String
        let history: [UInt64]
        let cosigned: [UInt64?]
    }

    private struct Proof: Decodable {
        let size: UInt64
        let index: UInt64
    }

    private struct Consistency: Decodable {
        let old: UInt64
        let size: UInt64
    }

    private struct Events: Decodable {
        struct Event: Decodable {
            let code: Int
            let payload: String

            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                code = try container.decode(Int.self)
                payload = try container.decode(String.self)
            }
        }
        let events: [Event]
    }

    private static func ask<Answer: Decodable>(_ question: Question) throws -> Answer {
        try Python.ask("audit_verify.py", question)
    }

    /// A log of several files, epochs and checkpoints, cosigned by a witness, and exported to `folder/export`.
    private static func exported(_ fixture: LogFixture) async throws -> (note: SignedNote, witness: NoteKey) {
        fixture.segmentEntries = 512
        fixture.epochEntries = 300
        let log = try await fixture.create()
        let signer = try Ed25519Signer(name: "witness.example/w", kind: .cosignature, seed: LogFixture.secret(5))
        let witness = try Witness(
            signer: signer, logs: [fixture.signer.key], store: MemoryCheckpoints(), now: WitnessTests.now)
        for round in 0..<3 {
            try await log.append(contentsOf: (0..<400 + round * 33).map { try event($0) })
            _ = try await log.checkpoint()
        }
        let note = try await log.checkpoint(witnessedBy: DirectLink(witness, key: signer.key))
        let history = fixture.checkpoints.notes.dropLast()
        try await log.close()
        try LogReader(at: fixture.path).export(
            to: fixture.folder.path + "/export", checkpoint: note, signedBy: fixture.signer.key, history: Array(history)
        )
        return (note, signer.key)
    }

    @Test("it accepts an exported log with its history and cosignatures, and reads the events with the owner's key")
    func export() async throws {
        let fixture = try LogFixture()
        let (note, witness) = try await Self.exported(fixture)
        let question = Question(
            command: "export", log: fixture.signer.key.text, folder: fixture.folder.path + "/export",
            witnesses: [witness.text], reader: hex([UInt8](repeating: 99, count: 32)))
        let answer: Export = try Self.ask(question)
        let checkpoint = try Checkpoint(parsing: note.text)
        #expect(answer.size == checkpoint.size && answer.root == hex(checkpoint.root.bytes))
        #expect(answer.history.count >= 3)
        #expect(answer.cosigned == [1_700_000_000])
        let events: Events = try Self.ask(question)
        let (_, records) = try fixture.verify()
        #expect(events.events.count == Int(checkpoint.size))
        for (event, record) in zip(events.events, records) {
            #expect(hex(record.encoded.dropFirst(22)) == event.payload)
        }
        #expect(Set(events.events.map(\.code)) == [0x0000, 0x0100])
    }

    @Test("it refuses an export in which a byte of any kind of file was changed")
    func changed() async throws {
        let fixture = try LogFixture()
        let (_, witness) = try await Self.exported(fixture)
        let folder = fixture.folder.path + "/export"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder + "/" + $0, isDirectory: &isFolder)
                && !isFolder.boolValue
        }
        let kinds = ["checkpoint", "tile/0/001", "tile/1/000.p", "tile/entries/000", "tile/entries/005.p", "history/"]
        for kind in kinds {
            let name = try #require(files.first { $0.hasPrefix(kind) }, "\(kind): \(files)")
            let url = URL(fileURLWithPath: folder + "/" + name)
            let good = try Data(contentsOf: url)
            var bad = good
            bad[bad.count / 2] ^= 1
            try bad.write(to: url)
            #expect(throws: (any Error).self, "\(name)") {
                let _: Export = try Self.ask(
                    Question(
                        command: "export", log: fixture.signer.key.text, folder: folder, witnesses: [witness.text]))
            }
            try good.write(to: url)
        }
    }

    @Test("it accepts the proofs of entries and of growth that a log makes, and refuses changed ones")
    func proofs() async throws {
        let fixture = try LogFixture()
        let (note, _) = try await Self.exported(fixture)
        let reader = try LogReader(at: fixture.path)
        let size = try Checkpoint(parsing: note.text).size
        for sequence in [0, 1, 255, 256, 511, 512, size - 1] {
            let proof = try reader.proof(of: sequence, in: note, signedBy: fixture.signer.key)
            let entry = try #require(try reader.entries(sequence..<sequence + 1).first)
            #expect(proof.verifies(entry, log: fixture.signer.key, witnesses: []))
            var question = Question(
                command: "proof", log: fixture.signer.key.text, proof: String(decoding: proof.encoded, as: UTF8.self),
                entry: hex(entry))
            let answer: Proof = try Self.ask(question)
            #expect(answer.index == sequence && answer.size == size)
            question.entry = hex(entry.dropLast() + [entry[entry.count - 1] ^ 1])
            #expect(throws: (any Error).self) { let _: Proof = try Self.ask(question) }
        }
        for old: UInt64 in [1, 2, 255, 256, 257, 512, 700] {
            let request = WitnessRequest(
                old: old, proof: try reader.tree.consistencyProof(from: old, to: size), checkpoint: note)
            var question = Question(
                command: "request", log: fixture.signer.key.text,
                body: String(decoding: request.encoded, as: UTF8.self),
                root: hex(try reader.tree.root(size: old).bytes))
            let answer: Consistency = try Self.ask(question)
            #expect(answer.old == old && answer.size == size)
            question.root = hex(TreeHash.empty.bytes)
            #expect(throws: (any Error).self) { let _: Consistency = try Self.ask(question) }
        }
    }
}
