public import Amounts
public import Bitcoin
public import DisplayText
public import Ethereum

/// One thing that happens if an intent is signed.
public enum Effect: Hashable, Sendable {
    /// The wallet's own coins or tokens go to somebody.
    case payment(Asset, amount: UInt256, to: Party)
    /// Tokens that somebody else owns go to somebody, since the wallet was allowed to move them.
    case transfer(Asset, amount: UInt256, from: Party, to: Party)
    /// Somebody may take tokens of the wallet, now or whenever they like: all of them where `amount` is nil.
    case allowance(Asset, amount: UInt256?, to: Party)
    /// Somebody may take so many more tokens than they may already. How many that are, the bytes do not tell.
    case increase(Asset, by: UInt256, to: Party)
    /// Somebody may take so many fewer tokens than before. How many are left, the bytes do not tell.
    case decrease(Asset, by: UInt256, to: Party)
    /// Somebody may take everything of a collection, or no longer may.
    case control(of: EthereumAddress, by: Party, isGiven: Bool)
    /// A contract is called in a way that this wallet does not know.
    case call(EthereumAddress, selector: [UInt8])
    /// Nothing changes hands but the fee: coins come back to the wallet, or a transaction stands in the way of another.
    case nothing
    /// Bytes are written into the chain, where everybody can read them for good, in an output with this script. What protocols
    /// make of them, this wallet does not know.
    case data(ScriptPubKey)
    /// A contract is made.
    case deployment
    /// The account is put under the rule of a contract's code (EIP-7702): nil gives it back.
    case delegation(to: EthereumAddress?)
    /// The wallet's name stands under a text.
    case message(SanitizedText)
    /// The wallet's name stands under data whose meaning this wallet does not know (EIP-712).
    case statement(type: SanitizedText, for: EthereumAddress?)

    /// What policies call it.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A payment.
        case payment
        /// A transfer of tokens that somebody else owns.
        case transfer
        /// A permission to take tokens.
        case allowance
        /// A permission to control all tokens of a contract.
        case control
        /// A call that is not understood.
        case call
        /// No effect beside the fee.
        case nothing
        /// Data written into the chain.
        case data
        /// A new contract.
        case deployment
        /// Code of a contract for an account.
        case delegation
        /// A message.
        case message
        /// Typed data.
        case statement
    }

    /// Which of them it is.
    public var kind: Kind {
        switch self {
        case .payment: .payment
        case .transfer: .transfer
        case .allowance, .increase, .decrease: .allowance
        case .control: .control
        case .call: .call
        case .nothing: .nothing
        case .data: .data
        case .deployment: .deployment
        case .delegation: .delegation
        case .message: .message
        case .statement: .statement
        }
    }

    /// Whom it gives something.
    public var party: Party? {
        switch self {
        case .payment(_, _, let party), .transfer(_, _, _, let party), .allowance(_, _, let party),
            .increase(_, _, let party), .decrease(_, _, let party), .control(_, let party, _):
            party
        case .call(let contract, _): .ethereum(contract)
        case .delegation(let contract), .statement(_, let contract): contract.map(Party.ethereum)
        case .nothing, .data, .deployment, .message: nil
        }
    }

    /// What is given.
    public var asset: Asset? {
        switch self {
        case .payment(let asset, _, _), .transfer(let asset, _, _, _), .allowance(let asset, _, _),
            .increase(let asset, _, _), .decrease(let asset, _, _):
            asset
        case .control(let collection, _, _): .tokenOrItem(collection)
        default: nil
        }
    }

    /// The whole amount; nil where that is without limit, or no question. An increase has none: the total of the allowance is not in
    /// the bytes. A decrease gives nothing.
    public var amount: UInt256? {
        switch self {
        case .payment(_, let amount, _), .transfer(_, let amount, _, _): amount
        case .allowance(_, let amount, _): amount
        case .decrease: .zero
        default: nil
        }
    }

    /// The amount that signing adds to what others get or may take: of an increase what it increases by, of all others ``amount``.
    public var given: UInt256? { if case .increase(_, let more, _) = self { more } else { amount } }
}
