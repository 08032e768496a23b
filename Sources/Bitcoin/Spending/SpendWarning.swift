public import HDKeys

/// What a person should know before confirming a transaction.
public enum SpendWarning: Hashable, Sendable {
    /// The fee is this much of what is paid to others, in per cent, rounded down.
    case highFeeShare(percent: UInt64)
    /// The fee rate is unusually high.
    case highFeeRate(FeeRate)
    /// Most nodes would not pass it on.
    case lowFeeRate(FeeRate)
    /// It cannot be told who may spend an output.
    case unknownScript(output: Int)
    /// An output that holds an amount, and can never be spent.
    case unspendable(output: Int)
    /// Less than nodes relay: spending it would cost more.
    case dust(output: Int)
    /// An output that is ours, at an index beyond those that a wallet looks at when it is restored, and far behind those that
    /// are spent.
    case farIndex(output: Int, path: AddressPath)
    /// An output that is ours, at an index beyond those that a wallet looks at when it is restored, and not far behind those
    /// that are spent.
    case highIndex(output: Int, path: AddressPath)
    /// An output that writes bytes into the chain.
    case data(output: Int)
    /// So many fields of the PSBT are of types that this wallet does not know. They are kept, and change nothing that is
    /// signed.
    case unknownFields(count: Int)
    /// Someone else pays too.
    case foreignInput(input: Int)
    /// Someone else's input, whose amount only they vouch for: no taproot signature of its own covers it, and its previous
    /// transaction is not shown. Our own signature is void if it is wrong.
    case unverifiedAmount(input: Int)
    /// An input is to be signed in a way that leaves parts of the transaction open.
    case unusualSighash(input: Int)
    /// It may be replaced by another transaction until it is mined (BIP-125).
    case replaceable
    /// It cannot be mined yet, if this has not passed.
    case lockedUntil(LockTime)
    /// An input has to wait for confirmations of what it spends (BIP-68).
    case relativeLock(input: Int)
}

extension SpendWarning {
    /// Whether coins would be lost if this is a mistake, so that a person or a program has to see it before: a fee that is
    /// as large as the payment or of a rate that is never needed, an amount that nobody can spend, or one that the wallet does
    /// not find again.
    public var isCostly: Bool {
        switch self {
        case .highFeeShare(let percent): percent >= 100
        case .highFeeRate, .unspendable, .farIndex: true
        default: false
        }
    }
}

extension SpendWarning: CustomStringConvertible {
    public var description: String {
        switch self {
        case .highFeeShare(let percent): "the fee is \(percent) % of what is paid"
        case .highFeeRate(let rate): "the feerate is unusually high: \(rate)"
        case .lowFeeRate(let rate): "the feerate is too low for most nodes: \(rate)"
        case .unknownScript(let output): "output \(output) has a script of unknown kind"
        case .unspendable(let output): "output \(output) holds an amount that nobody can ever spend"
        case .dust(let output): "output \(output) is too small to be relayed"
        case .farIndex(let output, let path):
            path.index < BitcoinLimits.farthestAddress
                ? "output \(output) is at \(path) of this wallet, far behind its other addresses, where it does not look by itself"
                : "output \(output) is at \(path) of this wallet, so far that the wallet does not find it again: it counts as paid"
        case .highIndex(let output, let path):
            "output \(output) is at \(path), where a restored wallet may not look for it"
        case .data(let output):
            "output \(output) writes data into the chain, which everybody can read for good, and which may be an order to others"
        case .unknownFields(let count): "\(count) fields are of kinds that this wallet does not know"
        case .foreignInput(let input): "input \(input) belongs to someone else"
        case .unverifiedAmount(let input): "the amount of input \(input) is not proven"
        case .unusualSighash(let input): "input \(input) is signed in an unusual way"
        case .replaceable: "it may be replaced until it is mined"
        case .lockedUntil(.height(let height)): "it cannot be mined before block \(height)"
        case .lockedUntil(.time(let time)): "it cannot be mined before \(time) seconds after 1970"
        case .relativeLock(let input): "input \(input) may have to wait for confirmations"
        }
    }
}
