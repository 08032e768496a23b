internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import AuditLog

@Suite("Exports and proofs of damaged logs")
struct ExportTests {
    /// A log of three files and an interrupted tile, its last checkpoint, and an earlier one.
    private static func log(_ fixture: LogFixture) async throws -> (last: SignedNote, earlier: SignedNote) {
        fixture.segmentEntries = 256
        let log = try await fixture.create()
        try await log.append(contentsOf: (0..<99).map { try event($0) })
        let earlier = try await log.checkpoint()
        try await log.append(contentsOf: (0..<500).map { try event($0) })
        let last = try await log.checkpoint()
        try await log.close()
        return (last, earlier)
    }

    private static func export(_ fixture: LogFixture, _ note: SignedNote, history: [SignedNote] = []) throws {
        try LogReader(at: fixture.path).export(
            to: fixture.folder.path + "/export", checkpoint: note, signedBy: fixture.signer.key, history: history)
    }

    private static func exists(_ fixture: LogFixture) -> Bool {
        FileManager.default.fileExists(atPath: fixture.folder.path + "/export")
    }

    /// Changes one byte of a file.
    private static func change(_ path: String, at offset: Int) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[offset] ^= 1
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test("an export of a whole log has every tile, the checkpoint and the history")
    func whole() async throws {
        let fixture = try LogFixture()
        let notes = try await Self.log(fixture)
        try Self.export(fixture, notes.last, history: [notes.earlier, notes.last])
        let size = try Checkpoint(parsing: notes.last.text).size
        for path in TilePath.all(size: size).map(\.text) + ["checkpoint", "history/100"] {
            #expect(FileManager.default.fileExists(atPath: fixture.folder.path + "/export/\(path)"), "\(path)")
        }
    }

    @Test(
        "a changed hash of any level and place stops the export before its first file, and names the tile",
        arguments: [
            ("hashes-0", 0), ("hashes-0", 200), ("hashes-0", 255), ("hashes-0", 300), ("hashes-1", 0), ("hashes-1", 1),
        ])
    func hashes(_ file: String, _ index: Int) async throws {
        let fixture = try LogFixture()
        let notes = try await Self.log(fixture)
        try Self.change("\(fixture.path)/\(file)", at: index * 32 + 5)
        let error = #expect(throws: AuditLogError.self) { try Self.export(fixture, notes.last) }
        let expected = UInt64(file == "hashes-0" ? index : index * 256)
        #expect(error == .damaged(sequence: expected))
        #expect(!Self.exists(fixture))
    }

    @Test("a changed entry stops the export before its first file", arguments: [0, 1, 2])
    func entries(_ segment: Int) async throws {
        let fixture = try LogFixture()
        let notes = try await Self.log(fixture)
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path).filter {
            $0.hasPrefix("entries-")
        }
        let path = "\(fixture.path)/\(try #require(names.sorted().dropFirst(segment).first))"
        // Behind the header and the first entry's own head.
        try Self.change(path, at: Segment.headerSize + 100)
        let error = #expect(throws: AuditLogError.self) { try Self.export(fixture, notes.last) }
        #expect(error == .damaged(sequence: UInt64(segment * 256)))
        #expect(!Self.exists(fixture))
    }

    @Test("a checkpoint of another history stops the export, also if it is an earlier one")
    func forked() async throws {
        let fixture = try LogFixture()
        let notes = try await Self.log(fixture)
        func forge(_ size: UInt64) throws -> SignedNote {
            let text = try Checkpoint(origin: LogFixture.origin, size: size, root: .leaf([7])).text
            return SignedNote(
                text: text, signatures: [.init(by: fixture.signer.key, try fixture.signer.sign([UInt8](text.utf8)))])
        }
        let size = try Checkpoint(parsing: notes.last.text).size
        for other: UInt64 in [1, 100, 256, size] {
            #expect(throws: AuditLogError.forked(size: other)) {
                try Self.export(fixture, notes.last, history: [notes.earlier, try forge(other)])
            }
        }
        #expect(throws: AuditLogError.forked(size: size)) { try Self.export(fixture, try forge(size)) }
        #expect(throws: AuditLogError.outsideLimits) {
            try Self.export(fixture, notes.earlier, history: [notes.last])
        }
        #expect(!Self.exists(fixture))
    }

    @Test("a proof is made only of hashes and an entry that fit the checkpoint")
    func proofs() async throws {
        let fixture = try LogFixture()
        let notes = try await Self.log(fixture)
        func prove(_ entry: UInt64) throws -> EntryProof {
            try LogReader(at: fixture.path).proof(of: entry, in: notes.last, signedBy: fixture.signer.key)
        }
        _ = try prove(201)
        // The root of a full tile is stored, so that the root of the log does not show the change.
        try Self.change("\(fixture.path)/hashes-0", at: 200 * 32)
        #expect(throws: AuditLogError.damaged(sequence: 201)) { try prove(201) }
        #expect(throws: AuditLogError.damaged(sequence: 210)) { try prove(210) }
        _ = try prove(400)
    }
}
