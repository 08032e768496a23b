public import DisplayText
public import Encoding

extension TypedData {
    /// The message, the call of a Safe in it, and the domain: each member, with exactly the signed value.
    public var lines: [SanitizedLine] {
        Self.lines(message.name, .structure(message), depth: 0) + called + [
            SanitizedLine("meant for", .heading, depth: 0)
        ]
            + domain.members.flatMap { Self.lines($0.name, $0.value, depth: 1) }
    }

    /// The data of a Safe's transaction, argument by argument.
    private var called: [SanitizedLine] {
        guard case .safe(let transaction)? = permission,
            let function = CalledFunction(decoding: transaction.data, depth: 1)
        else { return [] }
        return [SanitizedLine("its data, read", .heading, depth: 0)] + function.lines
    }

    private static func lines(_ label: String, _ value: Value, depth: Int) -> [SanitizedLine] {
        switch value {
        case .array(let values):
            return [SanitizedLine(label, .list(count: values.count), depth: depth)]
                + values.enumerated().flatMap { lines("\($0)", $1, depth: depth + 1) }
        case .structure(let structure):
            return [SanitizedLine(label, .heading, depth: depth)]
                + structure.members.flatMap { lines($0.name, $0.value, depth: depth + 1) }
        case .uint, .int, .bool, .address, .bytes, .string:
            return [SanitizedLine(label, value.argument.content, depth: depth)]
        }
    }

    /// An object with `domain`, `primary_type` and `message`. Numbers are decimal text, bytes hexadecimal; text is as
    /// it is signed.
    public var json: JSON {
        .object(with: [
            "domain": Self.object(domain.members), "primary_type": .string(message.name),
            "message": Self.object(message.members),
        ])
    }

    private static func json(_ value: Value) -> JSON {
        switch value {
        case .array(let values): .array(values.map(json))
        case .structure(let structure): object(structure.members)
        case .uint, .int, .bool, .address, .bytes, .string: value.argument.json
        }
    }

    private static func object(_ members: [Structure.Member]) -> JSON {
        let members = members.map { JSON.Object.Member(name: $0.name, value: json($0.value)) }
        guard let object = try? JSON.Object(members) else { preconditionFailure("a type has no two members of a name") }
        return .object(object)
    }
}

extension TypedData.Value {
    /// The value as an argument of a call, which is shown in the same way.
    fileprivate var argument: ABIValue {
        switch self {
        case .uint(let number): .uint(number)
        case .int(let number): .int(number)
        case .bool(let flag): .bool(flag)
        case .address(let address): .address(address)
        case .bytes(let bytes): .bytes(bytes)
        case .string(let text): .string(text)
        case .array(let values): .array(values.map(\.argument))
        case .structure(let structure): .tuple(structure.members.map(\.value.argument))
        }
    }
}
