public import Amounts
public import Bitcoin
public import DisplayText
public import Ethereum

/// One effect of signing an intent.
public enum Effect: Hashable, Sendable {
    /// The wallet's own coins or tokens go to a payee.
    case payment(Asset, amount: UInt256, to: Party)
    /// Tokens of another owner go to a payee: the owner allowed the wallet to move them.
    case transfer(Asset, amount: UInt256, from: Party, to: Party)
    /// A spender may take tokens of the wallet from now on: all of them if `amount` is nil.
    case allowance(Asset, amount: UInt256?, to: Party)
    /// A spender may take this many more tokens than before. The bytes do not contain the total.
    case increase(Asset, by: UInt256, to: Party)
    /// A spender may take this many fewer tokens than before. The bytes do not contain the remaining amount.
    case decrease(Asset, by: UInt256, to: Party)
    /// An operator may take everything of a collection, or no longer may.
    case control(of: EthereumAddress, by: Party, isGiven: Bool)
    /// A contract is called by a function that this wallet does not know.
    case call(EthereumAddress, selector: [UInt8])
    /// Only the fee is paid: coins return to the wallet, or the transaction replaces another one.
    case nothing
    /// Bytes are written into the chain, in an output with this script, where they stay public for ever. Their meaning
    /// in other protocols is unknown.
    case data(ScriptPubKey)
    /// A contract is created.
    case deployment
    /// The account is delegated to a contract's code (EIP-7702); nil ends a delegation.
    case delegation(to: EthereumAddress?)
    /// The wallet signs a text.
    case message(SanitizedText)
    /// The wallet signs data of unknown meaning (EIP-712).
    case statement(type: SanitizedText, for: EthereumAddress?)
    /// The wallet signs a file, with this trusted comment.
    case file(FileDigest, comment: SanitizedText)

    /// The effect's name in policies.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// A payment.
        case payment
        /// A transfer of another owner's tokens.
        case transfer
        /// A permission to take tokens.
        case allowance
        /// A permission to control all tokens of a contract.
        case control
        /// A call with an unknown meaning.
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
        /// A file.
        case file
    }

    /// The kind of the effect.
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
        case .file: .file
        }
    }

    /// The party that gains by the effect.
    public var party: Party? {
        switch self {
        case .payment(_, _, let party), .transfer(_, _, _, let party), .allowance(_, _, let party),
            .increase(_, _, let party), .decrease(_, _, let party), .control(_, let party, _):
            party
        case .call(let contract, _): .ethereum(contract)
        case .delegation(let contract), .statement(_, let contract): contract.map(Party.ethereum)
        case .nothing, .data, .deployment, .message, .file: nil
        }
    }

    /// The asset that is given.
    public var asset: Asset? {
        switch self {
        case .payment(let asset, _, _), .transfer(let asset, _, _, _), .allowance(let asset, _, _),
            .increase(let asset, _, _), .decrease(let asset, _, _):
            asset
        case .control(let collection, _, _): .tokenOrItem(collection)
        default: nil
        }
    }

    /// The whole amount; nil if it is unlimited or the effect has none. An increase has none, because the bytes do not
    /// contain the allowance's total. A decrease gives nothing.
    public var amount: UInt256? {
        switch self {
        case .payment(_, let amount, _), .transfer(_, let amount, _, _): amount
        case .allowance(_, let amount, _): amount
        case .decrease: .zero
        default: nil
        }
    }

    /// The additional amount that others get or may take because of the signature: the increase of an increased
    /// allowance, else ``amount``.
    public var given: UInt256? { if case .increase(_, let more, _) = self { more } else { amount } }
}
