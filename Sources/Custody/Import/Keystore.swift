public import Curves
public import Encoding
public import Ethereum
public import Secrets

/// A private key under a passphrase, as other Ethereum software writes it (Web3 Secret Storage, version 3).
///
/// The file is only read: the key is swept, and no keystore is written.
public struct Keystore: Sendable {
    /// An error in a file or a passphrase. It contains nothing of either except the names of fields.
    public enum Fault: Error, Equatable, Sendable {
        /// The file is not JSON, or is larger than `Limits.keystoreSize`.
        case notJSON(EncodingError)
        /// The file does not have version 3.
        case unknownVersion
        /// A field is missing, or does not have the required kind or size.
        case badField(Field)
        /// The cipher is not AES-128-CTR.
        case unknownCipher
        /// The derivation is neither scrypt nor PBKDF2 with HMAC-SHA-256.
        case unknownDerivation
        /// The derivation would take more memory or time than any honest file needs, or its numbers are invalid.
        case costOutOfBounds
        /// The system did not have enough memory for the derivation.
        case outOfMemory
        /// The passphrase is wrong, or the file was damaged; the two cases cannot be distinguished.
        case wrongPassphrase
        /// The decrypted content is not a private key.
        case badKey
        /// The decrypted key is that of another address than the file names.
        case otherAddress
    }

    /// The fields that are read. All others are ignored.
    public enum Field: String, Sendable {
        /// A field, by its name in the file.
        case address, crypto, cipher, cipherparams, ciphertext, iv, kdf, kdfparams, mac, dklen, salt, n, r, p, c, prf
    }

    private let derivation: Derivation
    private let counter: [UInt8]
    private let ciphertext: [UInt8]
    private let code: [UInt8]
    /// The address of the key; nil if the file does not name it, as some software omits it.
    public let address: EthereumAddress?

    private enum Derivation: Sendable {
        case scrypt(salt: [UInt8], cost: Scrypt.Cost)
        case pbkdf2(salt: [UInt8], rounds: UInt32)
    }

    private static let derivedSize = 32
    private static let keySize = 32

    /// Reads a file, and checks everything that needs no passphrase.
    ///
    /// - Throws: ``Fault``, all but the last four.
    public init(decoding bytes: [UInt8]) throws(Fault) {
        let file: JSON
        do { file = try JSON(decoding: bytes, limit: Limits.keystoreSize, depth: Limits.keystoreDepth) } catch {
            throw .notJSON(error)
        }
        guard file["version"]?.number?.integer(as: Int.self) == 3 else { throw .unknownVersion }
        // Some older software wrote it with a capital letter.
        guard let crypto = (file["crypto"] ?? file["Crypto"])?.object, file["crypto"] == nil || file["Crypto"] == nil
        else {
            throw .badField(.crypto)
        }
        guard try Self.text(.cipher, in: crypto) == "aes-128-ctr" else { throw .unknownCipher }
        counter = try Self.bytes(.iv, of: 16...16, in: try Self.object(.cipherparams, in: crypto))
        ciphertext = try Self.bytes(.ciphertext, of: Self.keySize...Self.keySize, in: crypto)
        code = try Self.bytes(.mac, of: Keccak256.size...Keccak256.size, in: crypto)
        address = try Self.address(in: file)
        derivation = try Self.derivation(try Self.text(.kdf, in: crypto), try Self.object(.kdfparams, in: crypto))
    }

    /// Returns the private key.
    ///
    /// The derivation takes as long as the file says, which may be seconds, and as much memory.
    ///
    /// - Parameter passphrase: the bytes that the other software was given, usually UTF-8.
    /// - Throws: ``Fault/outOfMemory``, ``Fault/wrongPassphrase``, ``Fault/badKey`` or ``Fault/otherAddress``.
    public func privateKey(passphrase: borrowing SecretBytes) throws(Fault) -> SecretScalar<Secp256k1> {
        let derived = try derive(from: passphrase)
        var hasher = Keccak256()
        hasher.update(derived.suffix(16))
        hasher.update(ciphertext)
        guard constantTimeEquals(hasher.finalize(), code) else { throw .wrongPassphrase }
        let key = AESCounterMode.apply(to: ciphertext, key: derived.prefix(16), counter: counter)
        let scalar: SecretScalar<Secp256k1>
        do { scalar = try SecretScalar(canonical: key) } catch { throw .badKey }
        guard !scalar.isZero else { throw .badKey }
        // The code covers the ciphertext and not the counter: only this check detects a changed counter, which gives
        // another key.
        if let address, address != EthereumAddress(publicKey: scalar.timesGenerator()) { throw .otherAddress }
        return scalar
    }

    private func derive(from passphrase: borrowing SecretBytes) throws(Fault) -> SecretBytes {
        switch derivation {
        case .pbkdf2(let salt, let rounds):
            return PBKDF2.derive(
                count: Self.derivedSize, from: passphrase,
                salt: SecretBytes(count: salt.count) { $0.copyBytes(from: salt) },
                rounds: rounds, by: .hmacSHA256)
        case .scrypt(let salt, let cost):
            do {
                return try Scrypt.derive(count: Self.derivedSize, from: passphrase, salt: salt, cost: cost)
            } catch { throw .outOfMemory }
        }
    }
}

// MARK: - Fields

extension Keystore {
    private static func derivation(_ name: String, _ parameters: JSON.Object) throws(Fault) -> Derivation {
        guard name == "scrypt" || name == "pbkdf2" else { throw .unknownDerivation }
        guard try integer(.dklen, in: parameters) == UInt64(derivedSize) else { throw .badField(.dklen) }
        let salt = try bytes(.salt, of: 0...Limits.keystoreSaltSize, in: parameters)
        if name == "pbkdf2" {
            guard try text(.prf, in: parameters) == "hmac-sha256" else { throw .unknownDerivation }
            let rounds = try integer(.c, in: parameters)
            guard Limits.keystoreRounds.contains(rounds) else { throw .costOutOfBounds }
            return .pbkdf2(salt: salt, rounds: UInt32(rounds))
        }
        let n = try integer(.n, in: parameters)
        let (r, p) = (try integer(.r, in: parameters), try integer(.p, in: parameters))
        guard let r = UInt32(exactly: r), let p = UInt32(exactly: p), let cost = try? Scrypt.Cost(n: n, r: r, p: p)
        else {
            throw .costOutOfBounds
        }
        return .scrypt(salt: salt, cost: cost)
    }

    private static func address(in file: JSON) throws(Fault) -> EthereumAddress? {
        guard let value = file["address"] else { return nil }
        // Most software omits `0x`, and any case of letters is used.
        guard let text = value.string,
            let bytes = try? Hex.decode(String(text.dropFirst(text.hasPrefix("0x") ? 2 : 0))),
            let address = try? EthereumAddress(bytes: bytes)
        else { throw .badField(.address) }
        return address
    }

    private static func object(_ field: Field, in object: JSON.Object) throws(Fault) -> JSON.Object {
        guard let value = object[field.rawValue]?.object else { throw .badField(field) }
        return value
    }

    private static func text(_ field: Field, in object: JSON.Object) throws(Fault) -> String {
        guard let value = object[field.rawValue]?.string else { throw .badField(field) }
        return value
    }

    private static func integer(_ field: Field, in object: JSON.Object) throws(Fault) -> UInt64 {
        guard let value = object[field.rawValue]?.number?.integer(as: UInt64.self) else { throw .badField(field) }
        return value
    }

    private static func bytes(
        _ field: Field, of sizes: ClosedRange<Int>, in object: JSON.Object
    ) throws(Fault) -> [UInt8] {
        guard let bytes = try? Hex.decode(try text(field, in: object)), sizes.contains(bytes.count) else {
            throw .badField(field)
        }
        return bytes
    }
}
