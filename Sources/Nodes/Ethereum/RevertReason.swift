public import Amounts
public import DisplayText
internal import Encoding

/// The reason why a contract refused a call, as far as its answer says (the errors of Solidity's ABI).
public enum RevertReason: Hashable, Sendable {
    /// It gives no reason.
    case none
    /// `Error(string)`: the contract's words.
    case words(SanitizedText)
    /// `Panic(uint256)`: an error that the compiler checks for, by its number.
    case panic(UInt256)
    /// An error defined by the contract: its selector of four bytes, and the number of bytes that follow.
    case custom(selector: [UInt8], bytes: Int)

    /// Reads the data of a contract's refusal.
    ///
    /// - Parameter data: the data that the reverted call returned.
    public init(_ data: [UInt8]) {
        guard !data.isEmpty else {
            self = .none
            return
        }
        let (selector, rest) = (Array(data.prefix(4)), Array(data.dropFirst(4)))
        switch selector {
        case [0x08, 0xC3, 0x79, 0xA0]:
            self =
                Self.text(rest).map { .words(SanitizedText(ofNode: $0)) }
                ?? .custom(selector: selector, bytes: rest.count)
        case [0x4E, 0x48, 0x7B, 0x71] where rest.count == 32:
            self = (try? UInt256(bytes: rest)).map { .panic($0) } ?? .custom(selector: selector, bytes: rest.count)
        default: self = .custom(selector: selector, bytes: rest.count)
        }
    }

    /// Reads one ABI string: offset 32, the length, the bytes, and zeros up to a multiple of 32.
    private static func text(_ bytes: [UInt8]) -> String? {
        guard let offset = word(0, of: bytes), offset == 32,
            let length = word(32, of: bytes).flatMap({ Int(exactly: $0) }),
            length <= bytes.count - 64
        else { return nil }
        let padding = bytes.dropFirst(64 + length)
        guard padding.count < 32, padding.allSatisfy({ $0 == 0 }) else { return nil }
        return String(decoding: bytes.dropFirst(64).prefix(length), as: UTF8.self)
    }

    private static func word(_ offset: Int, of bytes: [UInt8]) -> UInt64? {
        guard bytes.count >= offset + 32 else { return nil }
        return (try? UInt256(bytes: bytes[offset..<offset + 32]))?.uint64
    }
}

extension RevertReason: CustomStringConvertible {
    /// The reason, to follow "the contract refuses: ".
    public var description: String {
        switch self {
        case .none: "it does not say why"
        case .words(let words): words.text
        case .panic(let code):
            Self.panics[code.uint64 ?? 0] ?? "a check of the compiler failed (panic \(code.quantity))"
        case .custom(let selector, _): "with an error of its own, 0x\(Hex.encode(selector))"
        }
    }

    private static let panics: [UInt64: String] = [
        0x01: "an assertion failed", 0x11: "a number would be too large or below zero", 0x12: "it would divide by zero",
        0x21: "a value is not in its list", 0x31: "it takes from an empty list",
        0x32: "a list does not have the element",
        0x41: "it needs too much memory",
    ]
}
