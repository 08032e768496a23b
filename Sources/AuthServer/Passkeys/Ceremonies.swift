internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import SQLStore
internal import Tokens
internal import WebAuthn

/// Who sends the answer of a ceremony: somebody signed in, or a device that wants to be.
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

extension Backend {
    /// The algorithms of passkeys, the preferred one first.
    static let algorithms: [COSEAlgorithm] = [.es256, .edDSA, .es384, .rs256]

    /// Who asks: by the access token, where there is one.
    func sender(_ request: Request, _ context: AuthContext) async throws -> CeremonySender {
        request.headers.contains(.authorization)
            ? .caller(try await caller(request, context)) : .device(try proven(request, context))
    }

    /// Counts a request of a device without a session against the limit of its address, and spends its proof.
    func admit(_ request: ProvenRequest, also limited: [Limited] = []) async throws {
        let now = clock()
        let limits = configuration.limits
        try await database.decide { transaction -> Result<Void, Problem> in
            if let problem = try admit(request, also: limited, limits: limits, at: now, in: transaction) {
                return .failure(problem)
            }
            return .success(())
        }
        proofMeter.remember(request.deviceKey)
    }

    func admit(
        _ request: ProvenRequest, also limited: [Limited] = [], limits: ServerConfiguration.LimitSettings,
        at now: Timestamp, in transaction: any Transaction
    ) throws -> Problem? {
        if let problem = try limits.take([.address(request.address)] + limited, at: now, in: transaction) {
            return problem
        }
        return try spend(request.proof, in: transaction) ? nil : Problem(.invalidDPoPProof, status: 400)
    }

    /// A new challenge, for the options.
    func challenge(
        for purpose: CeremonyPurpose, deviceKey: [UInt8], account: AccountID?, recoverySelector: [UInt8]? = nil
    ) throws(Problem) -> Challenge {
        let challenge = CeremonyChallenge(
            purpose: purpose, expires: clock().adding(.seconds(Limits.challengeSeconds)), deviceKey: deviceKey,
            account: account, recoverySelector: recoverySelector, random: random)
        return try ceremony { () throws(WebAuthnError) in
            try Challenge(challenge.encoded(under: keys.current.challenge))
        }
    }

    /// The challenge that an answer is to.
    func challenge(
        of client: CollectedClientData, for purposes: Set<CeremonyPurpose>, from sender: CeremonySender
    ) throws(Problem) -> CeremonyChallenge {
        try CeremonyChallenge(
            client.challenge, under: keys.current.challenges, for: purposes, from: sender.deviceKey, now: clock())
    }

    /// Uses a challenge up. False if it was before.
    func spend(
        _ challenge: CeremonyChallenge, _ bytes: [UInt8], in transaction: any Transaction
    ) throws -> Bool {
        // As long as it could be accepted, with a minute for clocks that differ.
        try ReplayCache.spend(
            CeremonyChallenge.spentValue(of: bytes), until: challenge.expires.adding(.minutes(1)), in: transaction)
    }

    func user(_ account: AccountID, name: String) throws(Problem) -> User {
        try ceremony { () throws(WebAuthnError) in
            try User(handle: try UserHandle(account.bytes), name: name, displayName: name)
        }
    }
}

extension PasskeyRow {
    /// The record as WebAuthn knows it.
    var record: CredentialRecord {
        get throws {
            guard let aaguid = AAGUID(bytes: aaguid) else { throw StoreError.unexpectedColumn(0) }
            return CredentialRecord(
                id: try CredentialID(credentialID), user: try UserHandle(account.bytes),
                publicKey: try COSEKey(decoding: publicKey), signCount: signCount,
                isUserVerificationInitialized: isUserVerificationInitialized,
                transports: transports.split(separator: " ").compactMap { Transport(String($0)) },
                isBackupEligible: isBackupEligible, isBackedUp: isBackedUp, aaguid: aaguid)
        }
    }

    var view: PasskeyView {
        PasskeyView(
            id: Base64URL.encode(credentialID), name: label, created: createdAt, lastUsed: lastUsedAt,
            isSynchronised: isBackupEligible, attestation: attestationFormat)
    }
}
