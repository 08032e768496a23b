public import HDKeys

/// A finding that the user should see before confirming a transaction.
public enum SpendWarning: Hashable, Sendable {
    /// The fee is this part of the payments to others, in per cent, rounded down.
    case highFeeShare(percent: UInt64)
    /// The fee rate is unusually high.
    case highFeeRate(FeeRate)
    /// The fee rate is so low that most nodes would not relay it.
    case lowFeeRate(FeeRate)
    /// The script of an output is unknown, and so is who may spend it.
    case unknownScript(output: Int)
    /// An output has an amount, and can never be spent.
    case unspendable(output: Int)
    /// An output is too small for nodes to relay: spending it would cost more than it is worth.
    case dust(output: Int)
    /// An output is the wallet's, at an index beyond those that a restored wallet looks at, and far behind the inputs'
    /// indices.
    case farIndex(output: Int, path: AddressPath)
    /// An output is the wallet's, at an index beyond those that a restored wallet looks at, and not far behind the
    /// inputs' indices.
    case highIndex(output: Int, path: AddressPath)
    /// An output that writes bytes into the chain.
    case data(output: Int)
    /// This many fields of the PSBT are of unknown types. They are kept, and do not change the signed bytes.
    case unknownFields(count: Int)
    /// An input of another owner pays, too.
    case foreignInput(input: Int)
    /// An input of another owner has an unproven amount: no taproot signature of it covers the amount, and its previous
    /// transaction is not shown. If the amount is wrong, the wallet's signature is void.
    case unverifiedAmount(input: Int)
    /// The requested signature of an input leaves parts of the transaction open.
    case unusualSighash(input: Int)
    /// The transaction may be replaced by another one until it is mined (BIP-125).
    case replaceable
    /// The transaction cannot be mined before this height or time.
    case lockedUntil(LockTime)
    /// An input must wait for confirmations of the output that it spends (BIP-68).
    case relativeLock(input: Int)
}

extension SpendWarning {
    /// Whether coins would be lost if this is a mistake, so that the user or a program must see it first: a fee as
    /// large as the payment, a rate that is never needed, an unspendable amount, or an amount that the wallet does not
    /// find again.
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
        case .unspendable(let output): "output \(output) holds an amount that can never be spent"
        case .dust(let output): "output \(output) is too small to be relayed"
        case .farIndex(let output, let path):
            path.index < BitcoinLimits.farthestAddress
                ? "output \(output) is at \(path) of this wallet, far beyond its other addresses: it is not scanned by default"
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
        case .lockedUntil(.height(let height)):
            // The block at this height may not contain it; the next one may. A height is below 500,000,000.
            "it cannot be mined before block \(height + 1)"
        case .lockedUntil(.time(let time)): "it cannot be mined before \(time) seconds after 1970"
        case .relativeLock(let input): "input \(input) may have to wait for confirmations"
        }
    }
}
