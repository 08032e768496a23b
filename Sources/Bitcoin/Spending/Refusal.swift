/// Why the wallet does not sign a transaction, whoever confirms it.
public enum Refusal: Hashable, Sendable {
    /// None of the inputs is the wallet's own.
    case noInputOfOurs
    /// All of our inputs are signed already.
    case nothingToSign
    /// The transaction has no outputs.
    case noOutputs
    /// The outputs write more data than most nodes pass on, and than a person can look at.
    case tooMuchData(limit: Int)
    /// More inputs of ours than are signed at once. Spend them in several transactions.
    case tooManyInputs(limit: Int)
    /// The same output is spent twice.
    case duplicateInput(OutPoint)
    /// What an input spends is not shown: neither the fee nor the message to sign can be known.
    case missingPreviousOutput(input: Int)
    /// We are asked for an ECDSA signature, which covers no amount but its own input's (BIP-143), and the previous transaction
    /// of this input is not shown. With a false amount here the fee is not the one that the person confirms.
    case unprovenAmount(input: Int)
    /// More is paid than spent.
    case outputsExceedInputs
    /// The inputs are worth more than all bitcoin there will ever be.
    case impossibleAmount
    /// What the PSBT says about an input contradicts itself.
    case inconsistentInput(input: Int)
    /// The PSBT says that our key is at a path, and it is not: of an input.
    case falseInputClaim(input: Int)
    /// The PSBT says that our key is at a path, and it is not: of an output. Whoever wrote that wants a payment to others to
    /// pass for change, and a person, or a script with `--yes`, may look at less than all of the summary.
    case falseOutputClaim(output: Int)
    /// An input of ours has fields of a script path: our outputs have none, so that someone means another output.
    case scriptPath(input: Int)
    /// An output of ours that is worth nothing is to be spent. No such output exists, but a signature for one is how a message
    /// is signed (BIP-322): nobody shall get one by calling it a payment.
    case worthlessInput(input: Int)
    /// A signature is asked for that would not cover all inputs and outputs.
    case unsupportedSighash(input: Int)
    /// A signature of ours is there, and does not verify.
    case invalidSignature(input: Int)
}

extension Refusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noInputOfOurs: "none of the inputs belongs to this wallet"
        case .nothingToSign: "all inputs of this wallet are signed already"
        case .noOutputs: "the transaction has no outputs"
        case .tooMuchData(let limit): "it writes more data into the chain than nodes pass on: \(limit) bytes of scripts"
        case .tooManyInputs(let limit): "it spends more than \(limit) inputs of this wallet at once"
        case .duplicateInput(let outPoint): "\(outPoint) is spent twice"
        case .missingPreviousOutput(let input): "input \(input) does not show what it spends, so the fee is unknown"
        case .unprovenAmount(let input):
            "the previous transaction of input \(input) is missing, so that its amount may be a lie about the fee"
        case .outputsExceedInputs: "the outputs are worth more than the inputs"
        case .impossibleAmount: "the inputs are worth more than all bitcoin"
        case .inconsistentInput(let input): "what is said about input \(input) contradicts itself"
        case .falseInputClaim(let input): "input \(input) is said to belong to this wallet, and does not"
        case .falseOutputClaim(let output): "the claim that output \(output) is change of this wallet is false"
        case .scriptPath(let input):
            "input \(input) is to be spent by a script, which outputs of this wallet do not have"
        case .worthlessInput(let input):
            "input \(input) is worth nothing, so that its signature could stand for a message"
        case .unsupportedSighash(let input): "input \(input) asks for a signature that leaves parts open to change"
        case .invalidSignature(let input): "the signature that input \(input) has already is not valid"
        }
    }
}
