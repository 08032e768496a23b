internal import Encoding
public import Secrets
internal import SecureStorage
public import Time

/// A credential of an exchange: the key, the secret, and the key's passphrase if the user has set one.
public struct ExchangeCredential: ~Copyable, Sendable {
    /// The API key.
    public let key: APIKey
    /// The secret that signs.
    public let secret: SigningSecret
    /// The passphrase of the key: the password that Kraken's users can set as a key's second factor. It is sent as
    /// `otp`.
    let passphrase: SecretBytes?
    /// The time at which it was stored.
    public let created: Timestamp

    /// Creates a credential.
    ///
    /// - Throws: ``CredentialError/invalid(_:_:)`` if the secret is another exchange's, or the passphrase is empty, too
    ///   long or not printable ASCII.
    public init(
        key: APIKey, secret: consuming SigningSecret, passphrase: consuming SecretBytes?, created: Timestamp
    ) throws(CredentialError) {
        guard secret.method.venue == key.venue else { throw .invalid(.secret, .otherVenue(secret.method.venue)) }
        if let given = passphrase.take() {
            guard given.count > 0 else { throw .invalid(.passphrase, .empty) }
            guard given.count <= CredentialLimits.passphraseBytes else {
                throw .invalid(.passphrase, .tooLong(most: CredentialLimits.passphraseBytes))
            }
            let offset = given.withUnsafeBytes { bytes in bytes.firstIndex { !(0x21...0x7E).contains($0) } }
            if let offset { throw .invalid(.passphrase, .character(offset: offset)) }
            self.passphrase = consume given
        } else {
            self.passphrase = nil
        }
        self.key = key
        self.secret = secret
        self.created = created
    }

    /// The text `<redacted credential>`: a credential never prints its contents.
    public var description: String { "<redacted credential>" }

    // MARK: The stored form

    private static let version: UInt8 = 1

    /// The stored form: version, method, time (8 bytes), the key after its size, the secret after its size, the
    /// passphrase after its size (2 bytes; 0 for none).
    var encoded: SecretBytes {
        let key = [UInt8](key.text.utf8)
        let passphraseSize = passphraseSize
        let size = 1 + 1 + 8 + 1 + key.count + 1 + secret.bytes.count + 2 + passphraseSize
        var head = ByteWriter()
        head.append(Self.version)
        head.append(secret.method.rawValue)
        head.timestamp(created)
        head.append(UInt8(key.count))
        head.append(key)
        head.append(UInt8(secret.bytes.count))
        let start = head.bytes
        return SecretBytes(count: size) { memory in
            memory.copyBytes(from: start)
            var offset = start.count
            secret.bytes.withUnsafeBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: bytes)
                offset += bytes.count
            }
            memory[offset] = UInt8(passphraseSize >> 8)
            memory[offset + 1] = UInt8(passphraseSize & 0xFF)
            offset += 2
            withPassphrase { bytes in
                UnsafeMutableRawBufferPointer(rebasing: memory[offset...]).copyMemory(from: bytes)
            }
        }
    }

    private var passphraseSize: Int {
        switch passphrase {
        case .some(let passphrase): passphrase.count
        case .none: 0
        }
    }

    /// Calls `body` with the passphrase, if there is one.
    package borrowing func withPassphrase(_ body: (UnsafeRawBufferPointer) -> Void) {
        switch passphrase {
        case .some(let passphrase): passphrase.withUnsafeBytes { body($0) }
        case .none: break
        }
    }

    /// Decodes the stored form.
    ///
    /// - Throws: ``CredentialError/store(_:)`` with `wrongKind` if the bytes are not of this form.
    init(decoding encoded: borrowing SecretBytes) throws(CredentialError) {
        struct Layout {
            let method: SigningSecret.Method
            let created: Timestamp
            let key: String
            let secret: Range<Int>
            let passphrase: Range<Int>
        }
        let layout = encoded.withUnsafeBytes { bytes -> Layout? in
            var position = 0
            func take(_ count: Int) -> Range<Int>? {
                guard count <= bytes.count - position else { return nil }
                defer { position += count }
                return position..<(position + count)
            }
            guard let head = take(11), bytes[head.lowerBound] == Self.version,
                let method = SigningSecret.Method(rawValue: bytes[1])
            else { return nil }
            let time = bytes[2..<10].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard let created = Int64(exactly: time), created <= Timestamp.limit else { return nil }
            guard let key = take(Int(bytes[10])), let secretSize = take(1),
                let secret = take(Int(bytes[secretSize.lowerBound])), let size = take(2)
            else { return nil }
            let passphraseSize = Int(bytes[size.lowerBound]) << 8 | Int(bytes[size.lowerBound + 1])
            guard let passphrase = take(passphraseSize), position == bytes.count else { return nil }
            return Layout(
                method: method, created: Timestamp(milliseconds: created),
                key: String(decoding: bytes[key], as: UTF8.self), secret: secret, passphrase: passphrase)
        }
        guard let layout, let key = try? APIKey(layout.key, of: layout.method.venue),
            let secret = SigningSecret(
                layout.method, stored: encoded.part(layout.secret.lowerBound, layout.secret.count))
        else { throw .store(.wrongKind) }
        let passphrase =
            layout.passphrase.isEmpty
            ? nil : Optional(encoded.part(layout.passphrase.lowerBound, layout.passphrase.count))
        do throws(CredentialError) {
            try self.init(key: key, secret: secret, passphrase: passphrase, created: layout.created)
        } catch { throw .store(.wrongKind) }
    }
}
