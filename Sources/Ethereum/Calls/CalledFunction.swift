internal import Amounts
public import DisplayText
public import Encoding

/// A call of a known function with all of its arguments, also those that ``ContractCall`` ignores.
public struct CalledFunction: Equatable, Sendable {
    /// The function's signature: `transfer(address,uint256)`.
    public let signature: String
    /// The function, and its arguments in order; the elements of a tuple or a list are one level deeper.
    public let lines: [SanitizedLine]
    /// The arguments as an object by their names. Numbers are decimal text, bytes hexadecimal.
    public let arguments: JSON

    /// Reads the data of a transaction. Nil for an unknown function, or for arguments that do not match it.
    ///
    /// - Parameter depth: the depth of the first line.
    public init?(decoding data: [UInt8], depth: Int = 0) {
        guard let function = ContractFunction.all[Array(data.prefix(4))],
            let values = try? ABI.decode(data.dropFirst(4), as: function.types)
        else { return nil }
        signature = function.signature
        var labels = ArgumentLabels(function.labels)
        let members = labels.members(function.types, values, depth: depth + 1)
        lines = [SanitizedLine("calls \(function.signature)", .heading, depth: depth)] + members.lines
        arguments = members.json
    }
}

/// Assigns names to arguments, in the order of a function's ``ContractFunction/labels``.
private struct ArgumentLabels {
    private let names: [String]
    private var next = 0

    init(_ names: [String]) { self.names = names }

    /// Returns adjacent arguments, or the values in a tuple.
    mutating func members(_ types: [ABIType], _ values: [ABIValue], depth: Int) -> (lines: [SanitizedLine], json: JSON)
    {
        var lines: [SanitizedLine] = []
        var members: [JSON.Object.Member] = []
        for (type, value) in zip(types, values) {
            let label = names.indices.contains(next) ? names[next] : "argument \(next)"
            next += 1
            let (inner, json) = argument(label, type, value, depth: depth)
            lines += inner
            members.append(JSON.Object.Member(name: label, value: json))
        }
        guard let object = try? JSON.Object(members) else { preconditionFailure("two arguments have the same name") }
        return (lines, .object(object))
    }

    private mutating func argument(
        _ label: String, _ type: ABIType, _ value: ABIValue, depth: Int
    ) -> (lines: [SanitizedLine], json: JSON) {
        switch (type, value) {
        case (.tuple(let types), .tuple(let values)):
            let (lines, json) = members(types, values, depth: depth + 1)
            return ([SanitizedLine(label, .heading, depth: depth)] + lines, json)
        case (.array(let type, _), .array(let values)):
            let start = next
            var lines = [SanitizedLine(label, .list(count: values.count), depth: depth)]
            var elements: [JSON] = []
            for (index, value) in values.enumerated() {
                // All elements of a list use the same names.
                next = start
                let (inner, json) = argument("\(index)", type, value, depth: depth + 1)
                lines += inner
                elements.append(json)
            }
            next = start + type.innerLabels
            return (lines, .array(elements))
        default: return ([SanitizedLine(label, value.content, depth: depth)], value.json)
        }
    }
}

extension ABIType {
    /// The number of names for the values inside.
    fileprivate var innerLabels: Int {
        switch self {
        case .tuple(let types): types.reduce(0) { $0 + 1 + $1.innerLabels }
        case .array(let element, _): element.innerLabels
        default: 0
        }
    }
}

extension ABIValue {
    /// The value as text; empty for a value that contains others.
    private var text: String {
        switch self {
        case .uint(let number): number.description
        case .int(let number): number.description
        case .bool(let flag): "\(flag)"
        case .address(let address): address.description
        case .bytes(let bytes): "0x" + Hex.encode(bytes)
        case .string(let text): text
        case .array, .tuple: ""
        }
    }

    /// The value in a line; empty for a value that contains others.
    var content: SanitizedLine.Content {
        if case .string(let text) = self {
            .text(SanitizedText(text, limit: EthereumLimits.shownMessageCharacters, lines: .several))
        } else {
            .value(text)
        }
    }

    /// The value in JSON: a Boolean, or text.
    var json: JSON { if case .bool(let flag) = self { .bool(flag) } else { .string(text) } }
}
