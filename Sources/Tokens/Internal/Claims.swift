internal import AuthAPI
internal import Encoding

extension JSON.Object {
    /// A claim that must be there and be text.
    func text(_ claim: TokensError.Claim) throws(TokensError) -> String {
        guard let text = self[claim.rawValue]?.string else { throw .wrongClaim(claim) }
        return text
    }

    /// A claim of whole seconds since 1970. RFC 7519 section 2 allows fractions; nobody needs them, and none are accepted.
    func time(_ claim: TokensError.Claim) throws(TokensError) -> Timestamp {
        guard let seconds: Int64 = self[claim.rawValue]?.number?.integer() else { throw .wrongClaim(claim) }
        return Timestamp(seconds: seconds)
    }

    /// A claim of 22 characters.
    func identifier<Named>(_ claim: TokensError.Claim) throws(TokensError) -> Identifier<Named> {
        guard let identifier = try? Identifier<Named>(try text(claim)) else { throw .wrongClaim(claim) }
        return identifier
    }
}
