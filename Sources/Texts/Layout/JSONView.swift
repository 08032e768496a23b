package import Encoding

/// A JSON value from another module, as a part of a result.
package struct JSONView: Encodable {
    private let json: JSON

    package init(_ json: JSON) { self.json = json }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package func encode(to encoder: any Encoder) throws {
        switch json {
        case .object(let object):
            var container = encoder.container(keyedBy: Name.self)
            for member in object.members {
                try container.encode(JSONView(member.value), forKey: Name(stringValue: member.name))
            }
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(JSONView(element)) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let flag):
            var container = encoder.singleValueContainer()
            try container.encode(flag)
        // A number may have more digits than other programs' numbers can hold.
        case .number(let number):
            var container = encoder.singleValueContainer()
            try container.encode(number.text)
        case .string(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }
}
