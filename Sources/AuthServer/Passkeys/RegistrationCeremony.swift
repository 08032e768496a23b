internal import AuthAPI
internal import AuthStore
internal import Encoding
internal import ServerHTTP
internal import Time
internal import WebAuthn

/// The WebAuthn ceremony that makes a passkey, with this relying party's options.
struct RegistrationCeremony: Sendable {
    /// The algorithms of passkeys, the preferred one first.
    static let algorithms: [COSEAlgorithm] = [.es256, .edDSA, .es384, .rs256]

    let relyingParty: RelyingParty
    let policies: Reloadable<AttestationPolicy>
    /// Whether browsers are asked for an attestation: only if it can change anything. A browser may ask the person
    /// before it reveals the authenticator's model.
    let asksForAttestation: Bool

    /// Returns the options that a page passes to the browser.
    func options(
        for account: AccountID, name: String, challenge: Challenge, excluding passkeys: [PasskeyRow]
    ) throws -> JSON {
        let user = try ceremony { () throws(WebAuthnError) in
            try User(handle: try UserHandle(account.bytes), name: name, displayName: name)
        }
        let options = registration(of: user, challenge: challenge).options(
            excluding: try passkeys.map { try $0.record.descriptor }, residentKey: .required,
            attestation: asksForAttestation ? .direct : .none, timeout: Limits.ceremonyMilliseconds)
        return ["public_key": options.json]
    }

    /// Verifies the authenticator's answer.
    func verify(
        _ response: RegistrationResponse, of account: AccountID, at now: Timestamp
    ) throws(WebAuthnError) -> VerifiedRegistration {
        try registration(
            of: try User(handle: try UserHandle(account.bytes), name: "", displayName: ""),
            challenge: try Challenge(response.clientData.challenge)
        ).verify(response, at: now.milliseconds)
    }

    private func registration(of user: User, challenge: Challenge) -> Registration {
        Registration(
            at: relyingParty, of: user, challenge: challenge, algorithms: Self.algorithms, userVerification: .required,
            mediation: .modal, attestation: policies.current)
    }
}
