internal import AuthAPI
internal import SQLStore
internal import Secrets
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

/// Makes the challenges of ceremonies, and reads them when they come back.
struct CeremonyChallenges: Sendable {
    let keys: KeyRing
    let clock: @Sendable () -> Timestamp
    let random: any RandomSource

    /// Makes a new challenge, for the options.
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

    /// Reads the challenge that an answer is to.
    func read(
        _ client: CollectedClientData, for purposes: Set<CeremonyPurpose>, from sender: CeremonySender
    ) throws(Problem) -> CeremonyChallenge {
        try CeremonyChallenge(
            client.challenge, under: keys.current.challenges, for: purposes, from: sender.deviceKey, now: clock())
    }
}

extension CeremonyChallenge {
    /// Uses the challenge up. Returns false if it was before.
    ///
    /// - Parameter bytes: of the challenge, as they came.
    func spend(_ bytes: [UInt8], in transaction: any Transaction) throws -> Bool {
        // As long as it could be accepted, with a minute for clocks that differ.
        try ReplayCache.spend(
            Self.spentValue(of: bytes), until: expires.adding(.minutes(1)), in: transaction)
    }
}
