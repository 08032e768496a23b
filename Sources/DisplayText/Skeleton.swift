extension SanitizedText {
    /// Returns the text as a reader perceives it. Letters of other scripts that look like a Latin one become that
    /// letter, and so do large letters, letters of formulas and wide ones (their compatibility decomposition, UAX #15),
    /// and digits that look like letters. A digit of any script becomes its value. Accents are left out, and several
    /// blanks become one. Two names with the same skeleton look alike, even if each is written in one script, which
    /// ``Oddity/mixedScripts`` does not detect.
    public static func skeleton(of text: String) -> String {
        var skeleton = String.UnicodeScalarView()
        // Decomposed again, because a small form may have a mark of its own.
        for scalar in NFKD.scalars(of: plain(text)) where !Accents.contains(scalar) {
            let digit = scalar.decimalDigit.flatMap { Unicode.Scalar(UInt8(ascii: "0") + $0) } ?? scalar
            let twin = twins[digit] ?? digit
            if twin == " ", skeleton.last == " " { continue }
            // Together they look like one letter; alone, l looks like i.
            if digit == "l", skeleton.last == "c" {
                skeleton.removeLast()
                skeleton.append("d")
                continue
            }
            skeleton.append(twin)
        }
        return String(skeleton).replacing("rn", with: "m").replacing("vv", with: "w")
    }

    /// Returns the text in plain small letters, without differences that only Unicode makes, such as letters of
    /// formulas.
    public static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(NFKD.scalars(of: text))).lowercased()
    }

    /// Returns whether the character looks like a Latin letter or an ASCII digit.
    static func hasTwin(_ scalar: Unicode.Scalar) -> Bool {
        let scalars = NFKD.scalars(of: plain(String(scalar)))
        return scalars.count == 1 && twins[scalars[0]] != nil
    }

    /// Small letters, digits and signs, each with the letter that it resembles, in one of its cases. Letters of rare
    /// scripts come from `confusables.txt` (UTS #39), if they resemble one Latin letter or digit.
    private static let twins: [Unicode.Scalar: Unicode.Scalar] = {
        let rows: [(Unicode.Scalar, String)] = [
            ("a", "аαɑᴀꭺ"), ("b", "вβʙᏼꮟ"), ("c", "сϲᴄꮯ"), ("d", "ԁᴅꭰꮷ"), ("e", "еεᴇꭼ"), ("f", "ꜰƒ"),
            ("g", "ԍɡɢꮐᏻ"), ("h", "һнηʜꮋꮒ"), ("i", "іιı1l|ӏɩɪʟꭵꮮ"), ("j", "јϳᴊꭻȷ"), ("k", "кκᴋꮶĸƙ"),
            ("m", "мμᴍꮇ"), ("n", "ոνɴ"), ("o", "оο0օσᴏ"), ("p", "рρᴘꮲ"), ("q", "ԛզ"), ("r", "ʀꭱꮢ"), ("s", "ѕ5ꜱꮪꮥ"),
            ("t", "тτᴛꭲ"), ("u", "υսᴜ"), ("v", "ѵᴠꮩ"), ("w", "ԝωᴡꮃꮤ"), ("x", "хχ"), ("y", "уγʏꭹꮍ"), ("z", "ζᴢꮓ"),
            ("2", "ꝛƨϩꙅᒿꛯ"), ("3", "ɜȝʒꝫⳍзӡ𖼻𑣊"), ("4", "ꮞ𑣏"), ("6", "ⳓбꮾ"), ("7", "𐓺"), ("8", "ȣ𐌚"),
            ("9", "ꝯⳋ𑣌𑣖"), ("a", "ⲁᗅꓮ𖽀𐊠"), ("b", "ⲃꞵᗷꓐ𐊂𐊡𐌁ƅьᑲᖯ"), ("c", "𑣲ⲥꓚ𐊢𐌂𐐽𐔜ς"), ("d", "ᗞᗪꓓᑯꓒ"),
            ("e", "ⲉⴹꓰ𑣆𑣎𐊆℮ꬲҽ"), ("f", "ꞙϝᖴꓝ𑣂𐊇𐊥𐔥ꬵẝք"), ("g", "ꓖᶃƍց"), ("h", "ⲏᕼꓧ𐋏հ"),
            ("i", "丨\u{1175}ⳑᒪꓡ𖼖𑣃𑣒𐑃𐔦ꙇ𐌠ǀⲓⵏᛁꓲ𖼨𐊊𐌉"), ("j", "ʝᒍꓙ"), ("k", "ⲕᛕꓗ𐔘"), ("m", "ϻⲙᗰᛖꓟ𐊰𐌑"), ("n", "ⲛꓠ𐔓ռ"),
            ("o", "\u{110B}〇ⲟⵔ𐓪ꓳ𑣕𐊒𐊫𐐬𐔖ᴑꬽ𑣈𑣗"), ("p", "ⲣᑭꓑ𐊕"), ("q", "ⵕգ"), ("r", "𐓜ᖇꓣ𖼵ꭇꭈᴦⲅгꮁ"),
            ("s", "տꓢ𖼺𐊖𐑈ƽ𑣁𑣛"), ("t", "ⲧꓔ𖼊𑣜𐊗𐊱𐌕"), ("u", "𐓶ᑌꓴ𖽂𑣘ꞟꭎꭒʋ"), ("v", "ⴸᐯꛟꓦ𖼈𑣀𐔝𑜆"),
            ("w", "𑣯ꓪɯѡա𑜊𑜎𑜏"), ("x", "᙭𐌢𑣬ꭓⲭⵝᚷꓫ𐊐𐊴𐌗𐔧᙮×ᕁᕽ"), ("y", "ⲩүꓬ𖽃𑣄𐊲ɣᶌỿꭚ"), ("z", "ⲍꓜ𑣉"),
            ("-", "\u{2010}\u{2012}\u{2013}\u{2014}\u{2212}"), ("'", "\u{2018}\u{2019}\u{2BC}`"),
        ]
        var twins: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (letter, others) in rows { for other in others.unicodeScalars { twins[other] = letter } }
        return twins
    }()
}

/// Marks for letters of any script (the blocks of combining diacritical marks), which readers overlook. Marks of one
/// script, such as the vowels of Devanagari, count as letters.
private enum Accents {
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// The value of a decimal digit of any script.
    var decimalDigit: UInt8? {
        guard properties.numericType == .decimal, let value = properties.numericValue, (0...9).contains(value) else {
            return nil
        }
        return UInt8(value)
    }
}
