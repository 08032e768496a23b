/// Kinds of bytes in a text. They are computed: a scan asks for each byte.
extension UInt8 {
    @inline(__always) var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    var isUppercase: Bool { self &- UInt8(ascii: "A") < 26 }
    @inline(__always) var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    @inline(__always) var isAlphanumeric: Bool { isLetter || isDigit }

    /// `+ / - _`, which stand between letters and digits in Base64 and base64url.
    @inline(__always) var isBase64Mark: Bool {
        self == UInt8(ascii: "/") || self == UInt8(ascii: "-") || self == UInt8(ascii: "_") || self == UInt8(ascii: "+")
    }
    @inline(__always) var isBase64: Bool { isAlphanumeric || isBase64Mark }

    /// Whether the byte is one of `token68` (RFC 9110, section 11.2).
    var isOfToken: Bool {
        isBase64 || self == UInt8(ascii: ".") || self == UInt8(ascii: "~") || self == UInt8(ascii: "=")
    }

    @inline(__always) var isSpace: Bool { self == UInt8(ascii: " ") || self &- 0x09 < 5 }
    var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") || self == UInt8(ascii: "`") }

    /// The same letter in lower case; anything else as it is.
    @inline(__always) var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }

    /// The byte as it counts in a plain or a Base64 text: the two alphabets (RFC 4648, sections 4 and 5) are one.
    var inOneBase64: UInt8 {
        if self == UInt8(ascii: "-") { return UInt8(ascii: "+") }
        return self == UInt8(ascii: "_") ? UInt8(ascii: "/") : self
    }

    /// The value of a hexadecimal digit.
    var hexValue: UInt8? {
        if isDigit { return self - UInt8(ascii: "0") }
        let letter = (self | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
