package import Bitcoin
internal import Encoding
package import Ethereum
package import HDKeys
package import Texts
package import Wallet

extension WalletError: Explained {
    package var failure: Failure {
        switch self {
        case .malformed: Failure(malformed: "this is not a well-formed PSBT or transaction")
        case .key(let error): error.failure
        case .bitcoin(let error): error.failure
        case .ethereum(let error): error.failure
        case .file(let fault): fault.failure
        case .badApproval: Failure(code: .malformed, name: "bad_approval", message: "this is not an approval")
        case .badPaymentKey: .usage("--once takes 1 to 64 visible ASCII characters, as in an invoice's number")
        }
    }
}

extension HDKeyError: Explained {
    package var failure: Failure {
        let message: String =
            switch self {
            case .malformed: "this is not a well-formed extended key"
            case .badPath: "this index or derivation path is out of range"
            case .badKey: "a key is malformed"
            case .wrongNetwork: "this is for another network"
            case .otherScripts(let prefix): "the extended key is one for \(prefix.words): give its xpub form"
            }
        return Failure(malformed: message)
    }
}

extension BitcoinError: Explained {
    package var failure: Failure {
        if case .key(let error) = self { return error.failure }
        if case .badSegwitAddress(let fault) = self { return fault.failure(in: "") }
        let message: String =
            switch self {
            case .malformed: "this is not a well-formed PSBT or transaction"
            case .key(let error): error.failure.message
            case .badAmount: "an amount is malformed, or exceeds the supply of coins"
            case .badAddress, .badSegwitAddress: "this is not an address that this wallet can pay to"
            case .badURI(let fault): fault.message
            case .wrongNetwork: "this is for another network"
            case .badDescriptor: "the descriptor is malformed, or its checksum is wrong"
            case .badTransaction: "no node would accept this transaction"
            case .foreignOutput: "the output does not pay to the wallet"
            case .psbt(.unsupportedVersion(let version)):
                "PSBT version \(version) is not supported, only versions 0 and 2 are"
            case .psbt(.duplicateKey(let field)): "the PSBT contains \(field.words) twice"
            case .psbt(.badField(let field)): "\(field.words) of the PSBT is malformed"
            case .psbt(.missingField(let field)): "the PSBT lacks \(field.words)"
            case .psbt(.conflictingLockTimes): "inputs of the PSBT ask for lock times that no one transaction can have"
            case .psbt(.previousTransactionMismatch(let input)):
                "input \(input): the previous transaction in the PSBT is not the one that is spent"
            case .psbt(.conflict(PSBTField(.global, type: 0))): "these are PSBTs of different transactions"
            case .psbt(.conflict(let field)): "the PSBTs contradict each other in \(field.words)"
            case .badSignature(let input): "input \(input): the signature does not verify"
            case .incomplete(let input): "input \(input) is not signed"
            }
        return Failure(malformed: message)
    }
}

extension EthereumError: Explained {
    package var failure: Failure {
        let message: String =
            switch self {
            case .malformed: "this is not a well-formed transaction"
            case .badAddress: "this is not an address that this wallet can pay to"
            case .badURI(let fault): fault.message
            case .badChainID: "this is for another network"
            case .badTransaction: "no Ethereum node would accept this transaction"
            case .badSignature: "this is not an Ethereum signature in canonical form"
            case .wrongSigner: "another key made the signature"
            case .badKey: "a key is malformed"
            case .badTypedData(let fault, let place): fault.message(at: place)
            case .badABI: "the arguments of the call are not in canonical form"
            case .badTokenSymbol: "the token's symbol is not one that can be shown"
            }
        return Failure(malformed: message)
    }
}

extension TypedData.Fault {
    /// The longest place that a message shows as a whole, in characters.
    private static let longestPlace = 80

    /// - Parameter place: the place in the document; empty for the document as a whole.
    fileprivate func message(at place: String) -> String {
        let it = place.isEmpty ? "the typed data" : "'\(Self.shortened(place))' of the typed data"
        return switch self {
        case .malformed(.tooLong(let limit)): "the typed data are longer than \(limit) bytes"
        case .malformed(.tooDeep(let limit)): "the typed data have more than \(limit) levels"
        case .malformed: "the typed data are not JSON"
        case .shape where place.isEmpty:
            "the typed data are not an object with the members types, primaryType, domain and message, and no others"
        case .shape: "\(it) does not have the form of EIP-712"
        case .domainAsMessage: "the primary type of the typed data is their domain, so that no message would be signed"
        case .name: "\(it) has a name that is not a Solidity identifier"
        case .tooMany: "\(it) has more types, members or brackets than this wallet reads"
        case .duplicateMember: "\(it) is defined twice"
        case .unknownType: "\(it) is of a type that the document does not define"
        case .domain: "\(it) is not a member that EIP-712 defines for a domain"
        case .missingMember: "\(it) is missing"
        case .unknownMember: "\(it) is not in its type, so that it would not be signed"
        case .wrongKind: "\(it) is not a value of its type"
        case .outOfRange: "\(it) is not a whole number in the range of its type"
        case .wrongSize: "\(it) does not have the size of its type"
        case .badAddress: "\(it) is not an address"
        case .badAddressChecksum: "\(it) is an address whose capital and small letters do not match its digits"
        }
    }

    /// Returns the beginning and the end of a place in a deep document.
    private static func shortened(_ place: String) -> String {
        guard place.count > longestPlace else { return place }
        return "\(place.prefix(longestPlace / 2))...\(place.suffix(longestPlace / 2))"
    }
}

extension Failure {
    fileprivate init(malformed message: String) {
        self.init(code: .malformed, name: "bad_input", message: message)
    }
}

extension PolicyFault: Explained {
    package var failure: Failure { Failure(code: .malformed, name: "bad_policy", message: description) }
}

extension MessageSignature.Fault: Explained {
    package var failure: Failure {
        switch self {
        case .malformed, .tooLong: Failure(code: .malformed, name: "bad_input", message: description)
        // A well-formed signature that cannot be decided without a node or without knowing the key.
        case .legacy, .proofOfFunds: Failure(code: .refused, name: "inconclusive", message: description)
        }
    }
}

extension ScriptPrefix {
    fileprivate var words: String {
        switch self {
        case .nestedSegwit: "P2SH-P2WPKH (ypub)"
        case .segwit: "P2WPKH (zpub)"
        case .nestedMultisig: "P2SH-P2WSH of several signers (Ypub)"
        case .multisig: "P2WSH of several signers (Zpub)"
        }
    }
}

extension PSBTField {
    /// The field's number in BIP-174's table, with the input or output that has it.
    fileprivate var words: String {
        let number = "field 0x\((type < 16 ? "0" : "") + String(type, radix: 16))"
        return switch map {
        case .global: number
        case .input(let index): "\(number) of input \(index)"
        case .output(let index): "\(number) of output \(index)"
        }
    }
}
