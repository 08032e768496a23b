internal import Curves
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("BIP-340 vectors", .withVectors)
struct BIP340Tests {
    /// index, secret key, public key, aux_rand, message, signature, verification result, comment
    private static func rows() throws -> [[String]] {
        try Vectors.text("bip340/test-vectors.csv").split(whereSeparator: \.isNewline).dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    @Test("signatures and verdicts match the vectors")
    func all() throws {
        let rows = try Self.rows()
        var signed = 0
        for row in rows {
            let (publicKey, message, signature) = (hex(row[2]), hex(row[4]), hex(row[5]))
            #expect(
                BIP340.isValid(signature: signature, message: message, publicKey: publicKey) == (row[6] == "TRUE"),
                "\(row[0])")
            guard !row[1].isEmpty else { continue }
            var bytes = hex(row[1])
            let key = try SecretScalar<Secp256k1>(canonical: SecretBytes(moving: &bytes))
            #expect(key.timesGenerator().xOnly == publicKey)
            #expect(try BIP340.sign(message: message, key: key, auxiliary: hex(row[3])) == signature, "\(row[0])")
            signed += 1
        }
        #expect(rows.count == 19)
        #expect(signed == 8)
    }

    @Test("a signature, a key or auxiliary bytes of the wrong size are refused")
    func sizes() throws {
        let key = SecretScalar<Secp256k1>(from: SeededRandom(seed: 8))
        let publicKey = key.timesGenerator().xOnly
        let signature = try BIP340.sign(message: [1], key: key, auxiliary: [UInt8](repeating: 0, count: 32))
        #expect(BIP340.isValid(signature: signature, message: [1], publicKey: publicKey))
        #expect(!BIP340.isValid(signature: signature, message: [2], publicKey: publicKey))
        #expect(!BIP340.isValid(signature: Array(signature.dropLast()), message: [1], publicKey: publicKey))
        #expect(!BIP340.isValid(signature: signature + [0], message: [1], publicKey: publicKey))
        #expect(!BIP340.isValid(signature: [], message: [1], publicKey: publicKey))
        #expect(!BIP340.isValid(signature: signature, message: [1], publicKey: Array(publicKey.dropLast())))
        #expect(throws: CurvesError.wrongSize(expected: 32, got: 31)) {
            try BIP340.sign(message: [1], key: key, auxiliary: [UInt8](repeating: 0, count: 31))
        }
        #expect(throws: CurvesError.zero) {
            try BIP340.sign(message: [1], key: SecretScalar(.zero), auxiliary: [UInt8](repeating: 0, count: 32))
        }
    }
}

@Suite("Ed25519 signatures: Wycheproof", .withVectors)
struct EdDSATests {
    @Test("every verdict matches the vectors")
    func all() throws {
        let file: JSON = try Vectors.json("wycheproof/ed25519_test.json")
        var seen: [String: Int] = [:]
        for group in try file["testGroups"].array {
            let key = hex(try group["publicKey"]["pk"].string)
            for test in try group["tests"].array {
                let result = try test["result"].string
                let isValid = EdDSA.isValid(
                    signature: hex(try test["sig"].string), message: hex(try test["msg"].string), publicKey: key)
                #expect(isValid == (result == "valid"), "\(test)")
                seen[result, default: 0] += 1
            }
        }
        #expect(seen["valid", default: 0] > 50)
        #expect(seen["invalid", default: 0] > 50)
    }
}

@Suite("Ed25519 signatures: properties")
struct EdDSASigningTests {
    @Test("a signature verifies only for its key and message, and is the same each time")
    func sign() {
        var bytes = [UInt8](repeating: 2, count: 32)
        let seed = SecretBytes(moving: &bytes)
        let key = EdDSA.publicKey(ofSeed: seed)
        let signature = EdDSA.sign(message: [1, 2, 3], seed: seed)
        #expect(EdDSA.isValid(signature: signature, message: [1, 2, 3], publicKey: key))
        #expect(!EdDSA.isValid(signature: signature, message: [1, 2], publicKey: key))
        #expect(EdDSA.sign(message: [1, 2, 3], seed: seed) == signature)
        #expect(EdDSA.sign(message: [], seed: seed) != signature)
        var other = [UInt8](repeating: 3, count: 32)
        let otherKey = EdDSA.publicKey(ofSeed: SecretBytes(moving: &other))
        #expect(!EdDSA.isValid(signature: signature, message: [1, 2, 3], publicKey: otherKey))
    }
}
