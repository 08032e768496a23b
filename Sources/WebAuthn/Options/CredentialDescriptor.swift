internal import Encoding

/// A credential in options, with the transports of its authenticator (Level 3, section 5.8.3).
public struct CredentialDescriptor: Equatable, Sendable {
    public let id: CredentialID
    /// The transports; empty if they are unknown.
    public let transports: [Transport]

    /// Creates a descriptor of a credential and its transports.
    public init(id: CredentialID, transports: [Transport]) {
        self.id = id
        self.transports = transports
    }

    var json: JSON {
        .object(with: [
            "type": "public-key", "id": .string(id.description),
            "transports": transports.isEmpty ? nil : .array(transports.map { .string($0.name) }),
        ])
    }

    init(json: JSON) throws(WebAuthnError) {
        guard json["type"]?.string == "public-key", let text = json["id"]?.string else { throw .malformed(.options) }
        id = try CredentialID(text: text)
        guard let transports = Transport.list(json["transports"]) else { throw .malformed(.options) }
        self.transports = transports
    }

    static func list(_ json: JSON?) throws(WebAuthnError) -> [CredentialDescriptor] {
        guard let json else { return [] }
        guard let list = json.array, list.count <= WebAuthnLimits.listedCredentials else { throw .malformed(.options) }
        var credentials: [CredentialDescriptor] = []
        for element in list { credentials.append(try CredentialDescriptor(json: element)) }
        return credentials
    }
}

extension Transport {
    /// Returns the names in a JSON list, each once and in order; empty without a list, nil if the list has other
    /// values.
    static func list(_ json: JSON?) -> [Transport]? {
        guard let json else { return [] }
        guard let names = json.array, names.count <= WebAuthnLimits.transports else { return nil }
        var transports: Set<Transport> = []
        for name in names {
            guard let transport = name.string.flatMap({ Transport($0) }) else { return nil }
            transports.insert(transport)
        }
        return transports.sorted { $0.name < $1.name }
    }
}

extension JSON {
    /// Returns an optional member: nil if it is missing or null; throws `refused` for an unknown name.
    func choice<Value: RawRepresentable>(
        _ name: String, of type: Value.Type, else part: WebAuthnError.Part
    ) throws(WebAuthnError) -> Value? where Value.RawValue == String {
        guard let member = self[name], !member.isNull else { return nil }
        guard let text = member.string, let value = Value(rawValue: text) else { throw .malformed(part) }
        return value
    }

    /// Returns bytes in base64url.
    func bytes(_ name: String, of part: WebAuthnError.Part) throws(WebAuthnError) -> [UInt8] {
        guard let text = self[name]?.string, let bytes = try? Base64URL.decode(text) else { throw .malformed(part) }
        return bytes
    }
}
