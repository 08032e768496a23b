public import SecureStorage

/// Signing keys in the Secure Enclave. Each is a file that only this device's Enclave can use, so that no keychain and
/// no entitlement is needed.
///
/// The keys have no PINs, and the Enclave makes no statements about them: App Attest does that, with keys of its own
/// (``AppAttest``).
public struct EnclaveKeys: HardwareKeys {
    /// The place of the private keys: the Secure Enclave.
    public let backend = StoreBackend.secureEnclave
    private let chip: any EnclaveSigning
    private let folder: EnclaveKeyFolder
    private let accessibility: Accessibility
    private let calls: BoundedCalls
    private let prompts: BoundedCalls

    /// Creates keys over a chip.
    ///
    /// - Parameters:
    ///   - path: the folder of the keys' files. It is made with the first key.
    ///   - accessibility: the state of the device in which new keys can be used.
    ///   - limit: the time of one call without a prompt.
    ///   - promptLimit: the time of one call with the user's answer.
    package init(
        over chip: any EnclaveSigning, in path: String, accessibility: Accessibility,
        limit: Duration = Limits.backendCall, promptLimit: Duration = Limits.prompt
    ) {
        self.chip = chip
        self.accessibility = accessibility
        folder = EnclaveKeyFolder(at: path)
        calls = BoundedCalls(to: .secureEnclave, limit: limit)
        prompts = BoundedCalls(to: .secureEnclave, limit: promptLimit)
    }

    /// Returns the reason why keys cannot be made or used now; nil if they can.
    public func unavailability() async -> BackendFault? {
        let chip = chip
        do throws(SecureStorageError) {
            return try await calls.run { () throws(SecureStorageError) in chip.unavailability() }
        } catch { return error.unavailability }
    }

    /// Makes a key, without a condition or with an access policy. A PIN is `BackendFault.unsupported`.
    public func generate(
        _ name: KeyName, protection: KeyProtection, authorization: borrowing KeyAuthorization
    ) async throws(SecureStorageError) -> HardwarePublicKey {
        let policy: AccessControlPolicy
        switch protection {
        case .none: policy = .none
        case .access(let stated): policy = stated
        case .pin: throw .backend(backend, .unsupported)
        }
        _ = try Self.reason(of: authorization)
        let access = try EnclaveAccess(policy, accessibility)
        let (chip, folder) = (chip, folder)
        let key = try await calls.run { () throws(SecureStorageError) in
            if folder.contains(name) { throw .alreadyExists }
            if let fault = chip.unavailability() { throw .backend(.secureEnclave, fault) }
            let key = try chip.generate(access)
            try folder.add(EnclaveKeyFile(key: key, access: access), as: name)
            return key
        }
        return HardwarePublicKey(backend: backend, x963: key.publicKey, protection: protection)
    }

    /// Returns the public key; nil if the name is free.
    public func publicKey(of name: KeyName) async throws(SecureStorageError) -> HardwarePublicKey? {
        let (chip, folder) = (chip, folder)
        let file = try await calls.run { () throws(SecureStorageError) in try Self.key(name, in: folder, chip) }
        return file?.publicKey
    }

    /// Signs a message with ECDSA over its SHA-256 digest: 64 bytes, `r` and `s`.
    public func sign(
        _ message: [UInt8], with name: KeyName, authorization: borrowing KeyAuthorization
    ) async throws(SecureStorageError) -> [UInt8] {
        let reason = try Self.reason(of: authorization)
        let (chip, folder) = (chip, folder)
        return try await (reason == nil ? calls : prompts).run { () throws(SecureStorageError) in
            guard let file = try Self.key(name, in: folder, chip) else { throw .notFound }
            let signature = try chip.sign(message, withKeyIn: file.key.blob, asking: reason)
            // The chip's answer is checked here, where the error can name the chip. A verifier could not.
            guard file.publicKey.isValidSignature(signature, of: message) else {
                throw .backend(.secureEnclave, .malformedAnswer)
            }
            return signature
        }
    }

    /// Deletes a key. - Returns: whether there was one.
    @discardableResult
    public func delete(_ name: KeyName) async throws(SecureStorageError) -> Bool {
        let folder = folder
        return try await calls.run { () throws(SecureStorageError) in try folder.remove(name) }
    }

    /// Throws `BackendFault.unsupported`: the Enclave makes no statement about these keys.
    public func attest(_ name: KeyName, challenge: [UInt8]) async throws(SecureStorageError) -> KeyAttestation {
        throw .backend(backend, .unsupported)
    }

    /// Returns the text for the system's prompt; nil if it may not ask.
    ///
    /// - Throws: `BackendFault.unsupported` for a PIN.
    private static func reason(of authorization: borrowing KeyAuthorization) throws(SecureStorageError) -> String? {
        switch authorization {
        case .none: return nil
        case .prompt: return authorization.reason
        case .pin: throw .backend(.secureEnclave, .unsupported)
        }
    }

    /// Reads a key, and checks its public part with the chip: anybody who can write the file can write another one
    /// there.
    private static func key(
        _ name: KeyName, in folder: EnclaveKeyFolder, _ chip: any EnclaveSigning
    ) throws(SecureStorageError) -> EnclaveKeyFile? {
        guard let file = try folder.key(name) else { return nil }
        if let fault = chip.unavailability() { throw .backend(.secureEnclave, fault) }
        guard try chip.publicKey(ofKeyIn: file.key.blob) == file.key.publicKey else { throw .tampered(.header) }
        return file
    }
}

extension EnclaveKeyFile {
    fileprivate var publicKey: HardwarePublicKey {
        HardwarePublicKey(
            backend: .secureEnclave, x963: key.publicKey,
            protection: access.policy == .none ? .none : .access(access.policy))
    }
}
