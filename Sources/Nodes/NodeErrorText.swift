public import DisplayText
package import PinnedHTTP

extension NodeError: CustomStringConvertible {
    /// The error as a clause for users, without a capital and a full stop. It contains nothing secret, and marks a
    /// node's words as such.
    public var description: String {
        switch self {
        case .badAddress(let fault): "this is not the address of a node: \(fault)"
        case .badCookie(.missing): "the cookie file does not exist: Bitcoin Core keeps one while it runs"
        case .badCookie(.unreadable): "the cookie file cannot be read"
        case .badCookie(.malformed):
            "this is not a cookie file: it should hold a user, a colon and a password in one line"
        case .unreachable(.notConnected): "the node cannot be reached: no such host, or nothing listens there"
        case .unreachable(.closed): "the node closed the connection before it had answered"
        case .unreachable(.notHTTP): "the server at this address does not speak HTTP"
        case .badConnection(let fault): fault.description
        case .untrusted(let fault) where fault.isOfCertificate:
            "the node's TLS certificate is not trusted: \(fault.clause)"
        case .untrusted(let fault): "the TLS connection to the node failed: \(fault.clause)"
        case .notPinned(let fault): fault.clause
        case .timedOut(.connecting): "the node did not accept the connection in time"
        case .timedOut(.answering): "the node did not answer in time"
        case .tooLarge(let limit): "the node's answer is longer than \(limit) bytes"
        case .redirected: "the node redirects to another address, and fueki asks only the address that you named"
        case .unauthorised: "the node requires a user and a password, or rejected the given ones"
        case .status(let status): "the node answered with HTTP status \(status)"
        case .notJSON(true): "a web page answered, and not a node: check the address"
        case .notJSON(false): "the answer is not JSON: check the address"
        case .rpc(let code, let message): "the node says: \"\(message)\" (\(code))"
        case .refused(let refusal, let message):
            "the node rejected the transaction: \(refusal). It says: \"\(message)\""
        case .wrongChain(let expected, let found): "the node is not on \(expected): it says \"\(found)\""
        case .inconsistent(let answer): "the node contradicts itself, or the rules of the chain, about \(answer)"
        case .unexpected(let answer): "the node's answer about \(answer) has the wrong form"
        case .feeAboveCeiling(let fee): "the current fee is above the highest one allowed: \(fee)"
        case .noBaseFee:
            "the node's blocks have no base fee (EIP-1559): fueki makes no transactions with a single price for gas"
        case .searching: "the node is searching its coins for another program"
        case .syncing(let lag): lag.clause
        case .noFeeEstimate: "the node has no estimate of the present fees"
        case .outcomeUnknown:
            "the node did not answer as it should, and does not show the transaction: whether it has it is not known"
        case .cancelled: "it was stopped"
        }
    }
}

extension ChainLag {
    /// A clause about the node.
    package var clause: String {
        if let newest {
            "the node is still loading the chain: it has block \(height) of \(newest)"
        } else {
            "the node is still loading the chain: it has block \(height)"
        }
    }
}

extension NodeError {
    /// The node's own words. ``description`` quotes them.
    public var words: SanitizedText? {
        switch self {
        case .rpc(_, let words), .refused(_, let words), .wrongChain(_, let words): words
        default: nil
        }
    }
}

extension NodeAddress.Fault: CustomStringConvertible {
    /// The reason, for use after "this is not the address of a node: ".
    public var description: String {
        switch self {
        case .notAnAddress: "it is empty, too long, or has characters that no address has"
        case .scheme: "it begins neither with http:// nor with https://"
        case .host: "its host is invalid"
        case .port: "its port is invalid"
        case .path: "its path has a fragment or '..'"
        case .credentials: "before the @ there must be user:password, encoded as in a URL"
        case .credentialsInTheClear:
            "the password would go through the network unprotected; use https, or a tunnel to this machine"
        }
    }
}

extension NodeConnection.Fault: CustomStringConvertible {
    /// The reason as a clause.
    public var description: String {
        switch self {
        case .notAllowed(.notEncrypted):
            "the node's address begins with http://: on the way its answers can be read and changed"
        case .notAllowed(.pinsWithoutTLS):
            "the node has pins, and its address begins with http://: such a connection has no key"
        case .notAllowed(.pinsRequired):
            "the pin policy refuses hosts without pins, and a connection by http:// has no key that could be pinned"
        case .notAllowed(.onionWithoutProxy):
            "the node is an onion service, and only Tor's proxy reaches those"
        case .notPins: "a pin is sha256/ and 44 characters of Base64"
        case .notHosts: "this is not the name or the IP address of a host"
        case .pins(.noBackup), .pins(.noPins):
            "there is only one pin: when the node changes its key, it can no longer be reached"
        case .pins(.repeatedPin): "the same pin is given twice: a second key is to replace the first one"
        case .pins: "there are too many pins"
        case .policy(let fault): "the pin policy cannot be used: \(fault.clause)"
        case .keysAndPolicy: "pins and a pin policy are given together: a node has either"
        }
    }
}

extension TrustFault {
    /// Whether the reason follows "the TLS certificate is not trusted: ". The others follow "the TLS connection failed: ".
    package var isOfCertificate: Bool {
        switch self {
        case .unknownAuthority, .wrongName, .expired, .forbiddenName, .stapleRequired: true
        case .version, .tooManyCertificates, .notTLS, .noCommonAlgorithm, .handshake: false
        }
    }

    /// The reason as a clause.
    package var clause: String {
        switch self {
        case .unknownAuthority: "no certificate authority that is trusted here has signed it"
        case .wrongName: "it is for another name"
        case .expired: "it is not valid at this time"
        case .forbiddenName: "a certificate authority above it may not issue certificates for this name"
        case .stapleRequired:
            "it needs a stapled OCSP answer (must-staple), which is not supported here"
        case .version: "the server does not speak TLS 1.3"
        case .notTLS: "the server answers without TLS, as one for http:// does"
        case .noCommonAlgorithm:
            "the server's cipher or key is not supported; RSA, P-256, P-384 and P-521 are"
        case .tooManyCertificates: "the server presents more certificates than any server needs"
        case .handshake: "the TLS handshake failed"
        }
    }
}

extension PinFault {
    /// The reason as a clause.
    package var clause: String {
        switch self {
        case .unknownKeys:
            """
            none of the server's keys is pinned, though its certificate is trusted: its keys are new, or another server \
            answers
            """
        case .noPins: "there are no pins for this server, and the pin policy requires them"
        case .pinsExpired: "the server's pins have expired"
        }
    }
}

extension NodeError.Refusal: CustomStringConvertible {
    /// The reason, to follow "the node rejected the transaction: ".
    public var description: String {
        switch self {
        case .nonceTooLow: "its nonce is used"
        case .nonceTooHigh: "earlier transactions of the account are missing"
        case .replacementUnderpriced: "its fee is not enough above that of the one that it replaces"
        case .conflict: "it spends a coin that a waiting transaction spends"
        case .feeTooLow: "it pays too little"
        case .feeTooHigh: "its fee is higher than the node's limit"
        case .insufficientFunds: "the account's balance is lower than the cost"
        case .otherChain: "it is signed for another chain"
        case .notYet: "it cannot be mined yet"
        case .missingInputs: "it spends a coin that is spent already or never existed"
        case .other: "for a reason of its own"
        }
    }
}

extension NodeError.Answer: CustomStringConvertible {
    /// The subject, to follow "about ".
    public var description: String {
        switch self {
        case .envelope: "the question"
        case .id: "which question it answers"
        case .chain: "its chain"
        case .nonce: "the nonce"
        case .balance: "the balance"
        case .feeHistory: "the fees of the last blocks"
        case .fee: "the fee"
        case .gas: "the gas"
        case .call: "the call"
        case .code: "the code at the address"
        case .hash: "the hash"
        case .receipt: "the receipt"
        case .transaction: "the transaction"
        case .block: "the block"
        case .coins: "the coins"
        case .amount: "an amount"
        case .height: "the height"
        case .output: "an output"
        case .acceptance: "whether it accepts the transaction"
        case .longWitness: "a transaction with a long witness"
        }
    }
}

extension PinPolicy.Fault {
    /// The reason as a clause about the file.
    package var clause: String {
        switch self {
        case .notJSON: "it is not a JSON file of at most \(HTTPLimits.policyBytes >> 10) KiB without repeated names"
        case .member(let name): "the member '\(name)' is missing, or not of its type"
        case .unknownMember: "it has a member that the format does not have"
        case .format: "the format has to be 1"
        case .host(let index, let fault): "hosts[\(index)]: \(fault.clause)"
        case .repeatedHost: "a host has two entries"
        case .tooManyHosts: "it has more than \(HTTPLimits.policyHosts) hosts"
        }
    }
}

extension HostPins.Fault {
    fileprivate var clause: String {
        switch self {
        case .host: "the host is not a DNS name in lower case, or an IP address"
        case .noPins: "there is no pin"
        case .noBackup: "there is no backup pin"
        case .repeatedPin: "a pin is listed twice"
        case .tooMany: "there are too many pins or exclusions"
        case .exclusion: "an excluded name is not below the host, or the entry has no subdomains"
        }
    }
}
