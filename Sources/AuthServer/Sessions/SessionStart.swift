internal import AuthAPI
internal import SQLStore
internal import Secrets
internal import Tokens

extension Backend {
    /// Begins a session of an account on a device, which is added if it is new.
    ///
    /// - Parameters:
    ///   - credential: the passkey that was used.
    ///   - deviceName: for a new device.
    func begin(
        _ authentication: AuthenticationContext, with credential: [UInt8], of account: AccountID, deviceName: String?,
        _ request: ProvenRequest, at now: Timestamp, in transaction: any Transaction
    ) throws -> (RefreshFamily, RefreshToken) {
        let device = try device(of: account, name: deviceName, request, at: now, in: transaction)
        let id = try newIdentifier(SessionID.self)
        let token = RefreshToken(family: id, generation: 0, keys: keys.current.tags, random: random)
        guard let policy = configuration.sessions.refreshPolicy else { throw Problem(.internalError) }
        let family = RefreshFamily(
            first: token, account: account, device: device, thumbprint: request.proof.thumbprint,
            authentication: authentication, scope: try Scope(Self.scope), now: now, policy: policy)
        // So that an account has no more sessions than a person can look through.
        try Sessions.endOldest(
            of: account, keeping: AuthLimits.sessions - 1, at: now,
            reason: RefreshFamily.RevocationReason.signedOut.rawValue, in: transaction)
        try Sessions.pruneEnded(of: account, in: transaction)
        try Sessions.add(SessionRow(family, credential: credential), in: transaction)
        return (family, token)
    }

    /// 16 random bytes for something new.
    func newIdentifier<Named>(_ type: Identifier<Named>.Type) throws -> Identifier<Named> {
        guard let id = Identifier<Named>(bytes: random.publicBytes(count: 16)) else { throw Problem(.internalError) }
        return id
    }

    private func device(
        of account: AccountID, name: String?, _ request: ProvenRequest, at now: Timestamp,
        in transaction: any Transaction
    ) throws -> DeviceID {
        if let known = try Devices.find(
            keyThumbprint: request.deviceKey, of: account, sealer: sealer, in: transaction)
        {
            // A key that was given up as stolen does not come back, whoever signs in.
            guard known.revokedAt == nil else { throw Problem(.deviceRevoked) }
            _ = try Devices.noteSeen(known.id, at: now, in: transaction)
            return known.id
        }
        let count = try Devices.count(of: account, in: transaction)
        // So that no person is kept out by devices that are of no use any more, as a browser is whose storage was emptied: of those
        // that have no session, the one that signed in the longest time ago makes room.
        if count.active >= AuthLimits.devices, try !Devices.removeUnused(of: account, at: now, in: transaction) {
            throw Problem(.limitReached)
        }
        let device = DeviceRow(
            id: try newIdentifier(DeviceID.self), account: account, keyThumbprint: request.deviceKey,
            name: name ?? "Device \(count.all + 1)", createdAt: now, lastSeenAt: now)
        guard try Devices.add(device, sealer: sealer, in: transaction) else { throw StoreError.conflict }
        try note(
            .deviceAdded, account: account, EventDetails(request.address, device: device.id), at: now, in: transaction)
        return device.id
    }
}
