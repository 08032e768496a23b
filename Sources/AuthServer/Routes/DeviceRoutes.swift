internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import ServerHTTP
internal import WebAuthn

/// The routes of devices and of the attestation of their keys.
struct DeviceRoutes: Sendable {
    let authentication: RequestAuthentication
    let devices: RegisteredDevices
    let attestation: DeviceKeyAttestation

    func add(to router: Router<ServerContext>) {
        router.get("/api/auth/devices") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            return Response.json(["devices": .array(try await devices.all(of: caller).map(\.json))])
        }
        router.patch("/api/auth/devices/:id") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            let id = try context.identifier(DeviceID.self)
            try await devices.rename(id, to: try Renaming(try await request.json()).name, by: caller)
            return Response.empty
        }
        router.delete("/api/auth/devices/:id") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            try await devices.revoke(try context.identifier(DeviceID.self), by: caller)
            return Response.empty
        }
        router.post("/api/auth/device/attest/options") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            let challenge = try attestation.challenge(for: caller)
            return Response.json(["challenge": .string(Base64URL.encode(challenge.bytes))])
        }
        router.post("/api/auth/device/attest") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            let body = try DeviceAttestationRequest(try await request.json())
            return try await offEventLoop { Response.json(try await attestation.attest(body, by: caller).json) }
        }
    }
}
