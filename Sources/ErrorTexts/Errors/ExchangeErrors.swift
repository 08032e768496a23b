package import Exchange
internal import PinnedHTTP
internal import SecureStorage
package import Texts
internal import Time

extension ExchangeError: Explained {
    package var failure: Failure {
        switch self {
        case .invalid(let field, let fault): Self.invalid(field, fault)
        case .noKey:
            Failure(
                code: .missing, name: "no_such_key", message: "no key of an exchange has this label here",
                hint: "'fueki exchange list' lists the keys")
        case .labelTaken:
            Failure(
                code: .unwritable, name: "key_exists", message: "a key has this label already",
                hint: "choose another label, or replace the key with 'fueki exchange rotate'")
        case .revoked:
            Failure(
                code: .refused, name: "key_revoked",
                message: "this key was revoked on this machine, and is not used again",
                hint: "create another one at the exchange")
        case .store(let error): Self.store(error)
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

    private static func invalid(_ field: InputField, _ fault: InputFault) -> Failure {
        let message = fault.words(of: field)
        return switch field {
        case .key where fault == .sameKey:
            Failure(code: .unwritable, name: "same_key", message: message)
        case .key, .secret, .passphrase:
            Failure(code: .malformed, name: "bad_\(field.rawValue)", message: message, hint: fault.hint)
        case .endpoint where fault == .notEncrypted, .pins where fault == .notEncrypted:
            Failure(code: .refused, name: "exchange_not_encrypted", message: message, hint: "use https://")
        case .label, .symbol, .amount, .price, .orderID, .window, .endpoint, .pins: .usage(message, hint: fault.hint)
        }
    }

    private static func testPlaced(_ ids: String) -> Failure {
        Failure(
            code: .other, name: "test_placed", message: "the exchange placed the order although it was a test: \(ids)",
            hint: "cancel it now: 'fueki exchange cancel' takes each of these ids")
    }

    private static func store(_ error: SecureStorageError) -> Failure {
        switch error {
        case .wrongPassphrase:
            Failure(
                code: .wrongPassphrase, name: "wrong_passphrase",
                message: "the passphrase does not open the keys of exchanges")
        case .backend(let backend, let fault):
            fault.failure(of: backend).reworded { "the keys of exchanges: \($0)" }
        case .lockedByAnother, .diskFull: error.failure
        case .inputOutput: error.failure
        case .rolledBack:
            Failure(
                code: .malformed, name: "old_keys", message: "the keys of exchanges: \(error.clause)",
                hint: "bring the newest copy back: an older one does not know which keys were revoked")
        default:
            Failure(code: .malformed, name: "bad_keys", message: "the keys of exchanges: \(error.clause)")
        }
    }
}

extension Failure {
    /// Returns the failure of a revocation. A stolen key works at the exchange, whatever happens here.
    package var ofRevocation: Failure {
        guard code != .usage, name != "cancelled" else { return self }
        guard let hint else { return advising("delete the key at the exchange first, where it still works") }
        return advising("delete the key at the exchange first, where it still works; \(hint)")
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
        case .keysMissing:
            Failure(
                code: .missing, name: "keys_missing",
                message: "the keys of exchanges are not where this machine has seen them",
                hint: "bring keys.vault back. If it is lost for good, delete its keys at the exchanges, and remove the "
                    + "folder keys.seen beside it")
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

extension InputField {
    /// The input's name, as the subject of a clause.
    fileprivate var words: String {
        switch self {
        case .label: "the label"
        case .key: "the key"
        case .secret: "the secret"
        case .passphrase: "the passphrase"
        case .symbol: "the symbol"
        case .amount: "the amount"
        case .price: "the price"
        case .orderID: "the order id"
        case .window: "the window"
        case .endpoint: "the server"
        case .pins: "the pins"
        }
    }
}

extension InputFault {
    /// Returns the clause about the fault of an input.
    fileprivate func words(of field: InputField) -> String {
        let name = field.words
        return switch self {
        case .empty: "\(name) is empty"
        case .tooShort(let least): "\(name) is too short: a part of its \(least) characters may be missing"
        case .tooLong(let most): "\(name) is too long: it has at most \(most) characters"
        case .space(let offset): "\(name) has a space or a line break at character \(offset + 1)"
        case .invisible(let offset): "\(name) has an invisible character at place \(offset + 1)"
        case .character(let offset): "\(name) has a character at place \(offset + 1) that cannot be in it"
        case .lowerCase(let offset):
            "\(name) has a small letter at place \(offset + 1), and the exchange uses capitals"
        case .notBase64: "\(name) is not Base64"
        case .secretInPlaceOfKey: "\(name) has the form of the secret"
        case .otherVenue(let venue): "\(name) belongs to \(venue.title)"
        case .notAKeyFile: "\(name) is not a file with one private key (PEM, PKCS#8)"
        case .encryptedKeyFile: "\(name) is a key file that is encrypted with a passphrase"
        case .notEd25519: "\(name) is a key file of another algorithm than Ed25519"
        case .notANumber: "\(name) is not a number"
        case .sign: "\(name) has a sign"
        case .exponent: "\(name) has an exponent"
        case .comma(let offset): "\(name) has a comma at place \(offset + 1): the decimal separator is a point"
        case .tooManyDecimals(let most): "\(name) has more than \(most) decimal places"
        case .zero: "\(name) is zero"
        case .tooLarge: "\(name) is too large"
        case .tooMany(let most): "there are too many markets: a stream has at most \(most)"
        case .noSlash: "\(name) has no slash: Kraken's streams name a market by its two assets, such as BTC/USD"
        case .sameKey: "\(name) is the one that has this label already; nothing was changed"
        case .severalVenues: "\(name) is the label of keys of several exchanges"
        case .notAnAddress: "\(name) is not an address: https://host, with a port or without"
        case .notEncrypted where field == .pins:
            "the server has pins, and is reached without encryption: such a connection has no key"
        case .notEncrypted: "\(name) is reached without encryption, in which a key would be readable"
        case .notPins: "the pins are not of the form 'sha256/' and 44 characters of Base64"
        case .pins(let fault): fault.words
        }
    }

    fileprivate var hint: String? {
        switch self {
        case .space, .invisible, .tooShort: "copy it again, without anything before or after it"
        case .secretInPlaceOfKey: "the exchange shows two texts: the shorter one is the key"
        case .encryptedKeyFile:
            "decrypt a copy with 'openssl pkey -in FILE -out COPY', and delete the copy after storing it"
        case .severalVenues: "name the exchange with --exchange"
        case .pins: "give two pins: of the server's key or its authority's, and of a spare key or another authority's"
        default: nil
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
