internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import Tokens

extension Backend {
    func addDeviceRoutes(to router: Router<AuthContext>) {
        router.get("/api/auth/devices") { request, context in
            let devices = try await devices(of: try await caller(request, context))
            return Response.json(["devices": .array(devices.map(\.json))])
        }
        router.patch("/api/auth/devices/:id") { request, context in
            let caller = try await caller(request, context)
            let id = try context.identifier(DeviceID.self)
            let name = try Renaming(try await request.json()).name
            let isKnown = try await decide(by: caller, at: clock()) {
                .success(try Devices.rename(id, of: caller.account, to: name, sealer: sealer, in: $0))
            }
            guard isKnown else { throw Problem(.notFound) }
            return Response.empty
        }
        router.delete("/api/auth/devices/:id") { request, context in
            let caller = try await caller(request, context)
            try await revoke(try context.identifier(DeviceID.self), by: caller)
            return Response.empty
        }
        addAttestationRoutes(to: router)
    }

    private func devices(of caller: Caller) async throws -> [DeviceView] {
        try await database.read { transaction in
            let sessions = try Sessions.all(of: caller.account, in: transaction)
            let current = sessions.first { $0.id == caller.session }?.device
            var trusts: [DeviceID: String] = [:]
            for attestation in try DeviceAttestations.all(of: caller.account, sealer: sealer, in: transaction) {
                trusts[attestation.device] = attestation.trustStatus
            }
            return try Devices.all(of: caller.account, sealer: sealer, in: transaction)
                .filter { $0.revokedAt == nil }
                .map { device in
                    let uses = sessions.filter { $0.device == device.id }.map(\.lastUsedAt)
                    return DeviceView(
                        id: device.id, name: device.name, isCurrent: device.id == current, created: device.createdAt,
                        lastSeen: max(device.lastSeenAt, uses.max() ?? device.lastSeenAt),
                        trust: trusts[device.id].flatMap(DeviceTrust.init(rawValue:)) ?? .unattested)
                }
        }
    }

    /// Ends all sessions of a device. Its key never begins another one.
    private func revoke(_ id: DeviceID, by caller: Caller) async throws {
        let now = clock()
        try await decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            guard try Devices.revoke(id, of: caller.account, at: now, in: transaction) else {
                return .failure(Problem(.notFound))
            }
            _ = try Sessions.revoke(
                device: id, of: caller.account, at: now,
                reason: RefreshFamily.RevocationReason.deviceRevoked.rawValue, in: transaction)
            try note(
                .deviceRevoked, account: caller.account, EventDetails(caller.address, device: id), at: now,
                in: transaction)
            return .success(())
        }
        tell(.deviceRevoked, account: caller.account)
    }
}
