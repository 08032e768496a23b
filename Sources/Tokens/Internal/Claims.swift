internal import AuthAPI
internal import Encoding
internal import Time

extension JSON.Object {
    /// Returns a required claim of text.
    func text(_ claim: TokensError.Claim) throws(TokensError) -> String {
        guard let text = self[claim.rawValue]?.string else { throw .wrongClaim(claim) }
        return text
    }

    /// Returns a claim of whole seconds since 1970. RFC 7519 section 2 allows fractions; this library refuses them.
    func time(_ claim: TokensError.Claim) throws(TokensError) -> Timestamp {
        guard let seconds: Int64 = self[claim.rawValue]?.number?.integer() else { throw .wrongClaim(claim) }
        return Timestamp(seconds: seconds)
    }

    /// Returns a claim that is an identifier of 22 characters.
    func identifier<Named>(_ claim: TokensError.Claim) throws(TokensError) -> Identifier<Named> {
        guard let identifier = try? Identifier<Named>(try text(claim)) else { throw .wrongClaim(claim) }
        return identifier
    }
}
