internal import AuthAPI
internal import AuthStore
internal import SQLStore
internal import Secrets
internal import ServerHTTP
internal import Time
internal import Tokens
internal import WebAuthn

/// The sender of a ceremony's answer: a caller, or a device that wants to sign in.
enum CeremonySender: Sendable {
    case caller(Caller)
    case device(ProvenRequest)

    /// RFC 7638 thumbprint of the key that signed the request's proof.
    var deviceKey: [UInt8] {
        switch self {
        case .caller(let caller): caller.token.device.bytes
        case .device(let request): request.deviceKey
        }
    }

    var address: ClientAddress {
        switch self {
        case .caller(let caller): caller.address
        case .device(let request): request.address
        }
    }
}

/// Issues the challenges of ceremonies, and reads them when they return.
struct CeremonyChallenges: Sendable {
    let keys: KeyRing
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource

    /// Issues a new challenge, for the options.
    func issue(
        for purpose: CeremonyPurpose, deviceKey: [UInt8], account: AccountID?, recoverySelector: [UInt8]? = nil
    ) throws(Problem) -> Challenge {
        let challenge = CeremonyChallenge(
            purpose: purpose, expires: clock().adding(.seconds(Limits.challengeSeconds)), deviceKey: deviceKey,
            account: account, recoverySelector: recoverySelector, random: random)
        return try ceremony { () throws(WebAuthnError) in
            try Challenge(challenge.encoded(under: keys.current.challenge))
        }
    }

    /// Reads the challenge of an answer.
    func read(
        _ client: CollectedClientData, for purposes: Set<CeremonyPurpose>, from sender: CeremonySender
    ) throws(Problem) -> CeremonyChallenge {
        try CeremonyChallenge(
            client.challenge, under: keys.current.challenges, for: purposes, from: sender.deviceKey, now: clock())
    }
}

extension CeremonyChallenge {
    /// Marks the challenge as used. Returns false if it was used before.
    ///
    /// - Parameter bytes: the challenge's bytes as received.
    func spend(_ bytes: [UInt8], in transaction: any Transaction) throws -> Bool {
        // The value is kept for as long as the challenge could be accepted, and a minute more for clocks that differ.
        try ReplayCache.spend(
            Self.spentValue(of: bytes), until: expires.adding(.minutes(1)), in: transaction)
    }
}
