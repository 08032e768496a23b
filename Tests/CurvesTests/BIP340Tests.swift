internal import Curves
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("BIP-340 vectors")
struct BIP340Tests {
    @Test("signatures and verdicts match the vectors")
    func all() throws {
        var signed = 0
        for (number, test) in try Vectors.json("bip340").array(of: 19).enumerated() {
            let (publicKey, message) = (try test["public_key"].bytes, try test["message"].bytes)
            let signature = try test["signature"].bytes
            #expect(
                try BIP340.isValid(signature: signature, message: message, publicKey: publicKey)
                    == test["is_valid"].bool, "\(number)")
            guard !test["secret"].isNull else { continue }
            var bytes = try test["secret"].bytes
            let key = try SecretScalar<Secp256k1>(canonical: SecretBytes(moving: &bytes))
            #expect(key.timesGenerator().xOnly == publicKey)
            let made = try BIP340.sign(message: message, key: key, auxiliary: test["auxiliary"].bytes)
            #expect(made == signature, "\(number)")
            signed += 1
        }
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

@Suite("Ed25519 signatures: Wycheproof")
struct EdDSATests {
    @Test("every verdict matches the vectors")
    func all() throws {
        var seen: [Bool: Int] = [:]
        for group in try Vectors.json("wycheproof/ed25519").array(of: 78) {
            let key = try group["key"].bytes
            for test in try group["cases"].array {
                let expected = try test["is_valid"].bool
                let isValid = try EdDSA.isValid(
                    signature: test["sig"].bytes, message: test["msg"].bytes, publicKey: key)
                #expect(isValid == expected, "\(test)")
                seen[expected, default: 0] += 1
            }
        }
        #expect(seen == [true: 88, false: 63])
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
