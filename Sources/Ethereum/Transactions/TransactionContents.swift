public import DisplayText
internal import Encoding

extension EthereumTransaction {
    /// The parts of the data that the effects do not show: each argument of a known function, or all bytes of other
    /// data. Empty if the effects show everything.
    public var contents: [SanitizedLine] {
        if data.isEmpty { return [] }
        if to != nil, ContractCall(decoding: data).isWholeInEffects { return [] }
        if to != nil, let function = CalledFunction(decoding: data) { return function.lines }
        let size = data.count == 1 ? "1 byte" : "\(data.count) bytes"
        return [SanitizedLine("data of \(size)", .value("0x" + Hex.encode(data)), depth: 0)]
    }
}

extension ContractCall {
    /// Whether the effects of the call show each of its arguments, whichever contract it calls.
    var isWholeInEffects: Bool {
        switch self {
        case .none, .transfer, .transferFrom, .safeTransferFrom(_, _, _, nil), .setApprovalForAll: true
        case .approve(_, let amount): !Allowance(amount).isUnlimited
        default: false
        }
    }
}
