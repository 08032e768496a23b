internal import AuthAPI
internal import Hummingbird

extension Backend {
    func addRecoveryRoutes(to router: Router<AuthContext>) {
        router.post("/api/auth/recovery/options") { request, context in
            let proven = try proven(request, context)
            let body = try RecoveryRequest(try await request.json())
            // What cannot be a code needs no hashing: it tells nothing about anybody.
            guard let code = RecoveryCode(body.code) else {
                try await admit(proven)
                throw Problem(.recoveryRefused)
            }
            return Response.json(try await recoveryOptions(code, from: proven))
        }
        router.post("/api/auth/recovery/codes") { request, context in
            let caller = try await caller(request, context, isFresh: true)
            return Response.json(try await replaceRecoveryCodes(by: caller).json)
        }
    }
}
