public import Encoding

extension TypedData {
    /// The message, what a Safe calls by it, and what the signature is meant for: each member, with exactly what is signed.
    public var lines: [ShownLine] {
        Self.lines(message.name, .structure(message), depth: 0) + called + [ShownLine("meant for", .heading, depth: 0)]
            + domain.members.flatMap { Self.lines($0.name, $0.value, depth: 1) }
    }

    /// The data of a Safe's transaction once more, argument by argument.
    private var called: [ShownLine] {
        guard case .safe(let transaction)? = permission,
            let function = CalledFunction(decoding: transaction.data, depth: 1)
        else { return [] }
        return [ShownLine("its data, read", .heading, depth: 0)] + function.lines
    }

    private static func lines(_ label: String, _ value: Value, depth: Int) -> [ShownLine] {
        switch value {
        case .string(let text):
            let shown = ShownText(text, limit: WalletLimits.shownMessageCharacters, lines: .several)
            return [ShownLine(label, .text(shown), depth: depth)]
        case .array(let values):
            return [ShownLine(label, .list(count: values.count), depth: depth)]
                + values.enumerated().flatMap { lines("\($0)", $1, depth: depth + 1) }
        case .structure(let structure):
            return [ShownLine(label, .heading, depth: depth)]
                + structure.members.flatMap { lines($0.name, $0.value, depth: depth + 1) }
        case .uint, .int, .bool, .address, .bytes:
            return [ShownLine(label, .value(value.text), depth: depth)]
        }
    }

    /// An object of `domain`, `primary_type` and `message`. Numbers are decimal text, bytes hexadecimal; text is as it is signed.
    public var json: JSON {
        .object(with: [
            "domain": Self.object(domain.members), "primary_type": .string(message.name),
            "message": Self.object(message.members),
        ])
    }

    private static func json(_ value: Value) -> JSON {
        switch value {
        case .bool(let flag): .bool(flag)
        case .array(let values): .array(values.map(json))
        case .structure(let structure): object(structure.members)
        case .uint, .int, .address, .bytes, .string: .string(value.text)
        }
    }

    private static func object(_ members: [Structure.Member]) -> JSON {
        let members = members.map { JSON.Object.Member(name: $0.name, value: json($0.value)) }
        guard let object = try? JSON.Object(members) else { preconditionFailure("a type has no two members of a name") }
        return .object(object)
    }
}

extension TypedData.Value {
    /// The value as text; of what holds others, nothing.
    fileprivate var text: String {
        switch self {
        case .uint(let number): number.description
        case .int(let number): number.description
        case .bool(let flag): "\(flag)"
        case .address(let address): address.description
        case .bytes(let bytes): "0x" + Hex.encode(bytes)
        case .string(let text): text
        case .array, .structure: ""
        }
    }
}
