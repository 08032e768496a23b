/// The parts of a transaction that a signature covers (BIP-341, signature message; BIP-143, which has no ``default``).
public enum SighashType: UInt8, CaseIterable, Hashable, Sendable {
    /// All inputs and outputs; the signature has 64 bytes.
    case `default` = 0x00
    /// All inputs and outputs; the signature has 65 bytes.
    case all = 0x01
    /// All inputs and no output.
    case none = 0x02
    /// All inputs, and the output at the position of the input.
    case single = 0x03
    /// This input and all outputs.
    case allAnyoneCanPay = 0x81
    /// This input and no output.
    case noneAnyoneCanPay = 0x82
    /// This input, and the output at its position.
    case singleAnyoneCanPay = 0x83

    /// Whether it covers all inputs and outputs. This wallet signs with no other type: what the user confirmed could
    /// still change.
    public var coversEverything: Bool { self == .default || self == .all }

    var isAnyoneCanPay: Bool { rawValue & 0x80 != 0 }
    var coversNoOutputs: Bool { rawValue & 0x03 == 0x02 }
    var coversOneOutput: Bool { rawValue & 0x03 == 0x03 }
}

extension SighashType: CustomStringConvertible {
    public var description: String {
        switch self {
        case .default: "DEFAULT"
        case .all: "ALL"
        case .none: "NONE"
        case .single: "SINGLE"
        case .allAnyoneCanPay: "ALL|ANYONECANPAY"
        case .noneAnyoneCanPay: "NONE|ANYONECANPAY"
        case .singleAnyoneCanPay: "SINGLE|ANYONECANPAY"
        }
    }
}
