internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import Encoding
internal import SQLStore
internal import ServerHTTP
internal import Time
internal import Tokens
internal import WebAuthn

/// Verifies attestations that the key of a device is kept in hardware.
struct DeviceKeyAttestation: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let relyingParty: RelyingParty
    let policies: Reloadable<AttestationPolicy>
    let challenges: CeremonyChallenges
    let limits: ServerConfiguration.LimitSettings
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Returns a challenge with which the caller's device attests its key.
    func challenge(for caller: Caller) throws(Problem) -> Challenge {
        try challenges.issue(for: .deviceAttestation, deviceKey: caller.token.device.bytes, account: caller.account)
    }

    /// Verifies a WebAuthn attestation object. Its credential key has to be the key that signs this device's proofs, so
    /// that the maker's statement about the one key holds for the device.
    func attest(_ request: DeviceAttestationRequest, by caller: Caller) async throws -> DeviceAttestationAnswer {
        // Attestations of the phones' makers are not supported yet.
        guard request.platform == "webauthn" else { throw Problem(.attestationUnsupported) }
        let now = clock()
        let response = try ceremony { () throws(WebAuthnError) in try RegistrationResponse(json: request.attestation) }
        let challenge = try challenges.read(response.clientData, for: [.deviceAttestation], from: .caller(caller))
        guard challenge.account == caller.account else { throw Problem(.challengeInvalid) }
        let verified = try ceremony { () throws(WebAuthnError) in
            try Registration(
                at: relyingParty, of: try User(handle: try UserHandle(caller.account.bytes), name: "", displayName: ""),
                challenge: try Challenge(response.clientData.challenge), algorithms: [.es256],
                // The key of a device signs without a user's consent.
                userVerification: .discouraged, mediation: .conditional, attestation: policies.current
            ).verify(response, at: now.milliseconds)
        }
        guard try thumbprint(of: verified.uncheckedRecord.publicKey) == caller.token.device else {
            throw Problem(.attestationRefused)
        }
        let trust = DeviceTrust(
            AttestationVerdict(trust: StoredTrust(verified.trust.level), protection: verified.keyProtection))
        let bytes = response.clientData.challenge
        let device: DeviceID = try await database.decide(by: caller, at: now) { transaction in
            if let problem = try limits.take([.attestation(caller.account)], at: now, in: transaction) {
                return .failure(problem)
            }
            guard try challenge.spend(bytes, in: transaction) else { return .failure(Problem(.challengeUsed)) }
            guard let session = try Sessions.find(caller.session, in: transaction) else {
                return .failure(Problem(.invalidToken))
            }
            let row = DeviceAttestationRow(
                device: session.device, account: caller.account, platform: "webauthn",
                format: verified.attestation.format.rawValue, trustStatus: trust.rawValue, verifiedAt: now,
                attestation: verified.attestationObject)
            guard try DeviceAttestations.put(row, sealer: sealer, in: transaction) else { throw StoreError.conflict }
            try events.note(
                .deviceAttested, account: caller.account,
                EventDetails(caller.address, device: session.device, reason: row.format), at: now, in: transaction)
            return .success(session.device)
        }
        events.tell(.deviceAttested, account: caller.account)
        return DeviceAttestationAnswer(device: device, trust: trust)
    }

    /// Returns the thumbprint of an ES256 key in COSE form (RFC 9053 section 7.1.1): the coordinates are at -2 and -3.
    private func thumbprint(of key: COSEKey) throws -> KeyThumbprint? {
        let map = try CBOR(decoding: key.encoded)
        guard case .bytes(let x)? = map[-2], case .bytes(let y)? = map[-3] else { return nil }
        return try? PublicJWK(coordinates: x + y).thumbprint
    }
}
