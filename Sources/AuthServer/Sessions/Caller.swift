internal import AuthAPI
internal import Tokens

/// The sender of a request, proved by an access token and a proof of the key that the token is bound to.
struct Caller: Sendable {
    let token: AccessToken
    let address: ClientAddress

    var account: AccountID { token.account }
    var session: SessionID { token.session }
}

/// A request that a device's key has signed, of whatever account.
struct ProvenRequest: Sendable {
    let proof: VerifiedProof
    let address: ClientAddress

    /// RFC 7638 thumbprint of the device's key.
    var deviceKey: [UInt8] { proof.thumbprint.bytes }
}

/// A request whose proof is right in all but its signature, which was not verified.
struct UnprovenRequest: Sendable {
    let proof: DPoPProof.Unverified
    let address: ClientAddress
    /// The status of a refusal. RFC 9449 wants 400 of an authorization server, and 401 of a resource.
    let status: Int
}
