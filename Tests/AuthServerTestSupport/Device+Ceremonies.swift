internal import AuthAPI
internal import Crypto
internal import Encoding
internal import HTTPTypes
internal import Secrets
internal import ServerHTTP
internal import Testing
internal import Tokens
internal import WebAuthn

extension Device {
    /// Returns options for a new account.
    func signUpOptions(name: String = "Ada", invitation: String? = nil) async throws -> JSON {
        try await call(
            .post, "/api/auth/passkey/register/options",
            RegistrationOptionsRequest(purpose: .signUp, accountName: name, invitation: invitation).json, as: .proof)
    }

    /// Returns options for an additional passkey of its account.
    func addPasskeyOptions() async throws -> JSON {
        try await call(
            .post, "/api/auth/passkey/register/options",
            RegistrationOptionsRequest(purpose: .addPasskey, accountName: nil).json)
    }

    func signInOptions() async throws -> JSON {
        try await call(
            .post, "/api/auth/passkey/authenticate/options", AuthenticationOptionsRequest(purpose: .signIn).json,
            as: .proof)
    }

    func stepUpOptions() async throws -> JSON {
        try await call(
            .post, "/api/auth/passkey/authenticate/options", AuthenticationOptionsRequest(purpose: .stepUp).json)
    }

    func recoveryOptions(_ code: String) async throws -> JSON {
        try await call(.post, "/api/auth/recovery/options", RecoveryRequest(code: code).json, as: .proof)
    }

    /// Sends the authenticator's registration. Keeps the resulting session.
    @discardableResult
    func register(
        _ credential: JSON, accountName: String? = nil, passkeyName: String? = nil, deviceName: String? = nil,
        invitation: String? = nil, as credentialOfRequest: Credential = .proof
    ) async throws -> RegistrationAnswer {
        let request = CredentialRequest(
            credential: credential, accountName: accountName, passkeyName: passkeyName, deviceName: deviceName,
            invitation: invitation)
        let answer = try RegistrationAnswer(
            await call(.post, "/api/auth/passkey/register", request.json, as: credentialOfRequest))
        if let made = answer.tokens { tokens = made }
        return answer
    }

    /// Sends the authenticator's assertion. Keeps the resulting session.
    @discardableResult
    func authenticate(
        _ credential: JSON, deviceName: String? = nil, as credentialOfRequest: Credential = .proof
    ) async throws -> TokenResponse {
        let request = CredentialRequest(credential: credential, deviceName: deviceName)
        let answer = try TokenResponse(
            await call(.post, "/api/auth/passkey/authenticate", request.json, as: credentialOfRequest))
        tokens = TokenResponse(
            accessToken: answer.accessToken, expiresIn: answer.expiresIn,
            refreshToken: answer.refreshToken ?? tokens?.refreshToken, sessionExpires: answer.sessionExpires,
            account: answer.account, session: answer.session, device: answer.device, scope: answer.scope)
        return answer
    }

    @discardableResult
    func signUp(
        with authenticator: Authenticator, name: String = "Ada", deviceName: String? = nil, invitation: String? = nil
    ) async throws -> RegistrationAnswer {
        try await register(
            authenticator.register(signUpOptions(name: name, invitation: invitation)), accountName: name,
            deviceName: deviceName, invitation: invitation)
    }

    @discardableResult
    func signIn(with authenticator: Authenticator, deviceName: String? = nil) async throws -> TokenResponse {
        try await authenticate(authenticator.authenticate(signInOptions()), deviceName: deviceName)
    }

    @discardableResult
    func stepUp(with authenticator: Authenticator) async throws -> TokenResponse {
        try await authenticate(authenticator.authenticate(stepUpOptions()), as: .session)
    }

    @discardableResult
    func addPasskey(with authenticator: Authenticator, name: String? = nil) async throws -> RegistrationAnswer {
        try await register(authenticator.register(addPasskeyOptions()), passkeyName: name, as: .session)
    }

    @discardableResult
    func recover(_ code: String, with authenticator: Authenticator) async throws -> RegistrationAnswer {
        try await register(authenticator.register(recoveryOptions(code)))
    }
}

extension Device {
    /// Attests its own key by self attestation.
    @discardableResult
    func attest() async throws -> DeviceAttestationAnswer {
        let options = try await call(.post, "/api/auth/device/attest/options")
        let request = DeviceAttestationRequest(platform: "webauthn", attestation: try attestation(options))
        return try DeviceAttestationAnswer(await call(.post, "/api/auth/device/attest", request.json))
    }

    /// Returns the registration of an authenticator whose new credential's key is the one that signs the proofs.
    func attestation(_ options: JSON, key other: P256.Signing.PrivateKey? = nil) throws -> JSON {
        let bytes = key.exported().withUnsafeBytes { Array($0) }
        let signer = try other ?? P256.Signing.PrivateKey(rawRepresentation: bytes)
        let account = try #require(tokens).account.description
        let creation: JSON = [
            "rp": ["id": "localhost", "name": "Fueki"],
            "user": ["id": .string(account), "name": "Ada", "displayName": "Ada"],
            "challenge": try #require(options["challenge"]),
            "pubKeyCredParams": [["type": "public-key", "alg": -7]],
            "authenticatorSelection": ["residentKey": "discouraged", "userVerification": "discouraged"],
            "attestation": "direct",
        ]
        return try SoftwareAuthenticator(aaguid: .zero, backup: .notEligible).register(
            try CreationOptions(json: creation), from: try Origin(TestServer.origin),
            as: try CredentialID(random.publicBytes(count: 16)),
            with: signer, having: [], signCount: 0, consent: .present
        ).json
    }
}
