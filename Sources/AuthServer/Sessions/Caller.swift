internal import AuthAPI
internal import ServerHTTP
internal import Tokens

/// The sender of a request, proved by an access token and a proof of the key to which the token is bound.
struct Caller: Sendable {
    let token: AccessToken
    let address: ClientAddress

    var account: AccountID { token.account }
    var session: SessionID { token.session }
}

/// A request that a device's key has signed. The account is not known.
struct ProvenRequest: Sendable {
    let proof: VerifiedProof
    let address: ClientAddress

    /// RFC 7638 thumbprint of the device's key.
    var deviceKey: [UInt8] { proof.thumbprint.bytes }
}

/// A request whose proof is right except for its signature, which is not verified yet.
struct UnprovenRequest: Sendable {
    let proof: DPoPProof.Unverified
    let address: ClientAddress
    /// The HTTP status of a refusal. RFC 9449 requires 400 from an authorization server, and 401 from a resource.
    let status: Int
}
