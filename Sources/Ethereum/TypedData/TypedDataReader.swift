internal import Amounts
internal import Encoding

/// Reads the values of a document by their types.
struct TypedDataReader {
    let graph: TypeGraph
    private let typeHashes: [String: [UInt8]]

    init(graph: TypeGraph) {
        self.graph = graph
        // The hashes of all structures, since each value needs that of its type.
        typeHashes = Dictionary(uniqueKeysWithValues: graph.names.map { ($0, graph.typeHash($0)) })
    }

    /// Reads a structure. The recursion is at most as deep as the JSON.
    func structure(_ name: String, _ json: JSON) throws(EthereumError) -> TypedData.Structure {
        guard let object = json.object else { throw .badTypedData(.wrongKind) }
        var members: [(TypeGraph.Member, TypedData.Value)] = []
        for member in try graph.members(of: name) {
            guard let value = object[member.name] else { throw .badTypedData(.missingMember, at: member.name) }
            let read = try TypedData.reading(member.name) { () throws(EthereumError) in
                try self.value(member.type, value)
            }
            members.append((member, read))
        }
        // No name occurs twice, so a larger number means an unknown member.
        guard object.members.count == members.count else {
            let known = Set(members.map(\.0.name))
            let other = object.members.first { !known.contains($0.name) }?.name ?? ""
            throw .badTypedData(.unknownMember, at: TypedDataType.isIdentifier(other) ? other : "")
        }
        return TypedData.Structure(name: name, typeHash: typeHashes[name] ?? graph.typeHash(name), members: members)
    }

    private func value(_ type: TypedDataType, _ json: JSON) throws(EthereumError) -> TypedData.Value {
        switch type {
        case .uint(let bits):
            let (isNegative, magnitude) = try integer(json)
            guard !isNegative, magnitude.bitWidth <= bits else { throw .badTypedData(.outOfRange) }
            return .uint(magnitude)
        case .int(let bits):
            let (isNegative, magnitude) = try integer(json)
            guard let number = try? Int256(isNegative: isNegative, magnitude: magnitude), number.fits(bits: bits) else {
                throw .badTypedData(.outOfRange)
            }
            return .int(number)
        case .bool:
            guard let value = json.bool else { throw .badTypedData(.wrongKind) }
            return .bool(value)
        case .address:
            guard let text = json.string else { throw .badTypedData(.wrongKind) }
            do { return .address(try EthereumAddress(text)) } catch .malformed(.badChecksum) {
                throw .badTypedData(.badAddressChecksum)
            } catch { throw .badTypedData(.badAddress) }
        case .fixedBytes(let count):
            let bytes = try bytes(json)
            guard bytes.count == count else { throw .badTypedData(.wrongSize) }
            return .bytes(bytes)
        case .bytes: return .bytes(try bytes(json))
        case .string:
            guard let text = json.string else { throw .badTypedData(.wrongKind) }
            return .string(text)
        case .array(let type, let count):
            guard let elements = json.array else { throw .badTypedData(.wrongKind) }
            guard count == nil || count == elements.count else { throw .badTypedData(.wrongSize) }
            var values: [TypedData.Value] = []
            for (position, element) in elements.enumerated() {
                values.append(
                    try TypedData.reading("[\(position)]") { () throws(EthereumError) in try value(type, element) })
            }
            return .array(values)
        case .structure(let name): return .structure(try structure(name, json))
        }
    }

    /// Reads a number, digits in a string, or `0x` and hexadecimal digits in a string. A number with a fraction or an
    /// exponent is refused: a reader that uses `Double` could get another value.
    private func integer(_ json: JSON) throws(EthereumError) -> (isNegative: Bool, magnitude: UInt256) {
        let text: String
        if let number = json.number {
            guard number.isInteger else { throw .badTypedData(.outOfRange) }
            text = number.text
        } else if let string = json.string {
            text = string
        } else {
            throw .badTypedData(.wrongKind)
        }
        let isNegative = text.hasPrefix("-")
        let magnitude =
            text.hasPrefix("0x")
            ? try? UInt256(hexadecimal: text) : try? UInt256(decimal: isNegative ? String(text.dropFirst()) : text)
        guard let magnitude else { throw .badTypedData(.outOfRange) }
        return (isNegative, magnitude)
    }

    private func bytes(_ json: JSON) throws(EthereumError) -> [UInt8] {
        guard let text = json.string, text.hasPrefix("0x") else { throw .badTypedData(.wrongKind) }
        do { return try Hex.decode(String(text.dropFirst(2))) } catch { throw .badTypedData(.wrongKind) }
    }
}
