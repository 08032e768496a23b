internal import Crypto
internal import Foundation
internal import SecretStoreTestSupport
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

/// Vectors of C2SP/wycheproof, through the functions that the vault itself calls.
private enum Wycheproof {
    struct Case: Decodable {
        var id: Int
        var is_valid: Bool
        // AES-GCM
        var key, iv, aad, msg, ct, tag: String?
        // HKDF
        var ikm, salt, info, okm: String?
        var size: Int?
        // PBKDF2
        var password, dk: String?
        var iterationCount: Int?
    }

    static func cases(_ name: String) throws -> [Case] {
        try Vectors.json("wycheproof/\(name)", as: [Case].self)
    }
}

private func unhex(_ text: String?) throws -> [UInt8] {
    let digits = try (text ?? "").map { try #require($0.hexDigitValue) }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

private func exposed(_ secret: consuming SecretBytes?) -> [UInt8]? {
    guard let secret else { return nil }
    return secret.withUnsafeBytes { [UInt8]($0) }
}

@Suite("Wycheproof")
struct WycheproofTests {
    @Test("AES-256-GCM seals, opens and refuses as the vectors say")
    func aesGCM() throws {
        var tried = 0
        for test in try Wycheproof.cases("aes_gcm") {
            tried += 1
            let (key, iv) = (SymmetricKey(data: try unhex(test.key)), try unhex(test.iv))
            let (context, message) = (try unhex(test.aad), try unhex(test.msg))
            let sealed = try unhex(test.ct) + unhex(test.tag)
            let opened = exposed(Sealing.open(sealed, key: key, bindingTo: context, nonce: iv))
            #expect(opened == (test.is_valid ? message : nil), "case \(test.id)")
            guard test.is_valid else { continue }
            let again = message.withUnsafeBytes { Sealing.seal($0, key: key, bindingTo: context, nonce: iv) }
            #expect(again == sealed, "case \(test.id)")
        }
        #expect(tried == 66)
    }

    @Test("HKDF-SHA256 gives the first 32 bytes of each long enough vector")
    func hkdf() throws {
        var tried = 0
        for test in try Wycheproof.cases("hkdf_sha256") where test.is_valid && test.size ?? 0 >= 32 {
            tried += 1
            let secret = guarded(try unhex(test.ikm))
            let key = Sealing.key(from: secret, salt: try unhex(test.salt), purpose: try unhex(test.info))
            #expect(key.withUnsafeBytes { [UInt8]($0) } == Array(try unhex(test.okm).prefix(32)), "case \(test.id)")
        }
        #expect(tried == 65)
    }

    @Test("PBKDF2-HMAC-SHA256 gives the first 32 bytes of each vector")
    func pbkdf2() throws {
        var tried = 0
        for test in try Wycheproof.cases("pbkdf2_hmacsha256") {
            tried += 1
            let key = Stretcher.pbkdf2(
                guarded(try unhex(test.password)), salt: try unhex(test.salt), rounds: test.iterationCount ?? 0)
            let answer = try unhex(test.dk).prefix(32)
            #expect(exposed(key)?.starts(with: answer) == true, "case \(test.id)")
        }
        #expect(tried == 60)
    }
}

@Suite("Known answers")
struct KnownAnswerTests {
    @Test("HKDF: RFC 5869, cases 1 and 3")
    func hkdf() throws {
        let secret = guarded([UInt8](repeating: 0x0b, count: 22))
        let first = Sealing.key(from: secret, salt: [UInt8](0...12), purpose: [UInt8](0xf0...0xf9))
        let third = Sealing.key(from: secret, salt: [], purpose: [])
        #expect(
            try first.withUnsafeBytes { [UInt8]($0) }
                == unhex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"))
        #expect(
            try third.withUnsafeBytes { [UInt8]($0) }
                == unhex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"))
    }

    @Test("PBKDF2-HMAC-SHA256: RFC 7914, section 11")
    func pbkdf2() throws {
        let once = Stretcher.pbkdf2(secret("passwd"), salt: [UInt8]("salt".utf8), rounds: 1)
        #expect(try exposed(once) == unhex("55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"))
        let often = Stretcher.pbkdf2(secret("Password"), salt: [UInt8]("NaCl".utf8), rounds: 80000)
        #expect(try exposed(often) == unhex("4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"))
    }

    @Test("AES-256-GCM: the GCM specification, cases 13 and 14")
    func aesGCM() throws {
        let key = SymmetricKey(data: [UInt8](repeating: 0, count: 32))
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(
            try Sealing.seal(empty, key: key, bindingTo: []) == unhex("530f8afbc74536b9a963b4f1c4cb738b"))
        let block = [UInt8](repeating: 0, count: 16)
        #expect(
            try block.withUnsafeBytes { Sealing.seal($0, key: key, bindingTo: []) }
                == unhex("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"))
    }
}
