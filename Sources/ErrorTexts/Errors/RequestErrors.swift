internal import Amounts
internal import Bitcoin
internal import Encoding
internal import Ethereum
internal import HDKeys
package import Payments
package import Texts
internal import Wallet

extension BitcoinURI.Fault {
    /// The clause of the message.
    var message: String {
        switch self {
        case .malformed: "this is not a BIP-21 payment request: bitcoin:ADDRESS?amount=0.01"
        case .repeated(let name): "the payment request has '\(name)' twice"
        case .badAmount: "the amount of the payment request is not a number of bitcoins"
        case .unknownRequirement: "the payment request requires something that this wallet does not know"
        }
    }
}

extension EthereumURI.Fault {
    /// The clause of the message.
    var message: String {
        switch self {
        case .malformed: "this is not an ERC-681 payment request: ethereum:ADDRESS@1?value=1e18"
        case .repeated(let name): "the payment request has '\(name)' twice"
        case .badAmount: "an amount of the payment request is not a whole number of the smallest unit"
        case .otherFunction: "the payment request calls a contract in a way that is not a token transfer"
        case .badTransfer: "the payment request names no payee of the tokens, or asks for coins as well"
        }
    }
}

extension PaymentRequestFault {
    /// A sentence about the command line.
    package var message: String {
        switch self {
        case .nobody: "--to is missing: name the payee"
        case .amountForSeveral(let names):
            "--amount is for one payee: give several as "
                + "'\(names.prefix(2).map { "--to \($0)=AMOUNT" }.joined(separator: " "))'"
        case .amountMissing: "--amount is missing: name the amount"
        case .amountMissingOf(let text): "'--to \(text)' has no amount: write '\(text)=AMOUNT'"
        case .amongOthers: "a payment request cannot be combined with another --to"
        case .bitcoin(let error): error.failure.message
        case .ethereum(let error): error.failure.message
        case .amountTwice: "this payment request names the amount: leave out --amount"
        case .noAmount: "--amount is missing: this payment request names none"
        case .forBitcoin: "this payment request is for Bitcoin, and --chain names another"
        case .forChain(let id, nil):
            "this payment request is for \(Chain.ethereum(id).name): add --chain \(ChainName.ethereum(id).text)"
        case .forChain(let id, let chosen?):
            "this payment request is for \(Chain.ethereum(id).name), and --chain names \(Chain.ethereum(chosen).name)"
        case .forToken(let token): "this payment request is for tokens: add --token \(token)"
        case .forCoins: "this payment request is for coins: leave out --token"
        }
    }
}

extension PayeeFault: Explained {
    package var failure: Failure {
        switch self {
        case .otherNetwork(let networks, let wallet):
            Failure(
                code: .malformed, name: "bad_input",
                message: "this is for another network: \(networks.map(\.name).joined(separator: " or ")); "
                    + "the wallet is on \(wallet.name)")
        case .notAnAddress(let text, let fault): notAnAddress(text, fault)
        case .malformedAccount(let text):
            Failure(
                code: .malformed, name: "bad_address",
                message: "\(text) is not an address: 0x and 40 hexadecimal digits")
        case .badChecksum(let text):
            EthereumError.malformed(.badChecksum).failure(ofAddress: text)
        case .noSuchContact(let name):
            Failure(
                code: .malformed, name: "unknown_payee",
                message: "'\(name)' is neither an address nor a contact of this wallet",
                hint: "'fueki contact list' with the wallet's name lists the contacts")
        case .noAddress(let name, .bitcoin(let network)):
            noAddress("the contact '\(name)' has no address of \(network.name)")
        case .noAddress(let name, .ethereum), .noAccount(let name):
            noAddress("the contact '\(name)' has no address on Ethereum")
        case .badAmount(let error, let chain): error.failure(of: "--amount", on: chain)
        case .badTokenAmount(let symbol, let decimals):
            .usage(
                symbol.isEmpty
                    ? "--amount of a token is a number without a unit, with at most \(decimals.count) decimals"
                    : "--amount of a token is a number without a unit, or with \(symbol) behind it, with at most "
                        + "\(decimals.count) decimals")
        case .allOnEthereum: .usage("'all' is for Bitcoin: --amount takes an amount here")
        }
    }

    private func notAnAddress(_ text: String, _ fault: BitcoinError) -> Failure {
        var failure = fault.failure(ofAddress: text)
        if text.lowercased().hasPrefix("0x") {
            failure = failure.advising("for an address of Ethereum, add --chain ethereum")
        }
        return failure
    }

    private func noAddress(_ message: String) -> Failure {
        Failure(code: .malformed, name: "no_address", message: message)
    }
}
