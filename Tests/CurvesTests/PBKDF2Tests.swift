internal import Curves
internal import Secrets
internal import TestSupport
internal import Testing

private func derive(
    _ count: Int, _ passphrase: [UInt8], _ salt: [UInt8], _ rounds: UInt32, _ function: PBKDF2.PseudorandomFunction
) -> [UInt8] {
    PBKDF2.derive(count: count, from: guarded(passphrase), salt: guarded(salt), rounds: rounds, by: function)
        .withUnsafeBytes { Array($0) }
}

@Suite("PBKDF2")
struct PBKDF2Tests {
    @Test("HMAC-SHA-256: RFC 7914, section 11")
    func sha256() {
        #expect(
            hex(derive(64, Array("passwd".utf8), Array("salt".utf8), 1, .hmacSHA256))
                == "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783")
        #expect(
            hex(derive(64, Array("Password".utf8), Array("NaCl".utf8), 80_000, .hmacSHA256))
                == "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d")
    }

    @Test("HMAC-SHA-512: the seed of BIP-39's first mnemonic")
    func sha512() {
        let words = String(repeating: "abandon ", count: 11) + "about"
        #expect(
            hex(derive(64, Array(words.utf8), Array("mnemonicTREZOR".utf8), 2_048, .hmacSHA512))
                == "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531"
                + "f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04")
    }

    @Test("one round is one HMAC, and a shorter result is a prefix of a longer one")
    func sizes() {
        let passphrase = Array("correct horse".utf8)
        let long = derive(200, passphrase, [1, 2], 3, .hmacSHA512)
        for size in [1, 63, 64, 65, 128, 199] {
            #expect(derive(size, passphrase, [1, 2], 3, .hmacSHA512) == Array(long.prefix(size)))
        }
        let one = derive(64, passphrase, [1, 2], 1, .hmacSHA512)
        #expect(one == HMACSHA512.code(key: passphrase, message: [1, 2, 0, 0, 0, 1]))
        #expect(derive(64, [], [], 1, .hmacSHA512) == HMACSHA512.code(key: [], message: [0, 0, 0, 1]))
    }

    @Test("a secret message under a secret key has the same code as public ones")
    func secretHMAC() {
        for size in [1, 32, 128, 200] {
            let (key, message) = ([UInt8](repeating: 7, count: size), [UInt8](repeating: 9, count: size))
            let code = HMACSHA512.code(key: guarded(key), message: guarded(message))
            #expect(code.withUnsafeBytes { Array($0) } == HMACSHA512.code(key: key, message: message))
        }
    }
}

@Suite("Wycheproof: PBKDF2")
struct PBKDF2VectorTests {
    @Test(
        "every answer, for keys shorter and longer than a block",
        arguments: [("256", PBKDF2.PseudorandomFunction.hmacSHA256, 60), ("512", .hmacSHA512, 58)])
    func answers(_ name: String, _ function: PBKDF2.PseudorandomFunction, _ count: Int) throws {
        for test in try Vectors.json("wycheproof/pbkdf2_hmacsha\(name)").array(of: count) {
            let (size, rounds) = (Int(try test["dkLen"].integer), UInt32(try test["iterationCount"].integer))
            let key = derive(size, try test["password"].bytes, try test["salt"].bytes, rounds, function)
            let (answer, number) = (try test["dk"].bytes, try test["id"].integer)
            #expect(key == answer, "case \(number)")
        }
    }
}
