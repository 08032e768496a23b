public import Encoding

/// The data that an authenticator signs, beside the client data (Level 3, section 6.1).
public struct AuthenticatorData: Equatable, Sendable {
    /// All bytes, as they were signed.
    public let bytes: [UInt8]
    /// The SHA-256 of the relying party's identifier, 32 bytes.
    public let relyingPartyIDHash: [UInt8]
    /// The authenticator's statements about the user and the credential.
    public let flags: AuthenticatorFlags
    /// The number of signatures; 0 for authenticators that do not count.
    public let signCount: UInt32
    /// The credential; nil except at a registration.
    public let credential: AttestedCredential?
    /// The authenticator's statements about extensions; nil without any.
    public let extensions: CBOR.Map?

    /// Reads authenticator data, without left-over bytes.
    ///
    /// - Throws: ``WebAuthnError/malformed(_:)`` with the part that is wrong, ``WebAuthnError/unsupportedAlgorithm(_:)``,
    ///   ``WebAuthnError/inconsistentBackupFlags``.
    public init(decoding bytes: [UInt8]) throws(WebAuthnError) {
        do {
            var reader = try ByteReader(bytes, limit: WebAuthnLimits.authenticatorDataBytes)
            relyingPartyIDHash = Array(try reader.bytes(32))
            flags = AuthenticatorFlags(rawValue: try reader.uint8())
            signCount = try reader.bigEndian(UInt32.self)
            credential = flags.contains(.attestedCredential) ? try AttestedCredential(from: &reader) : nil
            extensions = flags.contains(.extensions) ? try Self.extensions(from: &reader) : nil
            try reader.finish()
        } catch let error as WebAuthnError {
            throw error
        } catch { throw .malformed(.authenticatorData) }
        // Section 6.1.3, and step 17 of 7.1, step 18 of 7.2: a credential that cannot be backed up is not backed up.
        guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else { throw .inconsistentBackupFlags }
        self.bytes = bytes
    }

    private static func extensions(from reader: inout ByteReader) throws -> CBOR.Map {
        guard case .map(let map) = try CBOR(from: &reader) else { throw WebAuthnError.malformed(.extensions) }
        for entry in map.entries {
            // Section 9.3: identifiers of extensions are text.
            guard case .text = entry.key else { throw WebAuthnError.malformed(.extensions) }
        }
        return map
    }
}

/// The credential in authenticator data (Level 3, section 6.5.1).
public struct AttestedCredential: Equatable, Sendable {
    /// The model of the authenticator: unproven without an attestation.
    public let aaguid: AAGUID
    public let id: CredentialID
    public let publicKey: COSEKey

    init(from reader: inout ByteReader) throws {
        guard let aaguid = AAGUID(bytes: try reader.bytes(16)) else { throw EncodingError.truncated }
        self.aaguid = aaguid
        id = try CredentialID(try reader.bytes(Int(try reader.bigEndian(UInt16.self))))
        let cbor: CBOR
        do {
            cbor = try CBOR(from: &reader)
        } catch { throw WebAuthnError.malformed(.publicKey) }
        publicKey = try COSEKey(cbor)
    }
}
