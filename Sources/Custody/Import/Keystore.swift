public import Curves
public import Encoding
public import Ethereum
public import Secrets
internal import Wallet

/// A private key under a passphrase, as other software of Ethereum writes it (Web3 Secret Storage, version 3).
///
/// Only read: what is imported is dealt into shares, or swept, and the file is not made anew.
public struct Keystore: Sendable {
    /// What is wrong with a file or a passphrase. Nothing of either is in it but the names of fields.
    public enum Fault: Error, Equatable, Sendable {
        /// Not JSON, or more of it than ``Limits/keystoreSize``.
        case notJSON(EncodingError)
        /// Not version 3.
        case unknownVersion
        /// A field is missing, or is not of the kind or size that the format prescribes.
        case badField(Field)
        /// Another cipher than AES-128-CTR.
        case unknownCipher
        /// Another derivation than scrypt and PBKDF2 with HMAC-SHA-256.
        case unknownDerivation
        /// The derivation would take more memory or time than any honest file asks for, or its numbers are none.
        case costOutOfBounds
        /// The system had not enough memory for the derivation.
        case outOfMemory
        /// The passphrase is not the file's; or the file was damaged, which cannot be told apart.
        case wrongPassphrase
        /// What the passphrase opens is no private key.
        case badKey
        /// What the passphrase opens is the key of another address than the file names.
        case otherAddress
    }

    /// The fields that are read. All others are left alone.
    public enum Field: String, Sendable {
        /// A field, by its name in the file.
        case address, crypto, cipher, cipherparams, ciphertext, iv, kdf, kdfparams, mac, dklen, salt, n, r, p, c, prf
    }

    private let derivation: Derivation
    private let counter: [UInt8]
    private let ciphertext: [UInt8]
    private let code: [UInt8]
    /// Whose key it is, if the file says so: some software leaves it out, so that the file tells nothing.
    public let address: EthereumAddress?

    private enum Derivation: Sendable {
        case scrypt(salt: [UInt8], cost: Scrypt.Cost)
        case pbkdf2(salt: [UInt8], rounds: UInt32)
    }

    private static let derivedSize = 32
    private static let keySize = 32

    /// Reads a file, and checks all of it that can be checked without the passphrase.
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

    /// The private key.
    ///
    /// Takes as long as the file says, which may be seconds, and as much memory.
    ///
    /// - Parameter passphrase: in the bytes in which it was given to the other software, which mostly is UTF-8.
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
        // The code covers the ciphertext and not the counter: another counter opens another key, and only this shows it.
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
        // Without `0x` in most software, and in any case of letters.
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
