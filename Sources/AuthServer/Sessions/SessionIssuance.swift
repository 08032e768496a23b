internal import AuthAPI
internal import AuthSettings
internal import AuthStore
internal import SQLStore
internal import Secrets
internal import ServerHTTP
internal import Time
internal import Tokens

/// Begins sessions, and signs their access tokens.
struct SessionIssuance: Sendable {
    /// The scope of every session: so far each session has all rights.
    static let scope = "account"
    /// The `client_id` of the tokens: there is one client, the user's own device.
    static let client = "fueki"

    /// The URL of the server as text: `iss` and `aud` of its tokens.
    let issuer: String
    let keys: KeyRing
    let settings: ServerConfiguration.SessionSettings
    let sealer: ColumnSealer
    let events: SecurityEventLog
    let random: any RandomSource

    /// Begins a session of an account on a device. A new device is added to the account.
    ///
    /// - Parameters:
    ///   - credential: the passkey that signed in.
    ///   - deviceName: the name for a new device.
    func begin(
        _ authentication: AuthenticationContext, with credential: [UInt8], of account: AccountID, deviceName: String?,
        _ request: ProvenRequest, at now: Timestamp, in transaction: any Transaction
    ) throws -> (RefreshFamily, RefreshToken) {
        let device = try device(of: account, name: deviceName, request, at: now, in: transaction)
        let id = try SessionID(from: random)
        let token = RefreshToken(family: id, generation: 0, keys: keys.current.tags, random: random)
        guard let policy = settings.refreshPolicy else { throw Problem(.internalError) }
        let family = RefreshFamily(
            first: token, account: account, device: device, thumbprint: request.proof.thumbprint,
            authentication: authentication, scope: try Scope(Self.scope), now: now, policy: policy)
        // An account has no more sessions than a person can look through.
        try Sessions.endOldest(
            of: account, keeping: AuthLimits.sessions - 1, at: now,
            reason: RefreshFamily.RevocationReason.signedOut.rawValue, in: transaction)
        try Sessions.pruneEnded(of: account, in: transaction)
        try Sessions.add(SessionRow(family, credential: credential), in: transaction)
        return (family, token)
    }

    private func device(
        of account: AccountID, name: String?, _ request: ProvenRequest, at now: Timestamp,
        in transaction: any Transaction
    ) throws -> DeviceID {
        if let known = try Devices.find(
            keyThumbprint: request.deviceKey, of: account, sealer: sealer, in: transaction)
        {
            // A key that was revoked as stolen stays refused for every account.
            guard known.revokedAt == nil else { throw Problem(.deviceRevoked) }
            _ = try Devices.noteSeen(known.id, at: now, in: transaction)
            return known.id
        }
        let count = try Devices.count(of: account, in: transaction)
        if count.active >= AuthLimits.devices {
            try makeRoom(of: account, request.address, at: now, in: transaction)
        }
        let device = DeviceRow(
            id: try DeviceID(from: random), account: account, keyThumbprint: request.deviceKey,
            name: name ?? "Device \(count.all + 1)", createdAt: now, lastSeenAt: now)
        guard try Devices.add(device, sealer: sealer, in: transaction) else { throw StoreError.conflict }
        try events.note(
            .deviceAdded, account: account, EventDetails(request.address, device: device.id), at: now, in: transaction)
        return device.id
    }

    /// Removes a device of an account that has as many as it may have. The person at the new device cannot do it: they
    /// are not signed in yet, and may have lost the others.
    ///
    /// Of the devices without a session, such as a browser whose storage was cleared, the one with the oldest sign-in is
    /// removed. If each has a session, the device whose last use is longest ago is removed, with an event.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/limitReached`` if every device was used in the last
    ///   `Limits.idleDeviceHours`.
    private func makeRoom(
        of account: AccountID, _ address: ClientAddress, at now: Timestamp, in transaction: any Transaction
    ) throws {
        if try Devices.removeUnused(of: account, at: now, in: transaction) { return }
        let uses = try Sessions.lastUses(of: account, in: transaction)
        let idle = try Devices.active(of: account, sealer: sealer, in: transaction)
            .map { (device: $0, lastUse: max($0.lastSeenAt, uses[$0.id] ?? $0.lastSeenAt)) }
            .filter { now.since($0.lastUse) >= .hours(Limits.idleDeviceHours) }
            .min { $0.lastUse < $1.lastUse }
        guard let idle, try Devices.remove(idle.device.id, of: account, in: transaction) else {
            throw Problem(.limitReached)
        }
        try events.note(
            .deviceRevoked, account: account,
            EventDetails(address, device: idle.device.id, deviceName: idle.device.name, reason: "idle"), at: now,
            in: transaction)
    }

    /// Signs an access token for a session, and returns the answer. It runs outside of transactions, because signing
    /// takes as long as they do.
    func answer(for family: RefreshFamily, refreshToken: RefreshToken?, at now: Timestamp) -> TokenResponse {
        let token = AccessToken(
            issuer: issuer, audience: issuer, client: Self.client, account: family.account, session: family.id,
            device: family.thumbprint, authentication: family.authentication.aged(at: now), scope: family.scope,
            now: now, lifetime: min(settings.accessToken, family.expiresAt.since(now)), random: random)
        return TokenResponse(
            accessToken: token.signed(by: keys.current.signing), expiresIn: token.expiresAt.seconds - now.seconds,
            refreshToken: refreshToken?.text, sessionExpires: family.expiresAt, account: family.account,
            session: family.id, device: family.device, scope: family.scope.description)
    }
}

extension Identifier {
    /// Generates an identifier of 16 random bytes.
    init(from random: any RandomSource) throws(Problem) {
        guard let id = Self(bytes: random.publicBytes(count: 16)) else { throw Problem(.internalError) }
        self = id
    }
}
