public import Encoding

/// A JSON Web Signature in its compact form (RFC 7515 section 3.1), of ES256 and nothing else, which nobody has verified yet.
///
/// There is no algorithm to choose: neither the token nor the key can name another. What is signed is handed out by
/// ``verified(by:)``; inside of this module also by `uncheckedClaims()`, to refuse early what no signature would save.
public struct CompactJWS: Sendable {
    /// The protected header: not to be believed before the signature is verified.
    let header: JSON.Object
    /// The first two parts and the dot between them.
    private let signed: ArraySlice<UInt8>
    private let encodedPayload: ArraySlice<UInt8>
    /// `r` and `s`, 32 bytes each.
    private let signature: [UInt8]

    /// Splits the text and checks the header.
    ///
    /// - Parameters:
    ///   - type: what `typ` must be, character for character; nil where the header must not have one.
    ///   - limit: how many characters there may be.
    /// - Throws: ``TokensError/tooLong(limit:)``, ``TokensError/malformed(_:)``, ``TokensError/wrongAlgorithm``,
    ///   ``TokensError/wrongType``, ``TokensError/forbiddenHeader``.
    public init(parsing text: String, type: String?, limit: Int) throws(TokensError) {
        guard text.utf8.count <= limit else { throw .tooLong(limit: limit) }
        let characters = Array(text.utf8)
        // RFC 7515 section 5.2, step 1: three parts between two dots. A third dot is no character of base64url.
        guard let first = characters.firstIndex(of: Self.dot),
            let second = characters[(first + 1)...].firstIndex(of: Self.dot)
        else { throw .malformed(.text) }
        // Step 2 and 7: base64url without padding, line breaks or bits that stand for nothing: one text for each token.
        guard let headerBytes = try? Base64URL.decode(characters[..<first]) else { throw .malformed(.header) }
        // RFC 7518 section 3.4: 64 bytes.
        guard let signature = try? Base64URL.decode(characters[(second + 1)...]), signature.count == 64 else {
            throw .malformed(.signature)
        }
        // Steps 3 and 4: an object of JSON in which no name is there twice.
        guard let json = try? JSON(decoding: headerBytes, limit: limit, depth: TokensLimits.depth),
            let header = json.object
        else { throw .malformed(.header) }
        // RFC 8725 section 3.1: the algorithm is ours to say. "none", HMACs and other curves end here.
        guard header["alg"] == "ES256" else { throw .wrongAlgorithm }
        // RFC 8725 section 3.11: a token of one kind is not to be taken for one of another.
        guard header["typ"] == type.map({ JSON.string($0) }) else { throw .wrongType }
        // Step 5, and RFC 7797: there is no extension that we understand. RFC 8725 section 3.10: nor is there a key to be
        // fetched from anywhere, or to be taken from a certificate.
        for member in header.members where Self.forbidden.contains(member.name) { throw .forbiddenHeader }
        self.header = header
        self.signature = signature
        signed = characters[..<second]
        encodedPayload = characters[(first + 1)..<second]
    }

    private static let dot = UInt8(ascii: ".")
    private static let forbidden = ["crit", "b64", "jku", "x5u", "x5c", "x5t", "x5t#S256"]

    /// What was signed, if this key signed it.
    ///
    /// A signature has two forms (`s` and `n - s`), and both are valid: nothing may be recognised by its signature.
    /// - Throws: ``TokensError/badSignature``; ``TokensError/malformed(_:)`` if what was signed is not base64url.
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
    /// A claim that is wrong refuses the token for less work than a verification. A claim that is right means nothing until
    /// ``requireSignature(by:)`` has returned.
    func uncheckedClaims() throws(TokensError) -> JSON.Object {
        guard let payload = try? Base64URL.decode(encodedPayload),
            let json = try? JSON(decoding: payload, limit: payload.count, depth: TokensLimits.depth),
            let claims = json.object
        else { throw .malformed(.payload) }
        return claims
    }

    /// Header and payload, signed.
    public static func sign(header: JSON, payload: [UInt8], by key: SigningKey) -> String {
        sign(encodedHeader: Base64URL.characters(of: header.encoded), payload: payload, by: key)
    }

    /// - Parameter encodedHeader: the characters of the header in base64url.
    static func sign(encodedHeader: [UInt8], payload: [UInt8], by key: SigningKey) -> String {
        let signed = signingInput(encodedHeader: encodedHeader, payload: payload)
        return String(decoding: complete(signed, signature: key.signature(for: signed)), as: UTF8.self)
    }

    /// RFC 7515 section 5.1, steps 1 to 5: what the signature is over.
    static func signingInput(header: JSON, payload: [UInt8]) -> [UInt8] {
        signingInput(encodedHeader: Base64URL.characters(of: header.encoded), payload: payload)
    }

    private static func signingInput(encodedHeader: [UInt8], payload: [UInt8]) -> [UInt8] {
        var signed = encodedHeader
        signed.append(dot)
        signed += Base64URL.characters(of: payload)
        return signed
    }

    /// - Parameter signature: `r` and `s`, 32 bytes each.
    static func complete(_ signed: [UInt8], signature: [UInt8]) -> [UInt8] {
        signed + [dot] + Base64URL.characters(of: signature)
    }
}
