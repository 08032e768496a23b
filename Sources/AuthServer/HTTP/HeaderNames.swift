internal import HTTPTypes

extension HTTPField.Name {
    static let xForwardedFor = known("X-Forwarded-For")
    static let xRequestID = known("X-Request-Id")
    static let forwarded = known("Forwarded")
    static let xRealIP = known("X-Real-IP")
    static let dpop = known("DPoP")
    static let dpopNonce = known("DPoP-Nonce")
    static let referrerPolicy = known("Referrer-Policy")
    static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    /// The field `Clear-Site-Data` of the W3C specification of that name.
    static let clearSiteData = known("Clear-Site-Data")
    static let permissionsPolicy = known("Permissions-Policy")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("a name that is written here is well formed") }
        return name
    }
}
