internal import Crypto
public import Secrets
public import SecureStorage

/// A sealer whose key is in the Secure Enclave. It needs no keychain and no entitlement: the key is part of the sealed
/// bytes, encrypted by the Enclave, which alone can use it. The command on macOS seals with it.
///
/// Each secret gets a key of its own in the Enclave and one of this process, which is dropped at once. Their shared
/// secret and the authorization together give the key of AES-256-GCM. A wrong authorization and changed bytes are
/// different errors, because a second key, from the shared secret alone, authenticates the bytes.
///
/// - Warning: The Enclave does not count wrong authorizations. A program that runs on the device can try some hundred in a
///   second: use a passphrase, or an access policy by which the system asks the
///   user.
public struct EnclaveSealer: DeviceSealer {
    /// The kind of the chip: the Secure Enclave.
    public let backend = StoreBackend.secureEnclave
    private let agreement: any EnclaveKeyAgreement
    private let random: any RandomSource
    private let calls: BoundedCalls

    /// Creates a sealer over a chip.
    ///
    /// - Parameter limit: the time of one call, with the user's answer to a prompt.
    package init(over agreement: any EnclaveKeyAgreement, random: any RandomSource, limit: Duration) {
        self.agreement = agreement
        self.random = random
        calls = BoundedCalls(to: .secureEnclave, limit: limit)
    }

    /// Returns the reason why the Enclave cannot be used now; nil if it can.
    public func unavailability() -> BackendFault? {
        let agreement = agreement
        do throws(SecureStorageError) {
            return try calls.runBlocking { () throws(SecureStorageError) in agreement.unavailability() }
        } catch { return error.unavailability }
    }

    /// Seals a secret of 32 bytes, with an authorization of 32 bytes. It shows no prompt.
    public func seal(
        _ secret: borrowing SecretBytes, authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> [UInt8] {
        Self.checkSizes(secret, authorization)
        let agreement = agreement
        let key = try calls.runBlocking { () throws(SecureStorageError) in
            if let fault = agreement.unavailability() { throw .backend(.secureEnclave, fault) }
            return try agreement.generate()
        }
        let ephemeral = ephemeralKey()
        guard let enclave = try? P256.KeyAgreement.PublicKey(x963Representation: key.publicKey),
            let shared = try? ephemeral.sharedSecretFromKeyAgreement(with: enclave)
        else { throw .backend(.secureEnclave, .malformedAnswer) }
        let header = EnclaveSealedSecret.header(key, [UInt8](ephemeral.publicKey.x963Representation))
        // The x coordinate of a point on P-256 has 32 bytes.
        let sharedSecret = SecretBytes(count: 32) { memory in shared.withUnsafeBytes { memory.copyMemory(from: $0) } }
        let keys = EnclaveSealingKeys(sharedSecret, authorization, header: header)
        return header + keys.check(of: header)
            + secret.withUnsafeBytes { Sealing.seal($0, key: keys.sealing, bindingTo: header) }
    }

    /// Opens a sealed secret.
    public func open(
        _ sealed: [UInt8], authorizedBy authorization: borrowing SecretBytes
    ) throws(SecureStorageError) -> SecretBytes {
        let sealed = try EnclaveSealedSecret(decoding: sealed)
        let agreement = agreement
        let shared = try calls.runBlocking { () throws(SecureStorageError) in
            if let fault = agreement.unavailability() { throw .backend(.secureEnclave, fault) }
            return try agreement.sharedSecret(ofKeyIn: sealed.key.blob, with: sealed.ephemeralKey)
        }
        guard shared.count == 32 else { throw .backend(.secureEnclave, .malformedAnswer) }
        let header = sealed.header
        let keys = EnclaveSealingKeys(shared, authorization, header: header)
        // First what does not depend on the authorization: a wrong PIN must not look like damage, nor damage like a
        // wrong PIN.
        guard constantTimeEquals(keys.check(of: header), sealed.check) else { throw .tampered(.header) }
        guard let secret = Sealing.open(sealed.ciphertext, key: keys.sealing, bindingTo: header) else {
            throw .backend(.secureEnclave, .authenticationFailed(attemptsLeft: nil))
        }
        return secret
    }

    private static func checkSizes(_ secret: borrowing SecretBytes, _ authorization: borrowing SecretBytes) {
        precondition(secret.count == EnclaveSealedSecret.secretSize, "a device seals a key of 32 bytes")
        precondition(authorization.count == 32, "an authorization is a derived key of 32 bytes")
    }

    /// Makes a key of P-256 with the given randomness. One number in 2^32 is not a private key.
    private func ephemeralKey() -> P256.KeyAgreement.PrivateKey {
        while true {
            let scalar = SecretBytes(count: 32, from: random)
            if let key = scalar.withUnsafeBytes({ try? P256.KeyAgreement.PrivateKey(rawRepresentation: $0) }) {
                return key
            }
        }
    }
}

/// The keys of one sealed secret: HKDF-SHA256 (RFC 5869) of the shared secret, alone and with the authorization. The
/// header, which has both public keys, is in the derivation: a key agreement alone does not say whose keys agreed.
private struct EnclaveSealingKeys {
    let sealing: SymmetricKey
    private let checking: SymmetricKey

    init(_ shared: borrowing SecretBytes, _ authorization: borrowing SecretBytes, header: [UInt8]) {
        let salt = Sealing.digest(of: header)
        // Both parts have 32 bytes, so that no two pairs give the same input.
        let both = SecretBytes(count: shared.count + authorization.count) { memory in
            shared.withUnsafeBytes { memory.copyMemory(from: $0) }
            authorization.withUnsafeBytes { part in
                UnsafeMutableRawBufferPointer(rebasing: memory[(memory.count - part.count)...]).copyMemory(from: part)
            }
        }
        sealing = Sealing.key(from: both, salt: salt, purpose: [UInt8]("Fueki Secure Enclave, secret, 1".utf8))
        checking = Sealing.key(from: shared, salt: salt, purpose: [UInt8]("Fueki Secure Enclave, header, 1".utf8))
    }

    func check(of header: [UInt8]) -> [UInt8] { Sealing.authenticationCode(of: header, key: checking) }
}
