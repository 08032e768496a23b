internal import Amounts
internal import Curves
public import DisplayText
public import Encoding

/// A call of a function that this wallet knows, with all of its arguments: also those of which ``ContractCall`` makes nothing.
public struct CalledFunction: Equatable, Sendable {
    /// `transfer(address,uint256)`.
    public let signature: String
    /// The function, and its arguments in their order; what is in a tuple or a list lies one deeper.
    public let lines: [SanitizedLine]
    /// An object of the arguments by their names. Numbers are decimal text, bytes hexadecimal.
    public let arguments: JSON

    /// Reads the data of a transaction. Nil if they are for an unknown function, or the arguments are not what it takes.
    ///
    /// - Parameter depth: of the first line.
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

/// Names arguments in the order of a function's ``ContractFunction/labels``.
private struct ArgumentLabels {
    private let names: [String]
    private var next = 0

    init(_ names: [String]) { self.names = names }

    /// Arguments beside each other, or the values in a tuple.
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
                // The names of what is in an element are the same for each.
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
    /// How many names what is in it has.
    fileprivate var innerLabels: Int {
        switch self {
        case .tuple(let types): types.reduce(0) { $0 + 1 + $1.innerLabels }
        case .array(let element, _): element.innerLabels
        default: 0
        }
    }
}

extension ABIValue {
    /// The value as text; of what holds others, nothing.
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

    /// The value in a line; of what holds others, nothing.
    var content: SanitizedLine.Content {
        if case .string(let text) = self {
            .text(SanitizedText(text, limit: EthereumLimits.shownMessageCharacters, lines: .several))
        } else {
            .value(text)
        }
    }

    /// A Boolean, or the value as text.
    var json: JSON { if case .bool(let flag) = self { .bool(flag) } else { .string(text) } }
}
