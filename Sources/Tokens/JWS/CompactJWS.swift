public import Encoding

/// A JSON Web Signature in its compact form (RFC 7515 section 3.1), with ES256 only, not yet verified.
///
/// The algorithm cannot be chosen: neither the token nor the key can name another. ``verified(by:)`` returns the signed
/// claims. Inside this module `uncheckedClaims()` also reads them before verification, to refuse early a token that is
/// invalid whatever its signature is.
public struct CompactJWS: Sendable {
    /// The protected header: untrusted before the signature is verified.
    let header: JSON.Object
    /// The first two parts and the dot between them.
    private let signed: ArraySlice<UInt8>
    private let encodedPayload: ArraySlice<UInt8>
    /// The signature: `r` and `s`, 32 bytes each.
    private let signature: [UInt8]

    /// Splits the text and checks the header.
    ///
    /// - Parameters:
    ///   - type: the required `typ`, character for character; nil if the header must not have one.
    ///   - limit: the maximum number of characters.
    /// - Throws: ``TokensError/tooLong(limit:)``, ``TokensError/malformed(_:)``, ``TokensError/wrongAlgorithm``,
    ///   ``TokensError/wrongType``, ``TokensError/forbiddenHeader``.
    public init(parsing text: String, type: String?, limit: Int) throws(TokensError) {
        guard text.utf8.count <= limit else { throw .tooLong(limit: limit) }
        let characters = Array(text.utf8)
        // RFC 7515 section 5.2, step 1: three parts between two dots. A third dot is not a character of base64url.
        guard let first = characters.firstIndex(of: Self.dot),
            let second = characters[(first + 1)...].firstIndex(of: Self.dot)
        else { throw .malformed(.text) }
        // Steps 2 and 7: base64url without padding, line breaks or unused bits, so that each token has one text.
        guard let headerBytes = try? Base64URL.decode(characters[..<first]) else { throw .malformed(.header) }
        // RFC 7518 section 3.4: 64 bytes.
        guard let signature = try? Base64URL.decode(characters[(second + 1)...]), signature.count == 64 else {
            throw .malformed(.signature)
        }
        // Steps 3 and 4: a JSON object in which no name occurs twice.
        guard let json = try? JSON(decoding: headerBytes, limit: limit, depth: TokensLimits.depth),
            let header = json.object
        else { throw .malformed(.header) }
        // RFC 8725 section 3.1: the token does not choose the algorithm. This refuses "none", HMACs and other curves.
        guard header["alg"] == "ES256" else { throw .wrongAlgorithm }
        // RFC 8725 section 3.11: a token of one kind must not be accepted as another.
        guard header["typ"] == type.map({ JSON.string($0) }) else { throw .wrongType }
        // Step 5, and RFC 7797: this library understands no extension. RFC 8725 section 3.10: it neither fetches a key
        // nor takes one from a certificate.
        for member in header.members where Self.forbidden.contains(member.name) { throw .forbiddenHeader }
        self.header = header
        self.signature = signature
        signed = characters[..<second]
        encodedPayload = characters[(first + 1)..<second]
    }

    private static let dot = UInt8(ascii: ".")
    private static let forbidden = ["crit", "b64", "jku", "x5u", "x5c", "x5t", "x5t#S256"]

    /// Returns the payload, if this key signed it.
    ///
    /// A signature has two valid forms (`s` and `n - s`), so nothing may be identified by its signature.
    /// - Throws: ``TokensError/badSignature``; ``TokensError/malformed(_:)`` if the payload is not base64url.
    public func verified(by key: PublicJWK) throws(TokensError) -> [UInt8] {
        try requireSignature(by: key)
        guard let payload = try? Base64URL.decode(encodedPayload) else { throw .malformed(.payload) }
        return payload
    }

    /// Verifies the signature. - Throws: ``TokensError/badSignature``.
    func requireSignature(by key: PublicJWK) throws(TokensError) {
        guard key.isValid(signature, for: signed) else { throw .badSignature }
    }

    /// Reads the claims (RFC 7519 section 7.2, step 10) before the signature is verified.
    ///
    /// A wrong claim refuses the token for less work than a verification. A right claim means nothing until
    /// ``requireSignature(by:)`` has returned.
    func uncheckedClaims() throws(TokensError) -> JSON.Object {
        guard let payload = try? Base64URL.decode(encodedPayload),
            let json = try? JSON(decoding: payload, limit: payload.count, depth: TokensLimits.depth),
            let claims = json.object
        else { throw .malformed(.payload) }
        return claims
    }

    /// Returns the signed header and payload.
    public static func sign(header: JSON, payload: [UInt8], by key: SigningKey) -> String {
        sign(encodedHeader: Base64URL.characters(of: header.encoded), payload: payload, by: key)
    }

    /// Signs a payload, and returns the token.
    ///
    /// - Parameter encodedHeader: the header's characters in base64url.
    static func sign(encodedHeader: [UInt8], payload: [UInt8], by key: SigningKey) -> String {
        let signed = signingInput(encodedHeader: encodedHeader, payload: payload)
        return String(decoding: complete(signed, signature: key.signature(for: signed)), as: UTF8.self)
    }

    /// Returns the signed bytes (RFC 7515 section 5.1, steps 1 to 5).
    static func signingInput(header: JSON, payload: [UInt8]) -> [UInt8] {
        signingInput(encodedHeader: Base64URL.characters(of: header.encoded), payload: payload)
    }

    private static func signingInput(encodedHeader: [UInt8], payload: [UInt8]) -> [UInt8] {
        var signed = encodedHeader
        signed.append(dot)
        signed += Base64URL.characters(of: payload)
        return signed
    }

    /// Appends the signature to the signed bytes.
    ///
    /// - Parameter signature: `r` and `s`, 32 bytes each.
    static func complete(_ signed: [UInt8], signature: [UInt8]) -> [UInt8] {
        signed + [dot] + Base64URL.characters(of: signature)
    }
}
