internal import Curves
internal import Encoding

/// The types that a document of typed data defines.
struct TypeGraph: Hashable, Sendable {
    struct Member: Hashable, Sendable {
        let name: String
        let type: TypedDataType
        /// The type as text.
        let typeText: String
    }

    private let types: [String: [Member]]

    init(_ json: JSON?) throws(EthereumError) {
        guard let object = json?.object else { throw .badTypedData(.shape) }
        guard object.members.count <= EthereumLimits.typedDataTypes else { throw .badTypedData(.tooMany) }
        var types: [String: [Member]] = [:]
        for type in object.members {
            guard TypedDataType.isStructureName(type.name) else { throw .badTypedData(.name) }
            types[type.name] = try TypedData.reading(type.name) { () throws(EthereumError) in
                try Self.members(type.value)
            }
        }
        self.types = types
        for type in object.members {
            for member in types[type.name] ?? [] {
                guard let name = member.type.structureName, types[name] == nil else { continue }
                throw .badTypedData(.unknownType, at: "\(type.name).\(member.name)")
            }
        }
    }

    private static func members(_ json: JSON) throws(EthereumError) -> [Member] {
        guard let list = json.array else { throw .badTypedData(.shape) }
        guard list.count <= EthereumLimits.typedDataMembers else { throw .badTypedData(.tooMany) }
        var members: [Member] = []
        var names: Set<String> = []
        for (position, entry) in list.enumerated() {
            guard let object = entry.object, object.members.count == 2, let name = object["name"]?.string,
                let type = object["type"]?.string
            else { throw .badTypedData(.shape, at: "[\(position)]") }
            guard TypedDataType.isIdentifier(name) else { throw .badTypedData(.name, at: "[\(position)]") }
            guard names.insert(name).inserted else { throw .badTypedData(.duplicateMember, at: name) }
            let read = try TypedData.reading(name) { () throws(EthereumError) in try TypedDataType(type) }
            members.append(Member(name: name, type: read, typeText: type))
        }
        return members
    }

    /// The names of all structures.
    var names: Dictionary<String, [Member]>.Keys { types.keys }

    func members(of name: String) throws(EthereumError) -> [Member] {
        guard let members = types[name] else { throw .badTypedData(.unknownType) }
        return members
    }

    /// Returns the type and all types that it uses, each as `Name(type name,…)`: the type itself, then the others by
    /// their names.
    func encodedType(_ name: String) -> String {
        var found: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            guard found.insert(next).inserted else { continue }
            open += (types[next] ?? []).compactMap(\.type.structureName)
        }
        found.remove(name)
        // Names are ASCII, so their order is that of their bytes.
        return ([name] + found.sorted()).map { name in
            let members = (types[name] ?? []).map { "\($0.typeText) \($0.name)" }
            return "\(name)(\(members.joined(separator: ",")))"
        }.joined()
    }

    func typeHash(_ name: String) -> [UInt8] { Keccak256.hash(Array(encodedType(name).utf8)) }
}
