public import Amounts
public import DisplayText
internal import Encoding
public import Ethereum

/// A call that is simulated without a transaction.
public struct EthereumCall: Hashable, Sendable {
    /// The account that calls.
    public let from: EthereumAddress
    /// The account that is called; nil to create a contract.
    public let to: EthereumAddress?
    /// The ether that is sent.
    public let value: Wei
    /// The data of the call.
    public let data: [UInt8]

    /// Creates a call.
    public init(from: EthereumAddress, to: EthereumAddress?, value: Wei, data: [UInt8]) {
        self.from = from
        self.to = to
        self.value = value
        self.data = data
    }

    /// The call that a transaction makes.
    public init(_ transaction: EthereumTransaction, from: EthereumAddress) {
        self.init(from: from, to: transaction.to, value: transaction.value, data: transaction.data)
    }

    var json: JSON {
        let plain: JSON = [
            "from": from.json, "value": .string(value.value.quantity), "data": JSON(data: data),
            "input": JSON(data: data),
        ]
        guard let to, let object = plain.object,
            let whole = try? JSON.Object(object.members + [JSON.Object.Member(name: "to", value: to.json)])
        else { return plain }
        return .object(whole)
    }
}

/// The result of a simulated call.
public enum Simulation: Hashable, Sendable {
    /// The call succeeds, now and at this node, and returns these bytes: a token may return "false", 32 zeros.
    case returns([UInt8])
    /// The contract refuses.
    case reverts(RevertReason)
    /// The call fails before it runs, with the node's words.
    case fails(SanitizedText)
}

extension EthereumNode {
    /// Simulates a call on the newest block (`eth_call`).
    public func simulate(_ call: EthereumCall) async throws(NodeError) -> Simulation {
        switch try await rpc.readAnswer("eth_call", [call.json, "latest"]) {
        case .result(let result): .returns(try result.data(.call, limit: NodeLimits.callBytes))
        case .fault(let fault): try Self.outcome(of: fault)
        }
    }

    private static func outcome(of fault: JSONRPC.Fault) throws(NodeError) -> Simulation {
        // go-ethereum uses the code 3; others say it in words.
        guard fault.code == 3 || fault.words.lowercased().contains("revert") else {
            // The node does not know the method or the parameters, which says nothing about the call.
            guard !(-32_700 ... -32_600).contains(fault.code) else { throw fault.error }
            return .fails(SanitizedText(ofNode: fault.words))
        }
        guard let data = fault.data, data.string != nil else { return .reverts(.none) }
        return .reverts(RevertReason(try data.data(.call, limit: NodeLimits.callBytes)))
    }
}
