import Curves
import Custody
import Encoding
import Foundation
import Secrets
import TestSupport
import Testing

@testable import CustodyTestSupport

private typealias File = Encoding.JSON

/// The result for a file and a passphrase: the key, or the error.
private func outcome(_ file: [UInt8], _ passphrase: String) -> Result<[UInt8], Keystore.Fault> {
    do {
        let key = try Keystore(decoding: file).privateKey(passphrase: guarded(passphrase))
        return .success(key.encoded().withUnsafeBytes { Array($0) })
    } catch { return .failure(error) }
}

@Suite("Keystores of Ethereum")
struct KeystoreTests {
    /// Made for these tests with Python's hashlib and cryptography, and a public passphrase.
    private static func file(_ change: (String) -> String = { $0 }) -> [UInt8] { Array(change(scrypt).utf8) }

    private static let scrypt = """
        {"version":3,"id":"x","address":"a8049bb68181799124f98e467dd749e120abfa64","crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"8182838485868788898a8b8c8d8e8f90"},\
        "ciphertext":"63dffb1e19430fa16542c1c5ce3c0d6c68c763eb764e118a638e4d819bd0f3c0","kdf":"scrypt","kdfparams":{"dklen":32,"n":1024,"r":8,"p":1,"salt":"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"},\
        "mac":"d0204d69312c667ec7a95a78426a1cb47dddf62ca66e21c6072281d2896371c9"}}
        """

    private static let rounds = """
        {"version":3,"Crypto":{"cipher":"aes-128-ctr","cipherparams":{"iv":"8182838485868788898a8b8c8d8e8f90"},\
        "ciphertext":"5857ab28cba6c2456df6544e92c7a080a030e5e24e98d2f3ec66f18a5d3ce93b","kdf":"pbkdf2","kdfparams":{"c":1000,"dklen":32,"prf":"hmac-sha256","salt":"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20"},\
        "mac":"7529f66bb3f8c91976dc45c1f96d7a9380a01c37d93be26cf0012c6d0ebeb1e7"}}
        """

    private static let key = [UInt8](repeating: 0x5A, count: 32)

    @Test("both derivations give the key; every byte of the passphrase counts")
    func known() {
        #expect(outcome(Self.file(), "correct horse") == .success(Self.key))
        #expect(outcome(Array(Self.rounds.utf8), "correct horse") == .success(Self.key))
        for wrong in ["", "correct hors", "Correct horse", "correct horse "] {
            #expect(outcome(Self.file(), wrong) == .failure(.wrongPassphrase))
        }
    }

    @Test("an empty passphrase opens what other software made with it")
    func emptyPassphrase() {
        let scrypt = Self.scrypt
            .replacing(
                "63dffb1e19430fa16542c1c5ce3c0d6c68c763eb764e118a638e4d819bd0f3c0",
                with: "965d9c42d034fc12f3cd0edebb1723129e26d6069edc3f299c560eedd099e24e"
            ).replacing(
                "d0204d69312c667ec7a95a78426a1cb47dddf62ca66e21c6072281d2896371c9",
                with: "d553892463d126ebb4cdd6340fb01b822aaace931e2e0c41a90141101cbca2b6")
        let rounds = Self.rounds
            .replacing(
                "5857ab28cba6c2456df6544e92c7a080a030e5e24e98d2f3ec66f18a5d3ce93b",
                with: "0ed780a8a6227ed72b0ea9f0b530d5d06e45b2ab79b7968850dcd541ddd372fd"
            ).replacing(
                "7529f66bb3f8c91976dc45c1f96d7a9380a01c37d93be26cf0012c6d0ebeb1e7",
                with: "1df9a3ca40b33cbb8d412707accd1698a91df8c26de767651f008a09556ff982")
        for file in [scrypt, rounds] {
            #expect(outcome(Array(file.utf8), "") == .success(Self.key))
            #expect(outcome(Array(file.utf8), " ") == .failure(.wrongPassphrase))
        }
    }

    @Test("a changed digit in salt, ciphertext or code is reported as a wrong passphrase")
    func damage() {
        for value in [
            "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
            "63dffb1e19430fa16542c1c5ce3c0d6c68c763eb764e118a638e4d819bd0f3c0",
            "d0204d69312c667ec7a95a78426a1cb47dddf62ca66e21c6072281d2896371c9",
        ] {
            let changed = (value.first == "0" ? "1" : "0") + value.dropFirst()
            #expect(
                outcome(Self.file { $0.replacing(value, with: changed) }, "correct horse") == .failure(.wrongPassphrase)
            )
        }
    }

    @Test(
        "the code covers no counter: another one opens another key, which the address shows; a key that is none is refused"
    )
    func noKey() {
        let other = "00000000000000000000000000000000"
        let named = Self.file { $0.replacing("8182838485868788898a8b8c8d8e8f90", with: other) }
        #expect(outcome(named, "correct horse") == .failure(.otherAddress))
        let zero = Self.file {
            $0.replacing("\"address\":", with: "\"owner\":").replacing("8182838485868788898a8b8c8d8e8f90", with: other)
        }
        if case .success(let key) = outcome(zero, "correct horse") {
            #expect(key != Self.key)
        } else {
            Issue.record("another counter is no fault")
        }
        #expect(outcome(Array(Self.noKeyFile.utf8), "correct horse") == .failure(.badKey))
        #expect(outcome(Array(Self.zeroKeyFile.utf8), "correct horse") == .failure(.badKey))
    }

    private static let noKeyFile = rounds.replacing(
        "5857ab28cba6c2456df6544e92c7a080a030e5e24e98d2f3ec66f18a5d3ce93b",
        with: "fdf20e8d6e0367e0c853f1eb3762052440c4635ebb8a289209eef55cd750f220"
    ).replacing(
        "7529f66bb3f8c91976dc45c1f96d7a9380a01c37d93be26cf0012c6d0ebeb1e7",
        with: "52ab74bdf078952d3a4715b636b82c2c97394d4ec1154ed9ee30912ec2cc5f0d")
    private static let zeroKeyFile = rounds.replacing(
        "5857ab28cba6c2456df6544e92c7a080a030e5e24e98d2f3ec66f18a5d3ce93b",
        with: "020df17291fc981f37ac0e14c89dfadafa6abfb814c288a9b63cabd00766b361"
    ).replacing(
        "7529f66bb3f8c91976dc45c1f96d7a9380a01c37d93be26cf0012c6d0ebeb1e7",
        with: "84bcdda184c3b1df91752a1b332ea46f74dad6de566c884f6903248991f36e9e")

    @Test("a valid file with one wrong part is refused with the name of the error")
    func bad() {
        func fault(_ old: String, _ new: String, in other: String? = nil) -> Keystore.Fault? {
            let text = other ?? Self.scrypt
            #expect(text.contains(old))
            if case .failure(let fault) = outcome(Array(text.replacing(old, with: new).utf8), "correct horse") {
                return fault
            }
            return nil
        }
        #expect(fault("\"version\":3", "\"version\":4") == .unknownVersion)
        #expect(fault("\"version\":3", "\"version\":\"3\"") == .unknownVersion)
        #expect(fault("\"version\":3,", "") == .unknownVersion)
        #expect(fault("\"address\":\"", "\"address\":\"00") == .badField(.address))
        #expect(fault("\"address\":\"", "\"address\":\"xy") == .badField(.address))
        #expect(fault("\"a8049bb68181799124f98e467dd749e120abfa64\"", "7") == .badField(.address))
        #expect(fault("\"crypto\":", "\"cryptos\":") == .badField(.crypto))
        #expect(fault("\"id\":\"x\"", "\"Crypto\":{}") == .badField(.crypto))
        #expect(fault("aes-128-ctr", "aes-128-cbc") == .unknownCipher)
        #expect(fault("\"cipher\":\"aes-128-ctr\",", "") == .badField(.cipher))
        #expect(fault("\"iv\":\"", "\"iv\":\"00") == .badField(.iv))
        #expect(fault("\"ciphertext\":\"", "\"ciphertext\":\"0x") == .badField(.ciphertext))
        #expect(fault("\"ciphertext\":\"", "\"ciphertext\":\"00") == .badField(.ciphertext))
        #expect(fault("\"mac\":\"", "\"mac\":\"00") == .badField(.mac))
        #expect(fault("\"kdf\":\"scrypt\"", "\"kdf\":\"argon2\"") == .unknownDerivation)
        #expect(fault("\"dklen\":32", "\"dklen\":16") == .badField(.dklen))
        #expect(fault("\"salt\":\"", "\"salt\":\"0") == .badField(.salt))
        #expect(fault("\"n\":1024", "\"n\":1e3") == .badField(.n))
        #expect(fault("\"n\":1024", "\"n\":-1024") == .badField(.n))
        #expect(fault("\"p\":1", "\"q\":1") == .badField(.p))
        for numbers in ["1000,", "1,", "0,", "2097152,", "9223372036854775808,"] {
            #expect(fault("\"n\":1024,", "\"n\":" + numbers) == .costOutOfBounds)
        }
        #expect(fault("\"r\":8", "\"r\":4294967296") == .costOutOfBounds)
        #expect(fault("\"p\":1", "\"p\":0") == .costOutOfBounds)
        #expect(fault("hmac-sha256", "hmac-sha512", in: Self.rounds) == .unknownDerivation)
        for rounds in ["0", "10000001", "4294967297"] {
            #expect(fault("\"c\":1000", "\"c\":" + rounds, in: Self.rounds) == .costOutOfBounds)
        }
        #expect(fault("{\"version\":3", "{\"version\":3,\"version\":3") != nil)
        for text in ["", "{", "[]", "{}", "null", Self.scrypt + "x"] {
            guard case .failure(let fault) = outcome(Array(text.utf8), "") else {
                Issue.record("\(text) is no keystore")
                continue
            }
            if case .notJSON = fault { continue }
            #expect(fault == .unknownVersion)
        }
        #expect(outcome([UInt8](repeating: 0x20, count: 65_537), "") == .failure(.notJSON(.tooLong(limit: 65_536))))
    }

    @Test("a mutated keystore is refused or read without a trap")
    func fuzz() {
        Fuzz.mutations(of: [Self.file(), Array(Self.rounds.utf8)], iterations: 4_000) {
            _ = try? Keystore(decoding: $0)
        }
    }
}

@Suite("ethereum-tests: keystores")
struct KeystoreVectorTests {
    @Test("every file opens with its passphrase, and with no other")
    func files() throws {
        let tests = try File(decoding: try Vectors.bytes("ethereum/keystores"), limit: 1 << 20, depth: 16)
        let stores = try #require(tests.array)
        #expect(stores.count == 5)
        for test in stores {
            let file = try #require(test["file"]).encoded
            let key = try Hex.decode(try #require(test["key"]?.string))
            let passphrase = try #require(test["passphrase"]?.string)
            #expect(outcome(file, passphrase) == .success(key), "\(test["name"]?.string ?? "")")
        }
        let first = try #require(stores.first?["file"]).encoded
        #expect(outcome(first, "testpasswort") == .failure(.wrongPassphrase))
    }
}
