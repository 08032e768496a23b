public import DisplayText
internal import Encoding

/// The bytes that an output writes into the chain (OP_RETURN). Such an output pays to no one.
public struct ScriptData: Hashable, Sendable {
    /// The bytes that the script pushes after OP_RETURN, in order; all bytes after OP_RETURN if it does more than push.
    public let bytes: [UInt8]
    private let isPushed: Bool

    /// - Parameter script: the bytes after OP_RETURN.
    init(behindReturn script: ArraySlice<UInt8>) {
        let pushed = Self.pushed(by: script)
        isPushed = pushed != nil
        bytes = pushed ?? Array(script)
    }

    /// The bytes as UTF-8 text, if every character can be shown as it is.
    public var text: String? {
        guard isPushed, !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let shown = SanitizedText(text, limit: bytes.count, lines: .one)
        return shown.oddities.isEmpty && shown.text == text ? text : nil
    }

    /// Returns the pushed bytes; nil for a script that does more than push.
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
    /// The text and the hexadecimal digits, `'hello' (0x68656c6c6f)`, or the digits alone if the bytes are not plain
    /// text.
    public var description: String {
        let digits = bytes.isEmpty ? "no bytes" : "0x" + Hex.encode(bytes)
        return text.map { "'\($0)' (\(digits))" } ?? digits
    }

    /// The ``description``, sanitized for a block of untrusted text.
    public var shown: SanitizedText { SanitizedText(description, limit: description.unicodeScalars.count, lines: .one) }

    /// The size as text: `5 bytes`.
    public var size: String { bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes" }
}

extension ScriptPubKey {
    /// The data that the output writes into the chain, if that is all it does.
    public var data: ScriptData? { kind == .opReturn ? ScriptData(behindReturn: bytes.dropFirst()) : nil }
}
