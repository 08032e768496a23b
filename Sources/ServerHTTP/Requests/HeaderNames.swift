package import HTTPTypes

extension HTTPField.Name {
    package static let xForwardedFor = known("X-Forwarded-For")
    package static let xRequestID = known("X-Request-Id")
    package static let forwarded = known("Forwarded")
    package static let xRealIP = known("X-Real-IP")
    package static let dpop = known("DPoP")
    package static let dpopNonce = known("DPoP-Nonce")
    package static let referrerPolicy = known("Referrer-Policy")
    package static let crossOriginOpenerPolicy = known("Cross-Origin-Opener-Policy")
    /// The field `Clear-Site-Data` of the W3C specification of that name.
    package static let clearSiteData = known("Clear-Site-Data")
    package static let permissionsPolicy = known("Permissions-Policy")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("a name that is written here is well formed") }
        return name
    }
}
