internal import Crypto
public import Encoding

/// A public key of P-256 as a JSON Web Key (RFC 7517, RFC 7518 section 6.2), checked to be a point of the curve.
public struct PublicJWK: Sendable, Equatable {
    let key: P256.Signing.PublicKey
    /// The coordinates `x` and `y`, 32 bytes each.
    let coordinates: [UInt8]
    /// The key's thumbprint, which identifies it.
    public let thumbprint: KeyThumbprint

    /// Reads `{"kty":"EC","crv":"P-256","x":…,"y":…}`. Other members, such as `kid`, are ignored unless they forbid
    /// this use.
    ///
    /// - Throws: ``TokensError/malformed(_:)`` if a member is missing or not text, ``TokensError/privateKey``, and
    ///   ``TokensError/unsupportedKey`` for every other kind of key, and for coordinates that are not a point.
    public init(_ json: JSON) throws(TokensError) {
        guard let object = json.object else { throw .malformed(.key) }
        // RFC 7518 section 6.2.2, 6.3.2, 6.4: the members that only private and symmetric keys have. RFC 9449 section
        // 4.3, step 7. A client that sends one gets an error that says so.
        for member in object.members where Self.privateMembers.contains(member.name) { throw .privateKey }
        guard let type = object["kty"]?.string else { throw .malformed(.key) }
        guard type == "EC" else { throw .unsupportedKey }
        guard let curve = object["crv"]?.string else { throw .malformed(.key) }
        guard curve == "P-256" else { throw .unsupportedKey }
        // RFC 7517 sections 4.2 to 4.4: if the key states its use, it must be this one.
        if let use = object["use"], use != "sig" { throw .unsupportedKey }
        if let algorithm = object["alg"], algorithm != "ES256" { throw .unsupportedKey }
        if let operations = object["key_ops"], operations.array?.contains("verify") != true { throw .unsupportedKey }
        guard let x = object["x"]?.string, let y = object["y"]?.string else { throw .malformed(.key) }
        try self.init(coordinates: try Self.coordinate(x) + Self.coordinate(y))
    }

    /// Reads a coordinate (RFC 7518 section 6.2.1.2): exactly as many bytes as the field has, leading zeros included.
    private static func coordinate(_ text: String) throws(TokensError) -> [UInt8] {
        guard text.utf8.count == 43, let bytes = try? Base64URL.decode(Array(text.utf8)[...]) else {
            throw .malformed(.key)
        }
        return bytes
    }

    private static let privateMembers = ["d", "k", "p", "q", "dp", "dq", "qi", "oth"]

    /// Creates a key from the coordinates of its point.
    ///
    /// - Parameter coordinates: `x` and `y`, 32 bytes each, most significant byte first.
    /// - Throws: ``TokensError/unsupportedKey`` if they are not a point.
    public init(coordinates: [UInt8]) throws(TokensError) {
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: coordinates) else { throw .unsupportedKey }
        self.init(key, coordinates: coordinates)
    }

    init(_ key: P256.Signing.PublicKey) { self.init(key, coordinates: [UInt8](key.rawRepresentation)) }

    private init(_ key: P256.Signing.PublicKey, coordinates: [UInt8]) {
        self.key = key
        self.coordinates = coordinates
        // RFC 7638 section 3.2: the required members in the order of their names, without white space.
        var text = Array(#"{"crv":"P-256","kty":"EC","x":""#.utf8)
        text += Base64URL.characters(of: Array(coordinates.prefix(32)))
        text += Array(#"","y":""#.utf8)
        text += Base64URL.characters(of: Array(coordinates.suffix(32)))
        text += Array(#""}"#.utf8)
        thumbprint = KeyThumbprint(unchecked: Array(SHA256.hash(data: text)))
    }

    /// The coordinates as text, 43 characters each.
    private var texts: (x: String, y: String) {
        (Base64URL.encode(Array(coordinates.prefix(32))), Base64URL.encode(Array(coordinates.suffix(32))))
    }

    /// The key in JSON: `{"kty":"EC","crv":"P-256","x":…,"y":…}`
    public var json: JSON {
        let (x, y) = texts
        return ["kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(y)]
    }

    /// The key as in a key set: with `kid` and the key's use.
    var published: JSON {
        let (x, y) = texts
        return [
            "kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(y), "use": "sig", "alg": "ES256",
            "kid": .string(thumbprint.description),
        ]
    }

    public static func == (left: PublicJWK, right: PublicJWK) -> Bool { left.coordinates == right.coordinates }

    /// Hashes the bytes as one piece: Swift Crypto takes longer to iterate over a collection than to hash it.
    static func digest(_ bytes: [UInt8]) -> SHA256Digest {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize()
    }

    /// Returns whether the signature (`r` and `s`, 32 bytes each) is this key's over the bytes.
    func isValid(_ signature: [UInt8], for bytes: some Sequence<UInt8>) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: Self.digest(Array(bytes)))
    }
}
