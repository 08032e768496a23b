public import DisplayText
internal import Encoding

/// The bytes that an output writes into the chain and that pays to no one (OP_RETURN).
public struct ScriptData: Hashable, Sendable {
    /// What the script pushes behind OP_RETURN, in its order; where it does more than push, all that stands there.
    public let bytes: [UInt8]
    private let isPushed: Bool

    /// - Parameter script: as it stands behind OP_RETURN.
    init(behindReturn script: ArraySlice<UInt8>) {
        let pushed = Self.pushed(by: script)
        isPushed = pushed != nil
        bytes = pushed ?? Array(script)
    }

    /// The bytes as text in UTF-8, if the script pushes text of which every character is seen as it is.
    public var text: String? {
        guard isPushed, !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let shown = SanitizedText(text, limit: bytes.count, lines: .one)
        return shown.oddities.isEmpty && shown.text == text ? text : nil
    }

    /// Nil for a script that does more than push bytes.
    private static func pushed(by script: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = script
        var bytes: [UInt8] = []
        while let code = rest.popFirst() {
            let width: Int
            switch code {
            case 0x00...0x4B: width = 0
            // OP_PUSHDATA1, 2 and 4: the size follows, in little-endian order.
            case 0x4C: width = 1
            case 0x4D: width = 2
            case 0x4E: width = 4
            default: return nil
            }
            guard rest.count >= width else { return nil }
            let size = width == 0 ? Int(code) : rest.prefix(width).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(width)
            guard rest.count >= size else { return nil }
            bytes += rest.prefix(size)
            rest = rest.dropFirst(size)
        }
        return bytes
    }
}

extension ScriptData: CustomStringConvertible {
    /// `'hello' (0x68656c6c6f)`, or only the hexadecimal digits where the bytes are no plain text.
    public var description: String {
        let digits = bytes.isEmpty ? "no bytes" : "0x" + Hex.encode(bytes)
        return text.map { "'\($0)' (\(digits))" } ?? digits
    }

    /// The ``description``, for a block of text of others.
    public var shown: SanitizedText { SanitizedText(description, limit: description.unicodeScalars.count, lines: .one) }

    /// How many bytes there are: `5 bytes`.
    public var size: String { bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes" }
}

extension ScriptPubKey {
    /// What the output writes into the chain, if that is all it does.
    public var data: ScriptData? { kind == .opReturn ? ScriptData(behindReturn: bytes.dropFirst()) : nil }
}
