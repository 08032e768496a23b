/// The reasons why an input is not valid. None contains the input, which may be a secret. An offset counts characters
/// from zero.
public enum InputFault: Equatable, Sendable {
    /// The input has no characters.
    case empty
    /// Characters are missing, often because a part of the text was not copied.
    case tooShort(least: Int)
    /// The input has too many characters.
    case tooLong(most: Int)
    /// A space, a tab or a line break. It often comes with a copied text.
    case space(offset: Int)
    /// A character that is not visible: a zero-width space, a mark of direction, a control character.
    case invisible(offset: Int)
    /// A character that the exchange never issues here.
    case character(offset: Int)
    /// A letter in lower case; the exchange's symbols are in upper case.
    case lowerCase(offset: Int)
    /// The text is not Base64 (RFC 4648, section 4).
    case notBase64
    /// The text has the form of the secret, and stands in place of the key.
    case secretInPlaceOfKey
    /// The input belongs to another exchange.
    case otherVenue(Venue)
    /// The key file is not PEM with one PKCS#8 private key (RFC 5958).
    case notAKeyFile
    /// The key file is encrypted with a passphrase. Fueki stores the key encrypted itself.
    case encryptedKeyFile
    /// The key file contains a key of another algorithm, such as RSA.
    case notEd25519
    /// The text is not a number.
    case notANumber
    /// The number has a sign.
    case sign
    /// The number has an exponent.
    case exponent
    /// The number has a comma. The decimal separator is a point, and groups of digits have no separator.
    case comma(offset: Int)
    /// The number has too many decimal places.
    case tooManyDecimals(most: Int)
    /// The number is zero.
    case zero
    /// The number is too large.
    case tooLarge
    /// There are too many of them.
    case tooMany(most: Int)
    /// The market is named without a slash: Kraken's streams name it by its two assets, `BTC/USD`.
    case noSlash
    /// The label has this key already.
    case sameKey
    /// Keys of several exchanges have this label.
    case severalVenues
    /// The address is not `https://host`, with a port or without.
    case notAnAddress
    /// The pins are not of the form `sha256/…`.
    case notPins
}

/// The inputs that are checked.
public enum InputField: String, Equatable, Sendable {
    /// The label of a key.
    case label
    /// The API key.
    case key
    /// The secret that belongs to the key: a text, or a key file.
    case secret
    /// The passphrase of the key.
    case passphrase
    /// The trading symbol.
    case symbol
    /// The amount of an order.
    case amount
    /// The price of an order.
    case price
    /// The client's id of an order.
    case orderID = "order id"
    /// The time within which the exchange may begin to act.
    case window
    /// The address of the exchange's server.
    case endpoint = "server"
    /// The pins of the server's keys.
    case pins
}

/// The checks that all fields share.
package enum InputCheck {
    /// Returns the first fault of a text that is of these characters only; nil without one.
    package static func fault(
        in text: some Sequence<Unicode.Scalar>, allowing isAllowed: (Unicode.Scalar) -> Bool
    ) -> InputFault? {
        for (offset, scalar) in text.enumerated() where !isAllowed(scalar) {
            return kind(of: scalar, at: offset)
        }
        return nil
    }

    private static func kind(of scalar: Unicode.Scalar, at offset: Int) -> InputFault {
        let properties = scalar.properties
        switch properties.generalCategory {
        case .spaceSeparator, .lineSeparator, .paragraphSeparator: return .space(offset: offset)
        case .control: return properties.isWhitespace ? .space(offset: offset) : .invisible(offset: offset)
        case .format, .surrogate, .privateUse, .unassigned: return .invisible(offset: offset)
        default:
            return properties.isDefaultIgnorableCodePoint ? .invisible(offset: offset) : .character(offset: offset)
        }
    }

    package static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    package static func isUpper(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }
    package static func isLower(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) }
    package static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        isDigit(scalar) || isUpper(scalar) || isLower(scalar)
    }
    static func isBase64(_ scalar: Unicode.Scalar) -> Bool {
        isAlphanumeric(scalar) || scalar == "+" || scalar == "/" || scalar == "="
    }
}
