package import AuthAPI
package import Hummingbird

/// The part of a request's head that shows who sends it. None of it is verified.
package struct PresentedRequest: Sendable {
    package let address: ClientAddress
    package let method: String
    package let path: String
    /// The `DPoP` header; nil unless there is exactly one (RFC 9449 section 4.3, step 1).
    package let proof: String?
    /// The access token of the scheme `DPoP`; nil without one, or for another scheme (RFC 9449 section 7.1).
    package let accessToken: String?
    /// Whether the request has an `Authorization` header, of any scheme.
    package let hasAuthorization: Bool

    /// Reads the head of a request.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/clientUnnamed`` for a proxy's probe, which names no client.
    package init(_ request: Request, _ context: ServerContext) throws(Problem) {
        address = try context.address
        method = request.method.rawValue
        path = request.uri.path
        let proofs = request.headers[values: .dpop]
        proof = proofs.count == 1 ? proofs[0] : nil
        accessToken = request.credentials(scheme: "DPoP")
        hasAuthorization = request.headers.contains(.authorization)
    }
}

extension ServerContext {
    /// The client's address.
    ///
    /// - Throws: ``Problem`` with ``ProblemCode/clientUnnamed`` for a proxy's probe, which names no client.
    package var address: ClientAddress {
        get throws(Problem) {
            guard let client else { throw Problem(.clientUnnamed) }
            return client
        }
    }
}

extension Request {
    /// Returns the text after the scheme in the only `Authorization` header. The scheme's case does not matter (RFC
    /// 9110 section 11.4).
    package func credentials(scheme: String) -> String? {
        let headers = headers[values: .authorization]
        guard headers.count == 1, let parts = headers.first?.split(separator: " ", omittingEmptySubsequences: false),
            parts.count == 2, parts[0].lowercased() == scheme.lowercased()
        else { return nil }
        return String(parts[1])
    }
}
