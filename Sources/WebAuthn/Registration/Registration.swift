/// One registration of a credential: its terms, and the verification of the response (Level 3, section 7.1).
///
/// Options and verification come from the same value, so that a response is never checked against weaker terms than
/// were sent. A server without state makes the value again when the response arrives: from its configuration, the user,
/// and the challenge that it recognises as its own.
///
/// ```swift
/// let registration = Registration(
///     at: relyingParty, of: user, challenge: challenge, algorithms: [.es256, .edDSA, .rs256],
///     userVerification: .required, mediation: .modal, attestation: .anything)
/// let json = registration.options(…).json
/// // … the browser …
/// let verified = try registration.verify(RegistrationResponse(decoding: body), at: now)
/// switch verified.claim(isTaken: { store.hasCredential($0) }) {
/// case .free(let record): store.insert(record)
/// case .taken: …
/// }
/// ```
public struct Registration: Sendable {
    /// The relying party that the credential is for.
    public let relyingParty: RelyingParty
    /// The user that the credential is for.
    public let user: User
    /// The challenge of this ceremony.
    public let challenge: Challenge
    /// The accepted algorithms, in order of preference.
    public let algorithms: [COSEAlgorithm]
    /// Whether the authenticator must verify the user.
    public let userVerification: UserVerification
    /// How the browser asks the user.
    public let mediation: Mediation
    /// The policy for attestations.
    public let attestation: AttestationPolicy

    /// Creates a registration.
    ///
    /// - Parameter algorithms: in order of preference; at least one.
    public init(
        at relyingParty: RelyingParty, of user: User, challenge: Challenge, algorithms: [COSEAlgorithm],
        userVerification: UserVerification, mediation: Mediation, attestation: AttestationPolicy
    ) {
        precondition(!algorithms.isEmpty, "a registration offers at least one algorithm")
        self.relyingParty = relyingParty
        self.user = user
        self.challenge = challenge
        self.algorithms = algorithms
        self.userVerification = userVerification
        self.mediation = mediation
        self.attestation = attestation
    }

    /// Returns the options for the browser (step 1).
    ///
    /// - Parameters:
    ///   - excluded: the user's existing credentials.
    ///   - timeout: the time in milliseconds; nil leaves it to the client.
    public func options(
        excluding excluded: [CredentialDescriptor], residentKey: ResidentKey, attestation: AttestationConveyance,
        attachment: AuthenticatorAttachment? = nil, hints: [AuthenticatorHint] = [], timeout: UInt32? = nil
    ) -> CreationOptions {
        CreationOptions(
            relyingPartyID: relyingParty.id, relyingPartyName: relyingParty.name, user: user,
            challenge: challenge.bytes,
            algorithms: algorithms, timeout: timeout, excluded: excluded, attachment: attachment,
            residentKey: residentKey, userVerification: userVerification, hints: hints, attestation: attestation)
    }

    /// Verifies a response. The numbers are the steps of section 7.1; steps 1 to 6 and 13 are done once there is a
    /// response.
    ///
    /// - Parameter time: the present time, for the validity of certificates: milliseconds since 1970 UTC.
    /// - Throws: ``WebAuthnError`` for an error in the response.
    public func verify(
        _ response: RegistrationResponse, at time: Int64
    ) throws(WebAuthnError) -> VerifiedRegistration {
        let object = response.attestationObject
        let data = object.authenticatorData
        let credential = object.credential
        // Not a step: a client that names another credential than the attested one would make the page store that one.
        guard response.credentialID == credential.id else { throw .wrongCredential }
        // 7 to 11.
        try relyingParty.check(response.clientData, is: .create, answering: challenge)
        // 14: the relying party.
        guard data.relyingPartyIDHash == relyingParty.id.hash else { throw .wrongRelyingParty }
        // 15: a user was present, unless the mediation does not require it.
        guard data.flags.contains(.userPresent) || mediation == .conditional else { throw .userNotPresent }
        // 16: the user was verified, if that is required.
        guard data.flags.contains(.userVerified) || userVerification != .required else { throw .userNotVerified }
        // 17: the backup flags are consistent, which `AuthenticatorData` checks. 18, 19: the caller stores them with
        // the record.
        // 20: an algorithm from the options.
        guard algorithms.contains(credential.publicKey.algorithm) else {
            throw .algorithmNotOffered(credential.publicKey.algorithm)
        }
        // 12, 21, 22: the attestation, over the hash of the client data.
        let statement = AttestationStatement(of: object, clientDataHash: response.clientData.hash)
        let proven = try attestation(in: statement)
        // 23, 24: which authority it leads to, and whether the policy accepts that.
        let trust: AttestationTrust
        switch attestation.decision(on: proven, at: time) {
        case .accepted(let accepted): trust = accepted
        case .refused(let reason): throw .attestationRefused(reason)
        }
        // 25: the identifier has at most 1,023 bytes, as every `CredentialID`. Section 4 requires 16 at least, so that
        // identifiers cannot be guessed and do not collide.
        guard credential.id.bytes.count >= WebAuthnLimits.newCredentialIDBytes else { throw .malformed(.credentialID) }
        // 27: the record. 28: no extension but
        // `credProps` is requested, and no decision depends on it.
        let record = CredentialRecord(
            id: credential.id, user: user.handle, publicKey: credential.publicKey, signCount: data.signCount,
            isUserVerificationInitialized: data.flags.contains(.userVerified), transports: response.transports,
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp),
            aaguid: credential.aaguid)
        return VerifiedRegistration(
            attestation: proven, trust: trust,
            keyProtection: attestation.keyProtection(of: proven, trusted: trust, at: time),
            isUserVerified: data.flags.contains(.userVerified),
            isDiscoverable: response.isDiscoverable, attestationObject: object.bytes,
            clientDataJSON: response.clientDataJSON, uncheckedRecord: record)
    }

    /// Verifies the statement. One of a format that this library does not read proves nothing, like none; the policy
    /// decides whether that is enough.
    private func attestation(in statement: AttestationStatement) throws(WebAuthnError) -> Attestation {
        if AttestationFormat(name: statement.format) == nil, attestation.formats.contains(.unknown) {
            return Attestation(format: .unknown, kind: .none, aaguid: statement.credential.aaguid)
        }
        return try statement.verify(by: attestation.rules)
    }
}
