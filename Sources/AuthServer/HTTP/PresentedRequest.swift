internal import AuthAPI
internal import Hummingbird

/// The part of a request that shows who sends it, as the head has it. Nothing of it is verified.
struct PresentedRequest: Sendable {
    let address: ClientAddress
    let method: String
    let path: String
    /// The `DPoP` header; nil unless there is exactly one (RFC 9449 section 4.3, step 1).
    let proof: String?
    /// The access token of the scheme `DPoP`; nil if there is none, or one of another scheme (RFC 9449 section 7.1).
    let accessToken: String?
    /// Whether there is an `Authorization` header, of whatever scheme.
    let hasAuthorization: Bool

    /// - Throws: ``Problem`` with ``ProblemCode/clientUnnamed`` for a proxy's probe, which names no client.
    init(_ request: Request, _ context: AuthContext) throws(Problem) {
        address = try context.address
        method = request.method.rawValue
        path = request.uri.path
        let proofs = request.headers[values: .dpop]
        proof = proofs.count == 1 ? proofs[0] : nil
        accessToken = request.credentials(scheme: "DPoP")
        hasAuthorization = request.headers.contains(.authorization)
    }
}

extension AuthContext {
    /// The client's address.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/clientUnnamed`` for a proxy's probe, which names no client.
    var address: ClientAddress {
        get throws(Problem) {
            guard let client else { throw Problem(.clientUnnamed) }
            return client
        }
    }
}

extension Request {
    /// What the one `Authorization` header has after its scheme, whose case does not matter (RFC 9110 section 11.4).
    func credentials(scheme: String) -> String? {
        let headers = headers[values: .authorization]
        guard headers.count == 1, let parts = headers.first?.split(separator: " ", omittingEmptySubsequences: false),
            parts.count == 2, parts[0].lowercased() == scheme.lowercased()
        else { return nil }
        return String(parts[1])
    }
}
