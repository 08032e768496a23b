import Amounts
import Curves
import DisplayText
import Encoding
import Foundation
import Logging
import RedactedLogging
import Redaction
import Secrets
import SecureStorage
import Testing

@Suite("Documentation: secrets, encodings, curves, amounts, text and vaults")
struct DocumentedSecretsTests {
    @Test("a secret is made, sealed and opened")
    func secrets() throws {
        // snippet
        var typed = Array("correct horse battery staple".utf8)
        let passphrase = SecretBytes(moving: &typed)

        let random = SystemRandom()
        let salt = random.publicBytes(count: Argon2id.saltSize)
        let key = try Argon2id.derive(count: 32, from: passphrase, salt: salt, memoryKiB: 65_536, passes: 3)

        let nonce = random.publicBytes(count: XChaCha20Poly1305.nonceSize)
        let sealed = XChaCha20Poly1305.seal([1, 2, 3], key: key, nonce: nonce, associatedData: [])
        let opened = XChaCha20Poly1305.open(sealed, key: key, nonce: nonce, associatedData: [])
        // end
        #expect(opened == [1, 2, 3])
        #expect(typed.allSatisfy { $0 == 0 })
    }

    @Test("a log is redacted")
    func redaction() throws {
        var bytes = Array("an API secret of 24 bytes".utf8)
        let apiSecret = SecretBytes(moving: &bytes)
        let error = "the answer to an API secret of 24 bytes"
        let key = SecretBytes(count: 32, from: SystemRandom())
        // snippet
        let secrets = LiveSecrets()
        let registered = try secrets.register(apiSecret)
        let line = Redactor(secrets).redacted("request failed: \(error)")
        // end
        // snippet
        let names = Pseudonyms(key: key)
        let account = names.name(of: "ada@example.com", kind: "account")
        // end
        #expect(line == "request failed: the answer to [redacted: secret]")
        #expect(account.hasPrefix("account-"))
        _ = consume registered
    }

    @Test("a log handler is wrapped")
    func logging() throws {
        let secrets = LiveSecrets()
        let key = SecretBytes(count: 32, from: SystemRandom())
        let account = "ada"
        // snippet
        let logger = Logger(label: "app") { label in
            RedactedLogHandler(
                StreamLogHandler.standardError(label: label), redactor: Redactor(secrets), names: Pseudonyms(key: key))
        }
        logger.info("signed in", metadata: ["account": .identifier(account), "method": .shown("passkey")])
        // end
        #expect(logger.logLevel == .info)
    }

    @Test("untrusted bytes are read to the last one")
    func reader() throws {
        // snippet
        func height(in message: [UInt8]) throws(EncodingError) -> UInt32 {
            var reader = try ByteReader(message, limit: 64)
            guard try reader.uint8() == 1 else { throw .unsupported }
            let height = try reader.bigEndian(UInt32.self)
            try reader.finish()
            return height
        }
        // end
        #expect(try height(in: Hex.decode("01000d0a00")) == 854_528)
        #expect(throws: EncodingError.leftOver(count: 1)) { try height(in: [1, 0, 0, 0, 0, 0]) }
    }

    @Test("a message is signed with one key")
    func signing() throws {
        // snippet
        let random = SystemRandom()
        let key = SecretScalar<Secp256k1>(from: random)
        let publicKey = key.timesGenerator().xOnly

        let message = SHA256.hash(Array("a message".utf8))
        let signature = try BIP340.sign(
            message: message, key: key, auxiliary: random.publicBytes(count: 32))
        let isValid = BIP340.isValid(signature: signature, message: message, publicKey: publicKey)
        // end
        #expect(isValid)
    }

    @Test("an amount is parsed and printed")
    func amounts() throws {
        // snippet
        let price = try Wei("1.5eth")
        let fee = try Wei("0.000021eth")
        let total = try price.adding(fee)
        let text = DecimalText.short(total.value, .ether)
        // end
        #expect(text == "1.500021")
    }

    @Test("foreign text is shown")
    func text() {
        // snippet
        let name = SanitizedText("USDC\u{202E}fake", limit: 64, lines: .one)
        if name.oddities.contains(.direction) {
            print("This name changes the direction of the text: \(name)")
        }
        // end
        #expect(name.oddities.contains(.direction) && !name.text.contains("\u{202E}"))
    }

    @Test("a token is kept in a vault")
    func vault() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("vault-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("tokens.vault").path
        let passphrase = SecretBytes(copying: Array("a passphrase".utf8))
        let token = SecretBytes(copying: Array("a token".utf8))
        // snippet
        let vault = try VaultFile.create(
            at: path, passphrase: passphrase, freshness: .unchecked, random: SystemRandom())
        try await vault.save(token, as: .accessToken(issuer: "https://login.example.org"))
        await vault.close()

        let again = try VaultFile.open(
            at: path, passphrase: passphrase, freshness: .unchecked, random: SystemRandom())
        let loaded = try await again.load(.accessToken(issuer: "https://login.example.org"))
        // end
        await again.close()
        let isToken = if let loaded { loaded.matches(token) } else { false }
        #expect(isToken)
    }
}

extension SecretBytes {
    init(copying bytes: [UInt8]) {
        var bytes = bytes
        self.init(moving: &bytes)
    }
}
