internal import Amounts

/// The permission that signed typed data give, if this wallet knows their types.
public enum SignedPermission: Hashable, Sendable {
    /// A permission to take tokens. The contract checks the signature: the token, or Permit2.
    case permit(TokenPermit, contract: EthereumAddress)
    /// A transaction of a Safe.
    case safe(SafeTransaction)
}

extension TypedData {
    /// The permission, if the types are exactly those of a known standard. Nil means unknown, not harmless.
    public var permission: SignedPermission? {
        if encodedType == Self.safeType { return safe.map { .safe($0) } }
        guard let contract = domain.verifyingContract, let permit = permit(contract) else { return nil }
        return .permit(permit, contract: contract)
    }

    private static let safeType =
        "SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,"
        + "address gasToken,address refundReceiver,uint256 nonce)"
    private static let details =
        "PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
    private static let permissions = "TokenPermissions(address token,uint256 amount)"

    private func permit(_ contract: EthereumAddress) -> TokenPermit? {
        switch encodedType {
        case "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)":
            guard let value = message["value"]?.uint else { return nil }
            return make(
                .permit, [TokenPermit.Grant(token: contract, amount: Allowance(value), expiration: nil)],
                owner: message["owner"]?.address, deadline: "deadline")
        case "Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)":
            guard let isAllowed = message["allowed"]?.bool, let expiry = message["expiry"]?.uint else { return nil }
            let amount = Allowance(isAllowed ? .maximum : .zero)
            return make(
                .dai, [TokenPermit.Grant(token: contract, amount: amount, expiration: expiry)],
                owner: message["holder"]?.address, deadline: nil)
        case "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)\(Self.details)":
            guard let details = message["details"]?.structure, let grant = grant(details, bits: 160) else { return nil }
            return make(
                .permit2Allowance, [grant], owner: nil, deadline: "sigDeadline", nonce: details["nonce"]?.uint)
        case "PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)\(Self.details)":
            return make(.permit2Allowance, grants("details", bits: 160), owner: nil, deadline: "sigDeadline")
        default: return permitTransfer
        }
    }

    /// A single transfer of Permit2. A witness is the last member, and only the application knows its meaning.
    private var permitTransfer: TokenPermit? {
        let isBatch = message.name.hasPrefix("PermitBatch")
        let head =
            "\(message.name)(TokenPermissions\(isBatch ? "[]" : "") permitted,address spender,uint256 nonce,uint256 deadline"
        let standard: TokenPermit.Standard
        switch message.name {
        case "PermitTransferFrom", "PermitBatchTransferFrom":
            guard encodedType == "\(head))\(Self.permissions)" else { return nil }
            standard = .permit2Transfer
        case "PermitWitnessTransferFrom", "PermitBatchWitnessTransferFrom":
            guard encodedType.hasPrefix("\(head),"), encodedType.contains(Self.permissions), message.members.count == 5
            else { return nil }
            standard = .permit2WitnessTransfer
        default: return nil
        }
        let grants =
            isBatch
            ? grants("permitted", bits: 256) : [message["permitted"]?.structure.flatMap { grant($0, bits: 256) }]
        return make(standard, grants, owner: nil, deadline: "deadline")
    }

    private func grants(_ name: String, bits: Int) -> [TokenPermit.Grant?] {
        (message[name]?.array ?? []).map { value in value.structure.flatMap { grant($0, bits: bits) } }
    }

    private func grant(_ structure: Structure, bits: Int) -> TokenPermit.Grant? {
        guard let token = structure["token"]?.address, let amount = structure["amount"]?.uint else { return nil }
        return TokenPermit.Grant(
            token: token, amount: Allowance(amount, bits: bits), expiration: structure["expiration"]?.uint)
    }

    private func make(
        _ standard: TokenPermit.Standard, _ grants: [TokenPermit.Grant?], owner: EthereumAddress?, deadline: String?,
        nonce: UInt256? = nil
    ) -> TokenPermit? {
        let known = grants.compactMap(\.self)
        guard known.count == grants.count, let spender = message["spender"]?.address else { return nil }
        return TokenPermit(
            standard: standard, owner: owner, spender: spender, grants: known,
            nonce: nonce ?? message["nonce"]?.uint, deadline: deadline.flatMap { message[$0]?.uint })
    }

    private var safe: SafeTransaction? {
        guard let to = message["to"]?.address, let value = message["value"]?.uint, let data = message["data"]?.bytes,
            let operation = message["operation"]?.uint, let safeTxGas = message["safeTxGas"]?.uint,
            let baseGas = message["baseGas"]?.uint, let gasPrice = message["gasPrice"]?.uint,
            let gasToken = message["gasToken"]?.address, let refundReceiver = message["refundReceiver"]?.address,
            let nonce = message["nonce"]?.uint
        else { return nil }
        let kind: SafeTransaction.Operation =
            operation.isZero ? .call : operation == .one ? .delegateCall : .unknown(operation)
        return SafeTransaction(
            safe: domain.verifyingContract, chainID: domain.chainID, to: to, value: Wei(value), data: data,
            operation: kind, safeTxGas: safeTxGas, baseGas: baseGas, gasPrice: gasPrice, gasToken: gasToken,
            refundReceiver: refundReceiver, nonce: nonce)
    }
}
