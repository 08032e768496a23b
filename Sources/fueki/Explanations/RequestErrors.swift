internal import Bitcoin
internal import Ethereum

extension BitcoinURI.Fault {
    /// A clause of English.
    var message: String {
        switch self {
        case .malformed: "this is no payment request as BIP-21 has it: bitcoin:ADDRESS?amount=0.01"
        case .repeated(let name): "the payment request has '\(name)' twice"
        case .badAmount: "the amount of the payment request is no number of bitcoins"
        case .unknownRequirement: "the payment request requires something that this wallet does not know"
        }
    }
}

extension EthereumURI.Fault {
    /// A clause of English.
    var message: String {
        switch self {
        case .malformed: "this is no payment request as ERC-681 has it: ethereum:ADDRESS@1?value=1e18"
        case .repeated(let name): "the payment request has '\(name)' twice"
        case .badAmount: "an amount of the payment request is no whole number of the smallest unit"
        case .otherFunction: "the payment request calls a contract in a way that is no transfer of tokens"
        case .badTransfer: "the payment request names no payee of the tokens, or asks for coins as well"
        }
    }
}
