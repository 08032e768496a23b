internal import Encoding
internal import TestSupport
internal import Testing

@testable internal import AuditLog

@Suite("Notes, checkpoints and cosignatures")
struct NoteTests {
    @Test("the example of the specification of signed notes verifies with its key, and with no changed byte")
    func example() throws {
        let key = try NoteKey(
            parsing: "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
        let text = "This is an example message.\n"
        let bytes = Array(
            (text
                + "\n\u{2014} example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n")
                .utf8)
        let note = try SignedNote(decoding: bytes)
        #expect(note.text == text)
        #expect(note.isSigned(by: key))
        #expect(note.encoded == bytes)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let other = try? SignedNote(decoding: changed)
            #expect(other == nil || other?.isSigned(by: key) == false, "\(index)")
        }
    }

    @Test("a key that has another id than its text says is refused")
    func keys() throws {
        let text = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
        #expect(try NoteKey(parsing: text).text == text)
        for other in [
            "example.com/fop+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
            "example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
            "example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
            "example.com/foo+530d903a", "", "++", "a b+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
        ] {
            #expect(throws: (any Error).self, "\(other)") { try NoteKey(parsing: other) }
        }
        for name in ["", "a b", "a+b", "a\u{2003}b", "a\nb", String(repeating: "a", count: 256)] {
            #expect(throws: AuditLogError.outsideLimits) {
                try NoteKey(name: name, kind: .signature, publicKey: [UInt8](repeating: 1, count: 32))
            }
        }
    }

    @Test("a checkpoint has three lines in one spelling, and the root of no entries if it has none")
    func checkpoints() throws {
        let text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
        let checkpoint = try Checkpoint(parsing: text)
        #expect(checkpoint.size == 20_852_163)
        #expect(checkpoint.text == text)
        let root = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
        for other in [
            "a\n01\n\(root)\n", "a\n+1\n\(root)\n", "a\n-1\n\(root)\n", "a\n1\n\(root)", "a\n1\n\(root)\nextension\n",
            "\n1\n\(root)\n", "a\n1\n\n", "a\n0\n\(root)\n", "a\n18446744073709551616\n\(root)\n", "a b\n1\n\(root)\n",
            "a\n1\n\(root.dropLast())\n", "a\n281474976710657\n\(root)\n", "",
        ] {
            #expect(throws: (any Error).self, "\(other)") { try Checkpoint(parsing: other) }
        }
        #expect(try Checkpoint(parsing: Checkpoint(origin: "a", size: 0, root: .empty).text).size == 0)
    }

    @Test("a checkpoint counts only under the log's own key, and a wrong signature of that key spoils the note")
    func signedCheckpoints() throws {
        let signer = try Ed25519Signer(name: "a", seed: LogFixture.secret(1))
        let other = try Ed25519Signer(name: "a", seed: LogFixture.secret(2))
        let checkpoint = try Checkpoint(origin: "a", size: 1, root: .leaf([1]))
        let text = [UInt8](checkpoint.text.utf8)
        let own = SignedNote.Signature(by: signer.key, try signer.sign(text))
        let foreign = SignedNote.Signature(by: other.key, try other.sign(text))
        let wrong = SignedNote.Signature(by: signer.key, try other.sign(text))
        func read(_ signatures: [SignedNote.Signature]) -> Checkpoint? {
            Checkpoint(SignedNote(text: checkpoint.text, signatures: signatures), signedBy: signer.key)
        }
        #expect(read([own]) == checkpoint)
        #expect(read([foreign, own]) == checkpoint)
        #expect(read([foreign]) == nil)
        #expect(read([wrong]) == nil)
        #expect(read([wrong, own]) == nil)
        #expect(read([own, wrong]) == nil)
        // The key of one log does not sign for another.
        let alien = try Checkpoint(origin: "b", size: 1, root: .leaf([1]))
        let note = SignedNote(
            text: alien.text, signatures: [.init(by: signer.key, try signer.sign([UInt8](alien.text.utf8)))])
        #expect(Checkpoint(note, signedBy: signer.key) == nil)
        // A cosigning key does not sign checkpoints.
        let cosigner = try Ed25519Signer(name: "a", kind: .cosignature, seed: LogFixture.secret(1))
        let cosigned = SignedNote(
            text: checkpoint.text, signatures: [.init(by: cosigner.key, try cosigner.sign(text))])
        #expect(Checkpoint(cosigned, signedBy: cosigner.key) == nil)
    }

    @Test(
        "a note has room for sixteen signatures of 5 kB, for 32 of ML-DSA-44, and for 64 of Ed25519",
        arguments: [(16, 5_000), (32, 2_428), (63, 72)])
    func large(_ count: Int, _ bytes: Int) throws {
        let signer = try Ed25519Signer(name: "log.example", seed: LogFixture.secret(1))
        let text = try Checkpoint(origin: "log.example", size: 1, root: .leaf([1])).text
        let others = (0..<count).map { number in
            // The kind 0x06 is unknown here.
            "\u{2014} witness\(number).example/w \(Base64.encode([UInt8](repeating: 6, count: 4 + bytes)))\n"
        }
        let own = SignedNote(text: text, signatures: [.init(by: signer.key, try signer.sign([UInt8](text.utf8)))])
        let bytes = own.encoded + others.joined().utf8
        let note = try SignedNote(decoding: bytes)
        #expect(note.signatures.count == count + 1 && note.encoded == bytes)
        #expect(Checkpoint(note, signedBy: signer.key)?.size == 1)
        let request = WitnessRequest(
            old: 1, proof: [TreeHash](repeating: .empty, count: AuditLimits.proofHashes), checkpoint: note)
        #expect(try WitnessRequest(decoding: request.encoded) == request)
    }

    @Test("a proof with a line of extra data is read and written, and the data prove nothing")
    func extraData() throws {
        let signer = try Ed25519Signer(name: "log.example", seed: LogFixture.secret(1))
        let tree = MemoryTree(9)
        let text = try Checkpoint(origin: "log.example", size: 9, root: tree.root(size: 9)).text
        let note = SignedNote(text: text, signatures: [.init(by: signer.key, try signer.sign([UInt8](text.utf8)))])
        let path = try tree.inclusionProof(of: 3, size: 9)
        let plain = EntryProof(index: 3, path: path, checkpoint: note)
        let entry = [UInt8]([1, 0x33])
        func read(_ line: String) throws -> EntryProof {
            let lines = String(decoding: plain.encoded, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: false)
            return try EntryProof(decoding: Array(([lines[0], line[...]] + lines[1...]).joined(separator: "\n").utf8))
        }
        for data: [UInt8] in [[0], Array("a VRF's proof".utf8), [UInt8](repeating: 7, count: AuditLimits.proofExtra)] {
            let proof = try read("extra " + Base64.encode(data))
            #expect(proof.extra == data && proof.index == 3 && proof.path == path)
            #expect(try EntryProof(decoding: proof.encoded) == proof)
            #expect(proof.verifies(entry, log: signer.key, witnesses: []))
            #expect(!proof.verifies(data, log: signer.key, witnesses: []))
        }
        #expect(try EntryProof(decoding: plain.encoded).extra == nil)
        let large = Base64.encode([UInt8](repeating: 7, count: AuditLimits.proofExtra + 1))
        for line in ["extra ", "extra", "extra AA", "extra AB==", "extra  AA==", "Extra AA==", "extra \(large)"] {
            #expect(throws: EncodingError.self, "\(line.prefix(20))") { try read(line) }
        }
        // One line, in this place.
        #expect(throws: EncodingError.self) { try read("extra AA==\nextra AA==") }
        let misplaced = plain.encoded.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        #expect(throws: EncodingError.self) {
            try EntryProof(
                decoding: Array(
                    [misplaced[0], misplaced[1], Array("extra AA==".utf8)[...], misplaced[2]].joined(separator: [0x0A]))
            )
        }
    }

    @Test("notes with control characters, without signatures or with too many are refused")
    func malformed() throws {
        let line = "\u{2014} a \("AAAAAAAA")\n"
        #expect(try SignedNote(decoding: Array("x\n\n\(line)".utf8)).signatures.count == 1)
        #expect(try SignedNote(decoding: Array("x\n\n\ny\n\n\(line)".utf8)).text == "x\n\n\ny\n")
        #expect(throws: Never.self) {
            try SignedNote(decoding: Array(("x\n\n" + String(repeating: line, count: 16)).utf8))
        }
        for text in [
            "", "x", "x\n", "x\n\n", "\n\(line)", "x\n\(line)", "x\n\n\(line)\n", "x\r\n\n\(line)", "x\0\n\n\(line)",
            "x\n\n- a AAAAAAAA\n", "x\n\n\u{2014} a  AAAAAAAA\n", "x\n\n\u{2014} a AAAA\n",
            "x\n\n\u{2014} a+b AAAAAAAA\n",
            "x\n\n" + String(repeating: line, count: AuditLimits.signatures + 1),
        ] {
            #expect(throws: (any Error).self, "\(text)") { try SignedNote(decoding: Array(text.utf8)) }
        }
        #expect(throws: (any Error).self) { try SignedNote(decoding: [0x78, 0xFF, 0x0A, 0x0A] + Array(line.utf8)) }
        #expect(throws: (any Error).self) {
            try SignedNote(decoding: [UInt8](repeating: 0x78, count: AuditLimits.note + 1))
        }
    }
}
