internal import AuthAPI
internal import Secrets
internal import Tokens

extension Backend {
    /// Begins a session of an account on a device, which is added if it is new.
    ///
    /// - Parameter deviceName: for a new device.
    func begin(
        _ authentication: AuthenticationContext, of account: AccountID, deviceName: String?, _ request: ProvenRequest,
        at now: Timestamp, in transaction: any Transaction
    ) throws -> (RefreshFamily, RefreshToken) {
        let device = try device(of: account, name: deviceName, request, at: now, in: transaction)
        let id = try newIdentifier(SessionID.self)
        let token = RefreshToken(family: id, generation: 0, keys: keys.current.tags, random: random)
        guard let policy = configuration.sessions.refreshPolicy else { throw Problem(.internalError) }
        let family = RefreshFamily(
            first: token, account: account, device: device, thumbprint: request.proof.thumbprint,
            authentication: authentication, scope: try Scope(Self.scope), now: now, policy: policy)
        try endOldest(of: account, keeping: AuthLimits.sessions - 1, at: now, in: transaction)
        try Sessions.add(SessionRow(family), in: transaction)
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
        let devices = try Devices.all(of: account, sealer: sealer, in: transaction)
        let kept = devices.filter { $0.revokedAt == nil }
        if kept.count >= AuthLimits.devices { try forgetOne(of: kept, of: account, at: now, in: transaction) }
        let device = DeviceRow(
            id: try newIdentifier(DeviceID.self), account: account, keyThumbprint: request.deviceKey,
            name: name ?? "Device \(devices.count + 1)", createdAt: now, lastSeenAt: now)
        guard try Devices.add(device, sealer: sealer, in: transaction) else { throw StoreError.conflict }
        try note(
            .deviceAdded, account: account, EventDetails(request.address, device: device.id), at: now, in: transaction)
        return device.id
    }

    /// So that nobody is kept out by devices that are of no use any more, as a browser is whose storage was emptied: of those
    /// that have no session, the one that signed in the longest time ago makes room.
    private func forgetOne(
        of devices: [DeviceRow], of account: AccountID, at now: Timestamp, in transaction: any Transaction
    ) throws {
        let used = Set(
            try Sessions.all(of: account, in: transaction).filter { $0.isLiving(at: now) }.map(\.device))
        let unused = devices.filter { !used.contains($0.id) }
        guard let oldest = unused.min(by: { $0.lastSeenAt < $1.lastSeenAt }) else { throw Problem(.limitReached) }
        try Devices.remove(oldest.id, of: account, in: transaction)
    }

    /// So that an account has no more sessions than a person can look through.
    private func endOldest(
        of account: AccountID, keeping count: Int, at now: Timestamp, in transaction: any Transaction
    ) throws {
        let living = try Sessions.all(of: account, in: transaction)
            .filter { $0.isLiving(at: now) }
            .sorted { $0.lastUsedAt < $1.lastUsedAt }
        for session in living.dropLast(count) {
            _ = try Sessions.revoke(
                session.id, at: now, reason: RefreshFamily.RevocationReason.signedOut.rawValue, in: transaction)
        }
    }
}
