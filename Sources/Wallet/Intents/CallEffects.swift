internal import Amounts
internal import DisplayText
internal import Ethereum

extension Effect {
    /// The address of Permit2 on every chain that has it. Another contract with the same functions may do anything.
    static let permit2 = (try? EthereumAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3")) ?? .zero

    /// Returns the effects of a call, as far as this wallet knows the function.
    ///
    /// - Parameter account: the account whose tokens are spent: the sender, or the Safe that calls.
    static func effects(of data: [UInt8], calling contract: EthereumAddress, from account: EthereumAddress) -> [Effect]
    {
        let holdings = Holdings(account: account)
        let unknown = [Effect.call(contract, selector: Array(data.prefix(4)))]
        switch ContractCall(decoding: data) {
        case .none: return []
        case .transfer(let to, let amount):
            // Collections from before ERC-721 (CryptoKitties) also have this function. No account owns item 0 there, so
            // zero stays a payment of nothing, which is refused.
            let asset = amount.isZero ? Asset.token(contract) : .tokenOrItem(contract)
            return [.payment(asset, amount: amount, to: .ethereum(to))]
        case .transferFrom(let from, let to, let amount):
            return [holdings.move(.tokenOrItem(contract), amount, from: from, to: to)]
        case .approve(let spender, let amount):
            return [.allowance(.tokenOrItem(contract), amount: limit(Allowance(amount)), to: .ethereum(spender))]
        case .increaseAllowance(let spender, let amount):
            // An increase of this size makes the allowance unlimited, whatever was allowed before.
            return Allowance(amount).isUnlimited
                ? [.allowance(.token(contract), amount: nil, to: .ethereum(spender))]
                : [.increase(.token(contract), by: amount, to: .ethereum(spender))]
        case .decreaseAllowance(let spender, let amount):
            return [.decrease(.token(contract), by: amount, to: .ethereum(spender))]
        case .safeTransferFrom(let from, let to, let id, _):
            return [holdings.move(.item(contract, id: id), .one, from: from, to: to)]
        case .safeTransfers(let from, let to, let items, _, _):
            return items.isEmpty
                ? [.nothing]
                : items.map { holdings.move(.item(contract, id: $0.id), $0.amount, from: from, to: to) }
        case .setApprovalForAll(let spender, let isApproved):
            return [.control(of: contract, by: .ethereum(spender), isGiven: isApproved)]
        case .permit(let permit): return allowances(by: permit, checkedBy: contract) ?? unknown
        case .permit2Approve(let token, let spender, let amount, _):
            guard contract == permit2 else { return unknown }
            return [.allowance(.token(token), amount: limit(amount), to: .ethereum(spender))]
        case .permit2Transfers(let transfers, _):
            guard contract == permit2, !transfers.isEmpty else { return unknown }
            return transfers.map { holdings.move(.token($0.token), $0.amount, from: $0.from, to: $0.to) }
        case .permitTransfer(let permit, let recipients):
            guard contract == permit2, let owner = permit.owner, !recipients.isEmpty else { return unknown }
            return zip(permit.grants, recipients).map { grant, recipient in
                holdings.move(.token(grant.token ?? contract), recipient.amount, from: owner, to: recipient.to)
            }
        case .unknown: return unknown
        }
    }

    /// Returns the effects that a holder of the account's signature of the typed data can cause.
    static func effects(of data: TypedData, by account: EthereumAddress) -> [Effect] {
        let statement = [
            Effect.statement(
                type: SanitizedText(data.message.name, limit: EthereumLimits.typeNameBytes, lines: .one),
                for: data.domain.verifyingContract)
        ]
        switch data.permission {
        case .permit(let permit, let contract): return allowances(by: permit, checkedBy: contract) ?? statement
        case .safe(let transaction): return effects(of: transaction) ?? statement
        case nil: return statement
        }
    }

    /// Returns the effects of a Safe transaction; nil if a delegate call runs foreign code in the Safe, or the relayer
    /// is paid.
    private static func effects(of transaction: SafeTransaction) -> [Effect]? {
        guard let safe = transaction.safe, transaction.operation == .call, transaction.gasPrice.isZero else {
            return nil
        }
        let value = transaction.value.value
        let payment = Effect.transfer(.coin, amount: value, from: .ethereum(safe), to: .ethereum(transaction.to))
        let called = effects(of: transaction.data, calling: transaction.to, from: safe)
        return (value.isZero && !called.isEmpty ? [] : [payment]) + called
    }

    private static func allowances(by permit: TokenPermit, checkedBy contract: EthereumAddress) -> [Effect]? {
        let isPermit2 = ![.permit, .dai].contains(permit.standard)
        // The permit is bound to data that no code here understands: an order, whose price may be anything.
        guard permit.standard != .permit2WitnessTransfer, isPermit2 == (contract == permit2),
            let spender = permit.spender, !permit.grants.isEmpty
        else { return nil }
        return permit.grants.map {
            .allowance(.token($0.token ?? contract), amount: limit($0.amount), to: .ethereum(spender))
        }
    }

    /// Returns the amount; nil for an unlimited allowance.
    private static func limit(_ allowance: Allowance) -> UInt256? { allowance.isUnlimited ? nil : allowance.value }
}

/// The owner and the contract of some tokens.
private struct Holdings {
    let account: EthereumAddress

    func move(_ asset: Asset, _ amount: UInt256, from: EthereumAddress, to: EthereumAddress) -> Effect {
        from == account
            ? .payment(asset, amount: amount, to: .ethereum(to))
            : .transfer(asset, amount: amount, from: .ethereum(from), to: .ethereum(to))
    }
}
