internal import Crypto
public import Secrets

/// Signing keys without a chip: their private parts are items of a store. The substitute for machines without one:
/// a caller names it, and nothing else chooses it.
///
/// ``backend`` is ``StoreBackend/software``, also in each public key, so that no caller takes one for a key of a chip.
/// The keys are as safe as the store: a program that can read the store can copy them. A PIN would not change that,
/// because nothing would count wrong ones, so ``KeyProtection/pin`` is unsupported, as is
/// ``KeyProtection/access(_:)``; and there is nothing to attest.
///
/// - Note: Two programs that make a key of one name at the same moment both get one, and the later one is kept: a store
///   has no operation that makes an item only if it is missing.
public struct SoftwareKeys: HardwareKeys {
    private static let service = "fueki.software-key"
    /// The size of a private key on P-256.
    private static let keySize = 32

    public var backend: StoreBackend { .software }
    private let store: any SecretStore
    private let random: any RandomSource

    /// Creates the keys of a store.
    ///
    /// - Parameter random: the source of the private keys.
    public init(in store: any SecretStore, random: some RandomSource) {
        self.store = store
        self.random = random
    }

    public func unavailability() async -> BackendFault? { nil }

    public func generate(
        _ name: KeyName, protection: KeyProtection, authorization: borrowing KeyAuthorization
    ) async throws(SecureStorageError) -> HardwarePublicKey {
        guard protection == .none else { throw .backend(backend, .unsupported) }
        try check(authorization)
        guard try await store.attributes(of: try item(name)) == nil else { throw .alreadyExists }
        // A number is outside the range of private keys with a probability of 2^-32. A source that gives several such numbers
        // has failed.
        for _ in 0..<4 {
            let secret = SecretBytes(count: Self.keySize, from: random)
            guard let key = secret.withUnsafeBytes({ try? P256.Signing.PrivateKey(rawRepresentation: $0) }) else {
                continue
            }
            try await store.save(secret, as: try item(name), attributes: .critical(.credential))
            return publicKey(of: key)
        }
        throw .backend(backend, .malformedAnswer)
    }

    public func publicKey(of name: KeyName) async throws(SecureStorageError) -> HardwarePublicKey? {
        do throws(SecureStorageError) { return publicKey(of: try await key(name)) } catch .notFound { return nil }
    }

    public func sign(
        _ message: [UInt8], with name: KeyName, authorization: borrowing KeyAuthorization
    ) async throws(SecureStorageError) -> [UInt8] {
        try check(authorization)
        let key = try await key(name)
        guard let signature = try? key.signature(for: message) else { throw .backend(backend, .malformedAnswer) }
        return [UInt8](signature.rawRepresentation)
    }

    @discardableResult
    public func delete(_ name: KeyName) async throws(SecureStorageError) -> Bool {
        try await store.delete(try item(name))
    }

    public func attest(_ name: KeyName, challenge: [UInt8]) async throws(SecureStorageError) -> KeyAttestation {
        throw .backend(backend, .unsupported)
    }

    /// Returns the names of all keys of the store, in order.
    public func names() async throws(SecureStorageError) -> [KeyName] {
        var names: [KeyName] = []
        for item in try await store.names(in: Self.service) { names.append(try KeyName(item.account)) }
        return names
    }

    private func check(_ authorization: borrowing KeyAuthorization) throws(SecureStorageError) {
        switch authorization {
        case .none: return
        default: throw .backend(backend, .unsupported)
        }
    }

    private func item(_ name: KeyName) throws(SecureStorageError) -> ItemName {
        try ItemName(service: Self.service, account: name.description)
    }

    private func key(_ name: KeyName) async throws(SecureStorageError) -> P256.Signing.PrivateKey {
        let item = try item(name)
        guard let attributes = try await store.attributes(of: item), let secret = try await store.load(item)
        else { throw .notFound }
        guard attributes.kind == .credential, secret.count == Self.keySize,
            let key = secret.withUnsafeBytes({ try? P256.Signing.PrivateKey(rawRepresentation: $0) })
        else { throw .wrongKind }
        return key
    }

    private func publicKey(of key: P256.Signing.PrivateKey) -> HardwarePublicKey {
        HardwarePublicKey(backend: backend, x963: [UInt8](key.publicKey.x963Representation), protection: .none)
    }
}
