internal import AuthAPI
internal import Encoding
internal import WebAuthn

/// The ceremony of WebAuthn that makes a passkey, as this relying party wants it.
struct RegistrationCeremony: Sendable {
    /// The algorithms of passkeys, the preferred one first.
    static let algorithms: [COSEAlgorithm] = [.es256, .edDSA, .es384, .rs256]

    let relyingParty: RelyingParty
    let policies: Reloadable<AttestationPolicy>
    /// Whether browsers are asked for an attestation: where something comes of it. They may ask the person before they tell the
    /// model.
    let asksForAttestation: Bool

    /// Returns what a page is to pass to the browser.
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

    /// Verifies what the authenticator made.
    func verify(
        _ response: RegistrationResponse, of account: AccountID, at now: Timestamp
    ) throws(Problem) -> VerifiedRegistration {
        try ceremony { () throws(WebAuthnError) in
            try registration(
                of: try User(handle: try UserHandle(account.bytes), name: "", displayName: ""),
                challenge: try Challenge(response.clientData.challenge)
            ).verify(response, at: now.milliseconds)
        }
    }

    private func registration(of user: User, challenge: Challenge) -> Registration {
        Registration(
            at: relyingParty, of: user, challenge: challenge, algorithms: Self.algorithms, userVerification: .required,
            mediation: .modal, attestation: policies.current)
    }
}
