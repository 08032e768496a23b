internal import Encoding
public import SecureStorage

/// Apple's App Attest: statements by which a server recognises the genuine app on a genuine device.
///
/// A key is attested once, over a challenge of the server; afterwards it signs requests. Store the key's id after
/// the server has accepted the attestation. If attesting fails with `BackendFault.Unavailability.noService`, Apple's
/// server was not reached: try again later with the same key, because new keys count against the device. After
/// `BackendFault.bindingChanged(_:)` the key is of no use: make another one.
public struct AppAttest: Sendable {
    private let service: any AppAttestCalls
    private let calls: BoundedCalls

    package init(over service: any AppAttestCalls, limit: Duration = AppleLimits.appAttest) {
        self.service = service
        calls = BoundedCalls(to: .secureEnclave, limit: limit)
    }

    /// The reason why this device or program has no App Attest; nil if it has.
    public var unavailability: BackendFault? { service.isSupported ? nil : .unavailable(.noDevice) }

    /// Makes a key. - Returns: its id.
    public func makeKey() async throws(SecureStorageError) -> AppAttestKeyID {
        let service = try available()
        return try await calls.run { () throws(SecureStorageError) in
            guard let id = AppAttestKeyID(try service.generateKey()) else {
                throw .backend(.secureEnclave, .malformedAnswer)
            }
            return id
        }
    }

    /// Returns Apple's statement about a key: `KeyAttestation.appAttest(object:keyID:)`.
    ///
    /// - Parameter clientData: the bytes that the server expects, with its challenge. The statement covers their
    ///   SHA-256 digest.
    public func attest(_ key: AppAttestKeyID, clientData: [UInt8]) async throws(SecureStorageError) -> KeyAttestation {
        let service = try available()
        return try await calls.run { () throws(SecureStorageError) in
            let object = try service.attestKey(key.description, clientDataHash: Sealing.digest(of: clientData))
            return .appAttest(object: try Self.checked(object), keyID: key.description)
        }
    }

    /// Signs a request with an attested key.
    ///
    /// - Parameter clientData: the request, with the server's challenge.
    /// - Returns: the assertion: CBOR with a signature and authenticator data.
    public func assertion(
        by key: AppAttestKeyID, clientData: [UInt8]
    ) async throws(SecureStorageError) -> [UInt8] {
        let service = try available()
        return try await calls.run { () throws(SecureStorageError) in
            try Self.checked(
                service.generateAssertion(key.description, clientDataHash: Sealing.digest(of: clientData)))
        }
    }

    private func available() throws(SecureStorageError) -> any AppAttestCalls {
        if let unavailability { throw .backend(.secureEnclave, unavailability) }
        return service
    }

    private static func checked(_ object: [UInt8]) throws(SecureStorageError) -> [UInt8] {
        guard (1...AppleLimits.appAttestObject).contains(object.count) else {
            throw .backend(.secureEnclave, .malformedAnswer)
        }
        return object
    }
}

/// The id of an App Attest key: base64 of the 32 bytes of SHA-256 of its public key. It is not secret.
public struct AppAttestKeyID: Hashable, Sendable, CustomStringConvertible {
    /// The base64 text, as Apple's functions take it.
    public let description: String

    /// Reads an id; nil unless it is base64 of 32 bytes.
    public init?(_ text: String) {
        guard text.utf8.count == 44, let bytes = try? Base64.decode(text), bytes.count == 32 else { return nil }
        description = text
    }
}
