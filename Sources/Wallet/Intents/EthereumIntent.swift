internal import Amounts
internal import Curves
public import Ethereum

extension Intent {
    /// Describes the effects of an Ethereum transaction, if this account signs it.
    public init(_ transaction: EthereumTransaction, from sender: EthereumAddress) {
        chain = transaction.chainID.map(Chain.ethereum)
        effects = Self.effects(of: transaction, from: sender)
        highestFee = transaction.maximumFee.value
        findings = Self.findings(on: transaction)
        digest = Self.digest("transaction", signer: sender, transaction.encoded)
    }

    private static func effects(of transaction: EthereumTransaction, from sender: EthereumAddress) -> [Effect] {
        let delegations = transaction.authorizations.map {
            Effect.delegation(to: $0.delegate == .zero ? nil : $0.delegate)
        }
        guard let recipient = transaction.to else { return delegations + [.deployment] }
        let value = transaction.value.value
        let payment = Effect.payment(.coin, amount: value, to: .ethereum(recipient))
        if transaction.data.isEmpty {
            // A payment of zero to the account itself replaces another transaction with the same nonce.
            return delegations + (recipient == sender && value.isZero ? [.nothing] : [payment])
        }
        return delegations + (value.isZero ? [] : [payment])
            + Effect.effects(of: transaction.data, calling: recipient, from: sender)
    }

    private static func findings(on transaction: EthereumTransaction) -> [Finding] {
        var findings: [Finding] = []
        if transaction.chainID == nil {
            findings.append(
                Finding("no_chain", "it names no chain, and could be repeated on every other one", .refusal))
        }
        if transaction.gasLimit < transaction.intrinsicGas {
            findings.append(
                Finding("too_little_gas", "its limit of gas is less than any such transaction takes", .refusal))
        }
        if transaction.to == nil, transaction.data.count > EthereumTransaction.maximumInitCode {
            findings.append(Finding("too_much_code", "it makes a contract of more code than there may be", .refusal))
        }
        if transaction.to == nil, !transaction.value.value.isZero {
            findings.append(
                Finding("paid_contract", "it gives coins to a new contract, whose code cannot be decoded", .refusal))
        }
        if case .blob = transaction.kind {
            findings.append(Finding("blob", "it carries blobs, which this wallet does not send", .notice))
        }
        guard transaction.to != nil, let function = CalledFunction(decoding: transaction.data) else { return findings }
        return findings + ContractCall(decoding: transaction.data).findings + Finding.findings(on: function.lines)
    }

    /// Returns the digest of the bytes that an account signs, 32 bytes: taggedHash("Fueki/ethereum/intent", size of the
    /// kind's name (1 byte) ‖ its name ‖ account (20 bytes) ‖ the bytes).
    static func digest(_ kind: String, signer: EthereumAddress, _ bytes: [UInt8]) -> [UInt8] {
        BIP340.taggedHash(
            "Fueki/ethereum/intent", [UInt8(kind.utf8.count)] + Array(kind.utf8) + signer.bytes + bytes)
    }
}
