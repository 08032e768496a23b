import Encoding
import TestSupport
import Testing

@testable import Tokens

@Suite("Key sets")
struct VerificationKeysTests {
    let keys = (1...3).map { SigningKey.seeded($0).publicKey }

    @Test("a key set lists each key with its id and its use, and is read back")
    func document() throws {
        let set = try VerificationKeys(current: keys[0], next: [keys[1]], retired: [keys[2]])
        let json = try JSON(decoding: set.document)
        let members = try #require(json["keys"]?.array)
        #expect(members.count == 3)
        for (member, key) in zip(members, keys) {
            #expect(member.object?.names == ["kty", "crv", "x", "y", "use", "alg", "kid"])
            #expect(member["use"] == "sig")
            #expect(member["alg"] == "ES256")
            #expect(member["kid"] == .string(key.thumbprint.description))
        }
        #expect(try VerificationKeys(document: set.document) == set)
        for key in keys { #expect(set[key.thumbprint] == key) }
        #expect(set[SigningKey.seeded(9).publicKey.thumbprint] == nil)
    }

    private func read(_ keys: [JSON]) throws -> VerificationKeys {
        let document: JSON = ["keys": .array(keys)]
        return try VerificationKeys(document: document.encoded)
    }

    @Test("keys of other kinds are ignored, if at least one key is left")
    func otherKinds() throws {
        let rsa: JSON = ["kty": "RSA", "n": "AQAB", "e": "AQAB", "kid": "a"]
        let encryption = try keys[1].published.setting("use", to: "enc")
        #expect(try read([rsa, keys[0].published, encryption]).keys == [keys[0]])
        #expect(throws: TokensError.malformed(.keySet)) { try read([rsa, encryption]) }
        #expect(throws: TokensError.malformed(.keySet)) { try read([]) }
    }

    @Test("a key under another's id, without one, repeated, or private is refused")
    func refused() throws {
        for kid: JSON? in [nil, "1", .string(keys[1].thumbprint.description)] {
            #expect(throws: TokensError.malformed(.keySet)) {
                try read([try keys[0].published.setting("kid", to: kid)])
            }
        }
        #expect(throws: TokensError.malformed(.keySet)) { try read([keys[0].published, keys[0].published]) }
        #expect(throws: TokensError.malformed(.keySet)) {
            try VerificationKeys(current: keys[0], next: [keys[0]], retired: [])
        }
        #expect(throws: TokensError.privateKey) { try read([try keys[0].published.setting("d", to: "AA")]) }
        for text in ["", "[]", "{}", #"{"keys":{}}"#] {
            #expect(throws: TokensError.malformed(.keySet)) { try VerificationKeys(document: Array(text.utf8)) }
        }
    }

    @Test("the number of keys is limited")
    func limits() throws {
        let many = (1...17).map { SigningKey.seeded(UInt64($0)).publicKey }
        #expect(try VerificationKeys(current: many[0], next: [], retired: Array(many[1..<16])).keys.count == 16)
        #expect(throws: TokensError.tooLong(limit: 16)) {
            try VerificationKeys(current: many[0], next: [], retired: Array(many[1...]))
        }
        #expect(throws: TokensError.tooLong(limit: 16)) { try read(many.map(\.published)) }
        // Even if only one of them would be used.
        let others = [JSON](repeating: ["kty": "RSA"], count: 16)
        #expect(try read(Array(others.dropLast()) + [keys[0].published]).keys == [keys[0]])
        #expect(throws: TokensError.tooLong(limit: 16)) { try read(others + [keys[0].published]) }
        let spaces = [UInt8](repeating: 0x20, count: TokensLimits.keySetBytes + 1)
        #expect(throws: TokensError.tooLong(limit: TokensLimits.keySetBytes)) {
            try VerificationKeys(document: spaces)
        }
    }

    @Test("a mutated key set has no other keys")
    func fuzz() throws {
        let set = try VerificationKeys(current: keys[0], next: [keys[1]], retired: [])
        Fuzz.mutations(of: [set.document], iterations: 3_000) { bytes in
            guard let other = try? VerificationKeys(document: bytes) else { return }
            guard other.keys.allSatisfy({ set[$0.thumbprint] == $0 }) else { throw TokensError.unknownKey }
        }
    }
}
