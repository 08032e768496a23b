import AppleStores
import AuthAPI
import AuthenticationServices
import Encoding
import Foundation
import PinnedHTTP
import Secrets
import SecureStorage
import Time
import Tokens

/// The device's key in the Secure Enclave, to which the server binds tokens. It signs without a prompt: it says which
/// device asks, and not which person.
struct DeviceKey: Sendable {
    private let keys: EnclaveKeys
    private let name: KeyName
    let publicKey: PublicJWK

    init(folder: String) async throws {
        keys = EnclaveKeys(in: "\(folder)/keys", accessibility: .afterFirstUnlockThisDeviceOnly)
        name = try KeyName("sign-in")
        let stored = try await keys.publicKey(of: name)
        let key: HardwarePublicKey
        if let stored {
            key = stored
        } else {
            key = try await keys.generate(name, protection: .none, authorization: .none)
        }
        publicKey = try PublicJWK(coordinates: Array(key.x963.dropFirst()))
    }

    /// Returns the proof for one request (RFC 9449).
    func proof(for url: ProofURL, nonce: String?) async throws -> String {
        let draft = DPoPDraft(
            by: publicKey, method: "POST", url: url, nonce: nonce, accessToken: nil,
            now: Timestamp(seconds: Int64(secondsSince1970())), random: SystemRandom())
        return draft.proof(signature: try await keys.sign(draft.signingInput, with: name, authorization: .none))
    }
}

/// The sign-in server `fuekid --role auth`, by its routes for passkeys.
@MainActor
struct SignInServer {
    private let host: String
    private let origin: Origin
    private let client: PinnedClient
    private let device: DeviceKey

    init(host: String, roots: TrustRoots, device: DeviceKey) throws {
        guard let origin = Origin(host: host) else { throw Refused() }
        self.host = host
        self.origin = origin
        self.device = device
        client = PinnedClient(
            ClientConfiguration(userAgent: "wallet/1", roots: roots),
            pins: LivePins(.none, updatedBy: [], time: PinTime(latest: 0)), now: secondsSince1970)
    }

    struct Refused: Error {}

    /// Signs in with a passkey of this person. An app keeps the refresh token in its vault.
    func signIn() async throws -> TokenResponse {
        let options = try await post(
            "/api/auth/passkey/authenticate/options", AuthenticationOptionsRequest(purpose: .signIn).json)
        guard let challenge = options["public_key"]?["challenge"]?.string else { throw Refused() }
        let assertion = try await PasskeyPrompt().assertion(host, challenge: Data(try Base64URL.decode(challenge)))
        return try TokenResponse(
            try await post(
                "/api/auth/passkey/authenticate", CredentialRequest(credential: assertion).json))
    }

    private func post(_ path: String, _ body: JSON) async throws -> JSON {
        var nonce: String?
        // The first proof has no nonce: the server answers with one.
        for _ in 0..<2 {
            let proof = try await device.proof(for: ProofURL("https://\(host)\(path)"), nonce: nonce)
            let headers = [HTTPHeader("Content-Type", "application/json"), HTTPHeader("DPoP", proof)]
            guard let request = HTTPRequest(.post, path, at: origin, headers: headers, body: body.encoded) else {
                throw Refused()
            }
            let response = try await client.send(request)
            if response.isSuccess { return try response.json() }
            nonce = response.header("DPoP-Nonce")
            guard response.status == 401, nonce != nil else { throw Refused() }
        }
        throw Refused()
    }
}

/// The system's sheet for a passkey.
@MainActor
final class PasskeyPrompt: NSObject, ASAuthorizationControllerDelegate {
    private var answered: CheckedContinuation<JSON, any Error>?

    /// Returns `AuthenticationResponseJSON` (WebAuthn Level 3, section 5.1).
    func assertion(_ host: String, challenge: Data) async throws -> JSON {
        let provider = ASAuthorizationPlatformPublicKeyCredentialProvider(relyingPartyIdentifier: host)
        let request = provider.createCredentialAssertionRequest(challenge: challenge)
        request.userVerificationPreference = .required
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        return try await withCheckedThrowingContinuation { continuation in
            answered = continuation
            controller.performRequests()
        }
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        guard let passkey = authorization.credential as? ASAuthorizationPlatformPublicKeyCredentialAssertion,
            let data = passkey.rawAuthenticatorData, let signature = passkey.signature, let user = passkey.userID
        else { return finish(.failure(SignInServer.Refused())) }
        let id = JSON.string(Base64URL.encode(passkey.credentialID))
        let response: JSON = [
            "clientDataJSON": .string(Base64URL.encode(passkey.rawClientDataJSON)),
            "authenticatorData": .string(Base64URL.encode(data)), "signature": .string(Base64URL.encode(signature)),
            "userHandle": .string(Base64URL.encode(user)),
        ]
        finish(
            .success([
                "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": [:],
                "authenticatorAttachment": "platform",
            ]))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        finish(.failure(error))
    }

    private func finish(_ result: Result<JSON, any Error>) {
        answered?.resume(with: result)
        answered = nil
    }
}
