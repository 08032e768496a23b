internal import Foundation
internal import SwiftASN1
internal import X509

/// A distinguished name, prepared for comparisons (RFC 5280, section 7.1).
///
/// Texts are equal without regard to case, to the number of spaces between words, to their encoding, and to characters
/// that do not show (RFC 4518): an excluded organization must not return with a soft hyphen in its name.
struct ComparedDirectoryName: Sendable {
    private struct Attribute: Hashable {
        let type: ASN1ObjectIdentifier
        /// The prepared text; nil for another value.
        let text: String?
        /// The encoding of a value that is not text.
        let bytes: [UInt8]
    }

    private let parts: [Set<Attribute>]

    init(_ name: DistinguishedName) {
        parts = name.map { part in
            Set(
                part.map { attribute in
                    let text = Self.text(of: attribute.value).map(Self.prepared)
                    return Attribute(
                        type: attribute.type, text: text, bytes: text == nil ? Self.encoding(of: attribute.value) : [])
                })
        }
    }

    /// Whether the name is the other one, or below it.
    func isWithin(_ other: ComparedDirectoryName) -> Bool { parts.starts(with: other.parts) }

    /// Returns the text of a value; nil if it has another type.
    static func text(of value: RelativeDistinguishedName.Attribute.Value) -> String? {
        if let text = String(value) { return text }
        guard let node = try? DER.parse(encoding(of: value)), node.identifier.tagClass == .universal,
            case .primitive(let bytes) = node.content
        else { return nil }
        // The universal tags of TeletexString (in fact Latin 1), IA5String, UniversalString and BMPString.
        switch node.identifier.tagNumber {
        case 20: return String(bytes: bytes, encoding: .isoLatin1)
        case 22: return String(bytes: bytes, encoding: .ascii)
        case 28: return String(bytes: bytes, encoding: .utf32BigEndian)
        case 30: return String(bytes: bytes, encoding: .utf16BigEndian)
        default: return nil
        }
    }

    private static func encoding(of value: RelativeDistinguishedName.Attribute.Value) -> [UInt8] {
        var serializer = DER.Serializer()
        // What was parsed can be encoded.
        try? serializer.serialize(ASN1Any(value))
        return serializer.serializedBytes
    }

    private static func prepared(_ text: String) -> String {
        let visible = text.precomposedStringWithCompatibilityMapping.lowercased().unicodeScalars.filter {
            !$0.properties.isDefaultIgnorableCodePoint
                && ($0.properties.generalCategory != .control || $0.properties.isWhitespace)
        }
        return String(String.UnicodeScalarView(visible)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
