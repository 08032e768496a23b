internal import Amounts
internal import Ethereum

extension Check {
    /// Finds payments to the zero address, which are lost.
    static let recipient = Check(each: { effect, _, _ in
        guard case .ethereum(let address) = effect.party, address == .zero else { return nil }
        return Finding(
            "zero_address", "what it gives to the zero address is lost", .refusal)
    })

    /// Finds an address that begins and ends like one that the user chose before, and differs from it: it was made to
    /// be copied by mistake. Or it differs in one or two digits, and is mistyped.
    static let poisoning = Check(each: { effect, _, context in
        guard let party = effect.gainer, !context.knows(party),
            let double = context.chosen.union(context.known ?? []).filter({ Poisoning.looksLike(party, $0) })
                .map(\.description).min()
        else { return nil }
        return Finding(
            "address_poisoning", "\(party) looks like \(double), which you know, and is another address", .refusal)
    })

    /// Finds a payment to a payee that is not known.
    static let firstPayment = Check(each: { effect, _, context in
        guard case .payment(_, _, let party) = effect, !context.knows(party) else { return nil }
        // Another finding reports how far the wallet's own address is.
        if case .own = party { return nil }
        let text =
            context.known == nil
            ? "whether \(party) was paid before is not known here"
            : context.chosen.contains(party)
                ? "no payment to \(party) has been seen in a block yet" : "you have never paid \(party)"
        return Finding("first_payment", text, .notice)
    })

    /// Finds an allowance, of any amount, to a party that is not known. An allowance of almost all tokens does the same
    /// harm as an unlimited one.
    static let firstAllowance = Check(each: { effect, _, context in
        guard effect.kind == .allowance || effect.kind == .control, let party = effect.gainer, !context.knows(party)
        else { return nil }
        let reason =
            context.known == nil
            ? "whether you know them is not known here" : "whom you have neither named as a contact nor paid"
        return Finding("first_allowance", "it lets \(party) take tokens: \(reason)", .costly)
    })

    /// Finds tokens that are sent to their own contract, where they are lost, and coins that are sent to a contract,
    /// where they may be.
    static let tokenContract = Check(each: { effect, _, context in
        guard case .payment(let asset, _, let party) = effect else { return nil }
        if let contract = asset.contract, party == .ethereum(contract) {
            return Finding("token_contract", "it sends tokens to their own contract, where they are lost", .refusal)
        }
        if context.node?.contracts.contains(party) == true {
            return Finding("contract_recipient", "\(party) is a contract, not a person's address", .notice)
        }
        return nil
    })
}

extension Effect {
    /// The party that gets coins or tokens, or may take some from now on.
    fileprivate var gainer: Party? {
        switch self {
        case .payment(_, _, let party), .transfer(_, _, _, let party), .control(_, let party, true): party
        case .allowance(_, _, let party), .increase(_, _, let party), .decrease(_, _, let party):
            given?.isZero == true ? nil : party
        default: nil
        }
    }
}
