/// The reasons why the wallet never signs a transaction, even if the user confirms it.
public enum Refusal: Hashable, Sendable {
    /// None of the inputs is the wallet's own.
    case noInputOfOurs
    /// All inputs of the wallet are signed already.
    case nothingToSign
    /// The transaction has no outputs.
    case noOutputs
    /// The outputs write more data than most nodes relay, and than a person can check.
    case tooMuchData(limit: Int)
    /// The transaction has more inputs of the wallet than one transaction may sign. Spend them in several transactions.
    case tooManyInputs(limit: Int)
    /// Two inputs spend the same output.
    case duplicateInput(OutPoint)
    /// The output that an input spends is not shown, so neither the fee nor the message to sign can be known.
    case missingPreviousOutput(input: Int)
    /// An ECDSA signature covers no amount but its own input's (BIP-143), and the previous transaction of this input is
    /// not shown. If the amount is false, the fee is not the one that the user confirms.
    case unprovenAmount(input: Int)
    /// The outputs are worth more than the inputs.
    case outputsExceedInputs
    /// The inputs are worth more than 21 million bitcoin.
    case impossibleAmount
    /// The PSBT's fields for an input contradict each other.
    case inconsistentInput(input: Int)
    /// The PSBT falsely claims that an input is the wallet's key at a path.
    case falseInputClaim(input: Int)
    /// The PSBT falsely claims that an output is the wallet's key at a path. Its author wants a payment to look like
    /// change, and a user, or a script with `--yes`, may look at less than the whole summary.
    case falseOutputClaim(output: Int)
    /// An input of the wallet has fields of a script path. The wallet's outputs have none, so another output is meant.
    case scriptPath(input: Int)
    /// An input spends an output of the wallet that is worth zero. Such outputs do not exist, but a signature for one
    /// is how a message is signed (BIP-322). It must not be obtained as a payment.
    case worthlessInput(input: Int)
    /// The requested signature would not cover all inputs and outputs.
    case unsupportedSighash(input: Int)
    /// An existing signature of the wallet does not verify.
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
        case .impossibleAmount: "the inputs exceed the supply of bitcoin"
        case .inconsistentInput(let input): "the fields of input \(input) contradict each other"
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
