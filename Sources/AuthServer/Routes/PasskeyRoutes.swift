internal import AuthAPI
internal import Encoding
internal import Hummingbird

extension Backend {
    func addPasskeyRoutes(to router: Router<AuthContext>) {
        router.post("/api/auth/passkey/register/options") { request, context in
            let sender = try await sender(request, context)
            let body = try RegistrationOptionsRequest(try await request.json())
            return Response.json(try await registrationOptions(body, from: sender))
        }
        router.post("/api/auth/passkey/register") { request, context in
            let sender = try await sender(request, context)
            let body = try CredentialRequest(try await request.json())
            // An attestation may have a chain of certificates with the largest keys there are.
            return try await offEventLoop { Response.json(try await register(body, from: sender).json) }
        }
        router.post("/api/auth/passkey/authenticate/options") { request, context in
            let sender = try await sender(request, context)
            let body = try AuthenticationOptionsRequest(try await request.json())
            return Response.json(try await authenticationOptions(body, from: sender))
        }
        router.post("/api/auth/passkey/authenticate") { request, context in
            let sender = try await sender(request, context)
            let body = try CredentialRequest(try await request.json())
            return Response.json(try await authenticate(body, from: sender).json)
        }
        router.get("/api/auth/passkeys") { request, context in
            let caller = try await caller(request, context)
            let (_, passkeys) = try await accountAndPasskeys(of: caller.account)
            return Response.json([
                "passkeys": .array(passkeys.map(\.view.json)), "rp_id": .string(configuration.relyingParty.id),
            ])
        }
        router.patch("/api/auth/passkeys/:id") { request, context in
            // By its name the owner knows which passkey to remove.
            let caller = try await caller(request, context, isFresh: true)
            let id = try context.credentialID
            let name = try Renaming(try await request.json()).name
            let isKnown = try await decide(by: caller, at: clock()) {
                .success(try Passkeys.rename(id, of: caller.account, to: name, sealer: sealer, in: $0))
            }
            guard isKnown else { throw Problem(.notFound) }
            return Response.empty
        }
        router.delete("/api/auth/passkeys/:id") { request, context in
            let caller = try await caller(request, context, isFresh: true)
            try await removePasskey(try context.credentialID, by: caller)
            return Response.empty
        }
    }

    /// Removes a passkey of the caller's account, unless it is the last.
    private func removePasskey(_ id: [UInt8], by caller: Caller) async throws {
        let now = clock()
        try await decide(by: caller, at: now) { transaction -> Result<Void, Problem> in
            guard let passkey = try Passkeys.find(id, sealer: sealer, in: transaction),
                passkey.account == caller.account
            else { return .failure(Problem(.notFound)) }
            guard try Passkeys.remove(id, of: caller.account, in: transaction) else {
                return .failure(Problem(.passkeyLast))
            }
            try note(
                .passkeyRemoved, account: caller.account, EventDetails(caller.address, session: caller.session),
                at: now, in: transaction)
            return .success(())
        }
        tell(.passkeyRemoved, account: caller.account)
    }
}

extension AuthContext {
    fileprivate var credentialID: [UInt8] {
        get throws(Problem) {
            guard let text = parameters.get("id"), let id = try? Base64URL.decode(text), (1...1023).contains(id.count)
            else { throw Problem(.notFound) }
            return id
        }
    }
}
