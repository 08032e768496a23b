internal import Crypto
public import Secrets

/// Signing keys whose private parts stay in a chip: the Secure Enclave or a TPM. ``SoftwareKeys`` is the stated
/// substitute, and its ``backend`` says so.
///
/// The keys are on P-256 and sign by ECDSA with SHA-256, as DPoP proofs (ES256) and passkeys need. Every call ends within
/// a time limit of the conformer's, and none uses another backend in place of its own.
public protocol HardwareKeys: Sendable {
    /// The place of the private keys.
    nonisolated var backend: StoreBackend { get }

    /// Returns the reason why keys cannot be made or used now; nil if they can.
    func unavailability() async -> BackendFault?

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - name: the name of the new key.
    ///   - protection: the condition of its use. A conformer that cannot apply it throws ``BackendFault/unsupported``.
    ///   - authorization: the new key's PIN, for ``KeyProtection/pin``.
    /// - Throws: ``SecureStorageError/alreadyExists`` if the name is taken; ``SecureStorageError/backend(_:_:)``.
    func generate(
        _ name: KeyName, protection: KeyProtection, authorization: borrowing KeyAuthorization
    ) async throws(SecureStorageError) -> HardwarePublicKey

    /// Returns the public key; nil if the name is free.
    func publicKey(of name: KeyName) async throws(SecureStorageError) -> HardwarePublicKey?

    /// Signs a message with ECDSA over its SHA-256 digest.
    ///
    /// - Returns: 64 bytes, `r` and `s`, each most significant byte first (RFC 7518, section 3.4).
    /// - Throws: ``SecureStorageError/notFound`` without such a key; ``SecureStorageError/backend(_:_:)``.
    func sign(
        _ message: [UInt8], with name: KeyName, authorization: borrowing KeyAuthorization
    ) async throws(SecureStorageError) -> [UInt8]

    /// Deletes a key. - Returns: whether there was one.
    @discardableResult
    func delete(_ name: KeyName) async throws(SecureStorageError) -> Bool

    /// Returns the chip's statement that it made the key and keeps it, over a challenge of the verifier's.
    ///
    /// - Parameter challenge: 16...64 bytes.
    /// - Throws: ``BackendFault/unsupported`` if the place of the key makes no such statements.
    func attest(_ name: KeyName, challenge: [UInt8]) async throws(SecureStorageError) -> KeyAttestation
}

/// The name of a hardware key: 1...64 characters of `a`-`z`, `0`-`9` and `-`. It is also the name of a file.
public struct KeyName: Hashable, Sendable, CustomStringConvertible {
    /// The characters.
    public let description: String

    /// Checks a name. - Throws: ``SecureStorageError/outsideLimits(_:)``.
    public init(_ text: String) throws(SecureStorageError) {
        guard (1...Limits.keyName).contains(text.utf8.count), text.utf8.first != 0x2d,
            text.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d })
        else { throw .outsideLimits(.name) }
        description = text
    }
}

/// The condition of a key's use.
public enum KeyProtection: Equatable, Sendable {
    /// The program alone can use the key.
    case none
    /// Each use needs a PIN, whose wrong attempts the chip counts.
    case pin
    /// The system asks the user at each use, as the policy says.
    case access(AccessControlPolicy)
}

/// The authorization of one use of a key.
public enum KeyAuthorization: ~Copyable, Sendable {
    /// The key needs none.
    case none
    /// The PIN: 4...64 bytes.
    case pin(SecretBytes)
    /// The system may ask the user, with this reason on its prompt.
    case prompt(reason: String)

    /// The reason of a prompt; nil for other authorizations. Swift 6.3.1 crashes if another function takes it out of a borrowed
    /// value, since it then copies the whole: so this one is not inlined either.
    @inline(never)
    package var reason: String? {
        switch self {
        case .prompt(let reason): reason
        case .none: nil
        case .pin: nil
        }
    }
}

/// The public part of a hardware key, and where the private part is.
public struct HardwarePublicKey: Equatable, Sendable {
    /// The place of the private part. ``StoreBackend/software`` is not a chip.
    public let backend: StoreBackend
    /// The point on P-256: 65 bytes, 4, x and y (SEC 1, section 2.3.3).
    public let x963: [UInt8]
    /// The condition of the key's use.
    public let protection: KeyProtection

    /// Creates the value. The bytes are not checked.
    package init(backend: StoreBackend, x963: [UInt8], protection: KeyProtection) {
        self.backend = backend
        self.x963 = x963
        self.protection = protection
    }

    /// Returns whether a signature of 64 bytes, `r` and `s`, is the key's over the SHA-256 digest of the message.
    package func isValidSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = try? P256.Signing.PublicKey(x963Representation: x963),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
        else { return false }
        return key.isValidSignature(signature, for: message)
    }
}

/// A chip's statement about a key. Each format has its own verifier.
public enum KeyAttestation: Equatable, Sendable {
    /// A TPM's `TPM2_Certify`: `TPMS_ATTEST`, the signature over it (`TPMT_SIGNATURE`), and the public areas of the
    /// attesting and of the attested key (`TPMT_PUBLIC`), as the TPM writes them (TPM 2.0, part 2).
    case tpm(statement: [UInt8], signature: [UInt8], attestingKey: [UInt8], key: [UInt8])
    /// An App Attest object in CBOR, from Apple's server.
    case appAttest(object: [UInt8], keyID: String)
}
