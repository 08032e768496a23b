package import Exchange
internal import PinnedHTTP
package import Texts
internal import Time

extension ExchangeError: Explained {
    package var failure: Failure {
        switch self {
        case .invalid(let field, let fault): fault.failure(of: field)
        case .pins(let fault):
            .usage(
                fault.words,
                hint:
                    "give two pins: of the server's key or its authority's, and of a spare key or another authority's")
        case .connection(let fault): fault.failureOfExchange
        case .credential(let error): error.failure
        case .state(let fault): fault.failure
        case .busy:
            Failure(
                code: .busy, name: "busy",
                message: "another process uses the key, or replaces it by another one; nothing was sent")
        case .mustWait(let wait):
            Failure(
                code: .unavailable, name: "must_wait",
                message: "\(wait.reason.words): nothing is sent before \(wait.until.rfc3339)")
        case .transport(let failure): failure.failure
        case .refused(let refusal): refusal.failure(name: "exchange_refused", "the exchange refused the request")
        case .unclear(let doubt):
            Failure(
                code: .unavailable, name: "unclear_answer", message: "the exchange's answer is unclear: \(doubt.clause)"
            )
        case .clock:
            Failure(
                code: .unavailable, name: "wrong_clock",
                message: "the clocks of this machine and the exchange differ too much",
                hint: "the connection is too slow, or this machine's clock is being set: try again")
        case .late:
            Failure(
                code: .unavailable, name: "too_late",
                message: "the order could not be prepared in time; nothing was sent", hint: "try again")
        case .idTaken:
            Failure(
                code: .refused, name: "order_id_taken",
                message: "an order with this id was made before, with other terms")
        case .unknownOrder:
            Failure(code: .missing, name: "no_such_order", message: "the journal has no order with this id")
        case .sameOrder:
            Failure(
                code: .refused, name: "same_order",
                message: "another process has placed the same order, whose outcome was not told; nothing was sent")
        case .testPlaced(let ids): Self.testPlaced(ids.joined(separator: ", "))
        }
    }

    private static func testPlaced(_ ids: String) -> Failure {
        Failure(
            code: .other, name: "test_placed", message: "the exchange placed the order although it was a test: \(ids)",
            hint: "cancel it now: 'fueki exchange cancel' takes each of these ids")
    }
}

extension StateFault {
    fileprivate var failure: Failure {
        switch self {
        case .journalFull:
            Failure(
                code: .refused, name: "journal_full", message: "the journal is full of orders whose outcome is unknown",
                hint: "look them up before another order is placed")
        case .damaged(let file):
            Failure(
                code: .malformed, name: "damaged_state", message: "\(file.words) is damaged; nothing was sent",
                hint: "bring it back from a copy, or compare with the exchange's page of orders and create another key")
        case .storage(let error):
            switch error.failure.code {
            case .other:
                Failure(
                    code: .malformed, name: "bad_state", message: "the journals of exchanges: \(error.clause)")
            default: error.failure
            }
        case .noncesUsedUp:
            Failure(
                code: .refused, name: "nonces_used_up", message: "the key has no higher nonce",
                hint: "create another key at the exchange")
        case .olderJournal(let found, let expected):
            Failure(
                code: .malformed, name: "old_journal",
                message:
                    "the journal of orders is missing or an old copy: it is at \(found), and \(expected) was seen before",
                hint: "bring the newest copy back. If it is lost, compare with the exchange's page of orders, and then "
                    + "'fueki exchange rotate --accept old-journal' goes on")
        }
    }
}

extension StateFile {
    fileprivate var words: String {
        switch self {
        case .journal: "the journal of orders"
        case .nonce: "the file of nonces"
        case .wait: "the file of pauses"
        case .seen: "the file with the journal's last generation"
        }
    }
}

extension Exchange.Wait.Reason {
    fileprivate var words: String {
        switch self {
        case .rateLimit, .callCounter: "the exchange has counted too many requests"
        case .ban: "the exchange has banned this address for a while"
        case .firewall: "the exchange's firewall refused a request"
        case .lockout: "the exchange has locked the key for a while"
        }
    }
}

extension Exchange.Refusal {
    /// Returns the failure of a refused request.
    ///
    /// - Parameter request: the request and the refusal, as a clause.
    package func failure(name: String, _ request: String) -> Failure {
        Failure(code: .refused, name: name, message: "\(request): \(words) (code \(code))", hint: hint)
    }

    private var words: String {
        switch reason {
        case .keyOrAddressOrRight:
            "it does not know the key, or the key lacks the right, or this address is not in its list"
        case .keyForm: "the key does not have the form of a key"
        case .signature: "the signature does not match the key"
        case .nonce: "the nonce is too low"
        case .time: "the time in the request is too old"
        case .funds: "the account does not have the funds"
        case .symbol: "it does not know the market"
        case .price: "the price is outside of the market's rules"
        case .amount: "the amount is outside of the market's rules"
        case .marketClosed: "the market does not accept orders now"
        case .tooManyOrders: "the account has too many orders"
        case .noSuchOrder: "it does not know the order"
        case .parameter: "a parameter is missing or wrong"
        case .other: "it gives another reason"
        }
    }

    private var hint: String? {
        switch reason {
        case .keyOrAddressOrRight:
            "compare the key's rights and addresses on the exchange's page; do not retry repeatedly"
        case .signature: "the secret belongs to another key: store both again, and do not retry repeatedly"
        case .nonce: "another program uses the same key: create one for each program"
        default: nil
        }
    }
}

extension Doubt {
    package var clause: String {
        switch self {
        case .transport: "the connection failed after the request had left"
        case .status(let status): "its status is \(status)"
        case .answer: "it does not have the documented form"
        case .exchange: "the exchange reported an internal error"
        case .duplicate: "the exchange knows an order with this id"
        case .otherTerms: "the order with this id has other terms"
        case .notAnswered: "the exchange did not answer the query for the order"
        case .tooEarly: "the exchange may still accept the order"
        }
    }
}

extension ConnectionFault {
    fileprivate var failureOfExchange: Failure {
        switch self {
        case .notEncrypted:
            Failure(
                code: .refused, name: "exchange_not_encrypted",
                message: "the server is reached without encryption, in which a key would be readable",
                hint: "use https://")
        case .pinsWithoutTLS, .pinsRequired:
            Failure(
                code: .refused, name: "exchange_not_encrypted",
                message: "the server has pins, and is reached without encryption: such a connection has no key",
                hint: "use https://")
        case .onionWithoutProxy:
            .usage(
                "the server is an onion service, and only Tor's proxy reaches those",
                hint: "name it: --proxy socks5://127.0.0.1:9050")
        }
    }
}

extension HostPins.Fault {
    /// The clause about pins of an exchange.
    fileprivate var words: String {
        switch self {
        case .host: "the pins name an invalid host"
        case .noPins, .noBackup:
            "there is only one pin: when the exchange changes its key, it can no longer be reached"
        case .repeatedPin: "a pin is listed twice"
        case .tooMany: "there are too many pins"
        case .exclusion: "the pins exclude a name that is not below the host"
        }
    }
}
