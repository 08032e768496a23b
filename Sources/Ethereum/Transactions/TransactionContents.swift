public import DisplayText
internal import Encoding

extension EthereumTransaction {
    /// Of the data what the effects do not say: each argument of a known function, all bytes of anything else. Nothing where the
    /// effects say it all.
    public var contents: [SanitizedLine] {
        if data.isEmpty { return [] }
        if to != nil, ContractCall(decoding: data).isWholeInEffects { return [] }
        if to != nil, let function = CalledFunction(decoding: data) { return function.lines }
        let size = data.count == 1 ? "1 byte" : "\(data.count) bytes"
        return [SanitizedLine("data of \(size)", .value("0x" + Hex.encode(data)), depth: 0)]
    }
}

extension ContractCall {
    /// Whether the effects of the call name each of its arguments, whichever contract it calls.
    var isWholeInEffects: Bool {
        switch self {
        case .none, .transfer, .transferFrom, .safeTransferFrom(_, _, _, nil), .setApprovalForAll: true
        case .approve(_, let amount): !Allowance(amount).isUnlimited
        default: false
        }
    }
}
