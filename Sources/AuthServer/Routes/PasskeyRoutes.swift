internal import AuthAPI
internal import Encoding
internal import Hummingbird
internal import ServerHTTP

/// The routes of the ceremonies and of an account's passkeys.
struct PasskeyRoutes: Sendable {
    let relyingPartyID: String
    let authentication: RequestAuthentication
    let registration: PasskeyRegistration
    let signIn: PasskeyAuthentication
    let passkeys: RegisteredPasskeys

    func add(to router: Router<ServerContext>) {
        addCeremonies(to: router)
        router.get("/api/auth/passkeys") { request, context in
            let caller = try await authentication.caller(PresentedRequest(request, context))
            return Response.json([
                "passkeys": .array(try await passkeys.all(of: caller).map(\.json)), "rp_id": .string(relyingPartyID),
            ])
        }
        router.patch("/api/auth/passkeys/:id") { request, context in
            let caller = try await authentication.freshCaller(PresentedRequest(request, context))
            let id = try context.credentialID
            try await passkeys.rename(id, to: try Renaming(try await request.json()).name, by: caller)
            return Response.empty
        }
        router.delete("/api/auth/passkeys/:id") { request, context in
            let caller = try await authentication.freshCaller(PresentedRequest(request, context))
            try await passkeys.remove(try context.credentialID, by: caller)
            return Response.empty
        }
    }

    private func addCeremonies(to router: Router<ServerContext>) {
        router.post("/api/auth/passkey/register/options") { request, context in
            let sender = try await authentication.sender(PresentedRequest(request, context))
            let body = try RegistrationOptionsRequest(try await request.json())
            return Response.json(try await registration.options(body, from: sender))
        }
        router.post("/api/auth/passkey/register") { request, context in
            let sender = try await authentication.sender(PresentedRequest(request, context))
            let body = try CredentialRequest(try await request.json())
            // An attestation may contain a chain of certificates with very large keys.
            return try await offEventLoop { Response.json(try await registration.register(body, from: sender).json) }
        }
        router.post("/api/auth/passkey/authenticate/options") { request, context in
            let sender = try await authentication.sender(PresentedRequest(request, context))
            let body = try AuthenticationOptionsRequest(try await request.json())
            return Response.json(try await signIn.options(body, from: sender))
        }
        router.post("/api/auth/passkey/authenticate") { request, context in
            let sender = try await authentication.sender(PresentedRequest(request, context))
            let body = try CredentialRequest(try await request.json())
            return Response.json(try await signIn.authenticate(body, from: sender).json)
        }
    }
}

extension ServerContext {
    fileprivate var credentialID: [UInt8] {
        get throws(Problem) {
            guard let text = parameters.get("id"), let id = try? Base64URL.decode(text), (1...1023).contains(id.count)
            else { throw Problem(.notFound) }
            return id
        }
    }
}
