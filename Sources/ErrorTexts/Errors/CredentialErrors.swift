package import ExchangeCredentials
internal import SecureStorage
package import Texts

extension CredentialError: Explained {
    package var failure: Failure {
        switch self {
        case .invalid(let field, let fault): fault.failure(of: field)
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
        case .keysMissing:
            Failure(
                code: .missing, name: "keys_missing",
                message: "the keys of exchanges are not where this machine has seen them",
                hint: "bring keys.vault back. If it is lost for good, delete its keys at the exchanges, and remove the "
                    + "folder keys.seen beside it")
        case .store(let error): Self.store(error)
        }
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
    /// Returns the failure of an invalid input.
    func failure(of field: InputField) -> Failure {
        let message = words(of: field)
        return switch field {
        case .key where self == .sameKey:
            Failure(code: .unwritable, name: "same_key", message: message)
        case .key, .secret, .passphrase:
            Failure(code: .malformed, name: "bad_\(field.rawValue)", message: message, hint: hint)
        case .label, .symbol, .amount, .price, .orderID, .window, .endpoint, .pins: .usage(message, hint: hint)
        }
    }

    /// Returns the clause about the fault of an input.
    private func words(of field: InputField) -> String {
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
        case .notPins: "the pins are not of the form 'sha256/' and 44 characters of Base64"
        }
    }

    private var hint: String? {
        switch self {
        case .space, .invisible, .tooShort: "copy it again, without anything before or after it"
        case .secretInPlaceOfKey: "the exchange shows two texts: the shorter one is the key"
        case .encryptedKeyFile:
            "decrypt a copy with 'openssl pkey -in FILE -out COPY', and delete the copy after storing it"
        case .severalVenues: "name the exchange with --exchange"
        default: nil
        }
    }
}
