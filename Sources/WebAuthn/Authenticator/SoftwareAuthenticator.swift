internal import Crypto
internal import Encoding

/// Client and authenticator in one, for programs that sign in without a browser (Level 3, sections 5.1.3, 5.1.4, 6.3.2,
/// 6.3.3).
///
/// It stores nothing. The caller keeps identifiers, keys and counters, and ensures the facts that an authenticator
/// asserts: that a user was present and agreed, and which user it was.
///
/// ```swift
/// let response = try SoftwareAuthenticator(aaguid: .zero, backup: .notEligible).register(
///     CreationOptions(json: options), from: origin, as: id, with: key, having: [], signCount: 0, consent: .verified)
/// ```
public struct SoftwareAuthenticator: Sendable {
    /// Its model.
    public let aaguid: AAGUID
    /// Whether its credentials are copied to other devices.
    public let backup: Backup

    /// Whether its credentials are copied to other devices.
    public enum Backup: Equatable, Sendable {
        /// Credentials never leave the device.
        case notEligible
        /// Credentials may be copied, and are not yet.
        case eligible
        /// Credentials are copied to other devices.
        case backedUp

        var flags: AuthenticatorFlags {
            switch self {
            case .notEligible: []
            case .eligible: .backupEligible
            case .backedUp: [.backupEligible, .backedUp]
            }
        }
    }

    /// The user's consent.
    public enum Consent: Equatable, Sendable {
        /// The user was present, and agreed.
        case present
        /// The user was present, agreed, and was verified by PIN, finger or face.
        case verified

        var flags: AuthenticatorFlags { self == .verified ? [.userPresent, .userVerified] : .userPresent }
    }

    /// Creates an authenticator of a model.
    public init(aaguid: AAGUID, backup: Backup) {
        self.aaguid = aaguid
        self.backup = backup
    }

    /// Answers a registration. The credential attests itself (`packed`) if the options request an attestation;
    /// otherwise the format is `none`.
    ///
    /// - Parameters:
    ///   - origin: the origin of the requesting page or program, in the relying party's domain.
    ///   - id: the identifier of the new credential: 16 random bytes, or more.
    ///   - key: the new credential's key.
    ///   - signCount: the first value of its counter; 0 if it does not count.
    /// - Throws: ``WebAuthnError/wrongRelyingParty``, ``WebAuthnError/credentialExcluded``,
    ///   ``WebAuthnError/algorithmNotOffered(_:)``, ``WebAuthnError/userNotVerified``, and the errors of the key.
    public func register(
        _ options: CreationOptions, from origin: Origin, as id: CredentialID, with key: some CredentialKey,
        having credentials: [CredentialID], signCount: UInt32, consent: Consent
    ) throws -> RegistrationResponse {
        try Self.check(origin, options.relyingPartyID, options.userVerification, consent)
        guard !options.excluded.contains(where: { credentials.contains($0.id) }) else {
            throw WebAuthnError.credentialExcluded
        }
        guard options.algorithms.contains(.es256) else { throw WebAuthnError.algorithmNotOffered(.es256) }
        let publicKey = COSEKey(key.publicKey)
        var data = ByteWriter(reserving: 256)
        write(options.relyingPartyID, [consent.flags, .attestedCredential], signCount, to: &data)
        data.append(aaguid.bytes)
        data.bigEndian(UInt16(truncatingIfNeeded: id.bytes.count))
        data.append(id.bytes)
        data.append(publicKey.encoded)
        let clientData = CollectedClientData.encoded(.create, challenge: options.challenge, origin: origin)
        let attestsItself = options.attestation != .none
        let statement: [(CBOR, CBOR)] =
            attestsItself
            ? [
                (.text("alg"), CBOR(publicKey.algorithm.rawValue)),
                (.text("sig"), .bytes(try key.signature(over: data.bytes + Self.hash(clientData)))),
            ] : []
        let object = try CBOR.Map([
            (.text("fmt"), .text(attestsItself ? "packed" : "none")), (.text("attStmt"), .map(CBOR.Map(statement))),
            (.text("authData"), .bytes(data.bytes)),
        ])
        return try RegistrationResponse(
            credentialID: id, clientDataJSON: clientData, attestationObject: CBOR.map(object).encoded,
            transports: [.internal], attachment: .platform, isDiscoverable: true)
    }

    /// Answers an authentication with a credential.
    ///
    /// - Parameters:
    ///   - origin: the origin of the requesting page or program, in the relying party's domain.
    ///   - id: the identifier of the credential; the caller knows that it was made for this relying party.
    ///   - signCount: the next value of its counter; 0 if it does not count.
    /// - Throws: ``WebAuthnError/wrongRelyingParty``, ``WebAuthnError/credentialNotAllowed``,
    ///   ``WebAuthnError/userNotVerified``, and the errors of the key.
    public func authenticate(
        _ options: RequestOptions, from origin: Origin, as id: CredentialID, of user: UserHandle,
        with key: some CredentialKey, signCount: UInt32, consent: Consent
    ) throws -> AuthenticationResponse {
        try Self.check(origin, options.relyingPartyID, options.userVerification, consent)
        guard options.allowed.isEmpty || options.allowed.contains(where: { $0.id == id }) else {
            throw WebAuthnError.credentialNotAllowed
        }
        var data = ByteWriter(reserving: 37)
        write(options.relyingPartyID, consent.flags, signCount, to: &data)
        let clientData = CollectedClientData.encoded(.get, challenge: options.challenge, origin: origin)
        return try AuthenticationResponse(
            credentialID: id, clientDataJSON: clientData, authenticatorData: data.bytes,
            signature: key.signature(over: data.bytes + Self.hash(clientData)), userHandle: user, attachment: .platform)
    }

    private static func check(
        _ origin: Origin, _ id: RelyingPartyID, _ verification: UserVerification, _ consent: Consent
    ) throws(WebAuthnError) {
        // A relying party's credentials are never used for others: this defeats phishing.
        guard let host = origin.host, id.covers(host) else { throw .wrongRelyingParty }
        guard verification != .required || consent == .verified else { throw .userNotVerified }
    }

    private func write(
        _ id: RelyingPartyID, _ flags: AuthenticatorFlags, _ signCount: UInt32, to data: inout ByteWriter
    ) {
        data.append(id.hash)
        data.append(flags.union(backup.flags).rawValue)
        data.bigEndian(signCount)
    }

    private static func hash(_ clientData: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: clientData)) }
}

extension CollectedClientData {
    /// Returns client data as section 5.8.1.1 serialises them: the members in this order, without white space.
    static func encoded(_ type: Ceremony, challenge: [UInt8], origin: Origin) -> [UInt8] {
        let json: JSON = [
            "type": .string(type.rawValue), "challenge": .string(Base64URL.encode(challenge)),
            "origin": .string(origin.text), "crossOrigin": false,
        ]
        return json.encoded
    }
}
