internal import AuthAPI
internal import AuthStore
internal import SQLStore
internal import Time
internal import Tokens

/// The devices of an account. Its owner lists, renames and revokes them.
struct RegisteredDevices: Sendable {
    let database: any Database
    let sealer: ColumnSealer
    let stepUp: StepUp
    let events: SecurityEventLog
    let clock: @Sendable () -> Timestamp

    /// Returns the devices that are not revoked.
    func all(of caller: Caller) async throws -> [DeviceView] {
        try await database.read { transaction in
            let current = try Sessions.find(caller.session, in: transaction)?.device
            let uses = try Sessions.lastUses(of: caller.account, in: transaction)
            var trusts: [DeviceID: String] = [:]
            for attestation in try DeviceAttestations.all(of: caller.account, sealer: sealer, in: transaction) {
                trusts[attestation.device] = attestation.trustStatus
            }
            return try Devices.active(of: caller.account, sealer: sealer, in: transaction).map { device in
                DeviceView(
                    id: device.id, name: device.name, isCurrent: device.id == current, created: device.createdAt,
                    lastSeen: max(device.lastSeenAt, uses[device.id] ?? device.lastSeenAt),
                    trust: trusts[device.id].flatMap(DeviceTrust.init(rawValue:)) ?? .unattested)
            }
        }
    }

    /// Renames a device.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/notFound`` if the account has no such device.
    func rename(_ id: DeviceID, to name: String, by caller: Caller) async throws {
        let now = clock()
        let isKnown = try await database.decide(by: caller, at: now) { transaction -> Result<Bool, Problem> in
            if let problem = try refusal(of: caller, changing: id, at: now, in: transaction) {
                return .failure(problem)
            }
            return .success(try Devices.rename(id, of: caller.account, to: name, sealer: sealer, in: transaction))
        }
        guard isKnown else { throw Problem(.notFound) }
    }

    /// Ends all sessions of a device. Its key cannot begin another one.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/notFound`` if the account has no such device.
    func revoke(_ id: DeviceID, by caller: Caller) async throws {
        let now = clock()
        try await database.decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            if let problem = try refusal(of: caller, changing: id, at: now, in: transaction) {
                return .failure(problem)
            }
            guard try Devices.revoke(id, of: caller.account, at: now, in: transaction) else {
                return .failure(Problem(.notFound))
            }
            try Devices.pruneRevoked(of: caller.account, in: transaction)
            _ = try Sessions.revoke(
                device: id, of: caller.account, at: now,
                reason: RefreshFamily.RevocationReason.deviceRevoked.rawValue, in: transaction)
            try events.note(
                .deviceRevoked, account: caller.account, EventDetails(caller.address, device: id), at: now,
                in: transaction)
            return .success(())
        }
        events.tell(.deviceRevoked, account: caller.account)
    }

    /// Returns why a caller may not change a device; nil if it may. A caller changes its own device with its session
    /// alone, and another device only after a sign-in of the last minutes. Otherwise a thief with the session could
    /// revoke the owner's devices, or swap device names so that the owner mistakes the thief's device for another.
    private func refusal(
        of caller: Caller, changing id: DeviceID, at now: Timestamp, in transaction: any Transaction
    ) throws -> Problem? {
        guard try Sessions.find(caller.session, in: transaction)?.device != id else { return nil }
        do {
            try stepUp.require(caller, at: now)
            return nil
        } catch { return error }
    }
}
