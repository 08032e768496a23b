extension ShownText {
    /// What the eye reads: letters of other scripts that look like a Latin one are that one, and so are large letters and small
    /// ones, those of formulas and wide ones (their compatibility decomposition, UAX #15), and the digits that pass for letters.
    /// Accents are left out, and blanks in a row are one. Two names of the same skeleton pass for each other, also if each of
    /// them is written in one script throughout, which ``Oddity/mixedScripts`` does not see.
    public static func skeleton(of text: String) -> String {
        var skeleton = String.UnicodeScalarView()
        // Decomposed again, for what has a small form with a mark of its own.
        for scalar in NFKD.scalars(of: plain(text)) where !Accents.contains(scalar) {
            let twin = twins[scalar] ?? scalar
            if twin == " ", skeleton.last == " " { continue }
            skeleton.append(twin)
        }
        return String(skeleton).replacing("rn", with: "m").replacing("vv", with: "w")
    }

    /// The text in plain small letters: without what only Unicode tells from them, as the letters of formulas.
    public static func plain(_ text: String) -> String {
        String(String.UnicodeScalarView(NFKD.scalars(of: text))).lowercased()
    }

    /// Small letters, digits and signs, each with the letter that it passes for, in one of its cases.
    private static let twins: [Unicode.Scalar: Unicode.Scalar] = {
        let rows: [(Unicode.Scalar, String)] = [
            ("a", "аαɑᴀꭺ"), ("b", "вβʙᏼꮟ"), ("c", "сϲᴄꮯ"), ("d", "ԁᴅꭰꮷ"), ("e", "еεᴇꭼ"), ("f", "ꜰ"),
            ("g", "ԍɡɢꮐᏻ"), ("h", "һнηʜꮋꮒ"), ("i", "іιı1l|ӏɩɪʟꭵꮮ"), ("j", "јϳᴊꭻ"), ("k", "кκᴋꮶ"),
            ("m", "мμᴍꮇ"), ("n", "ոνɴ"), ("o", "оο0օσᴏ"), ("p", "рρᴘꮲ"), ("q", "ԛզ"), ("r", "ʀꭱꮢ"), ("s", "ѕ5ꜱꮪꮥ"),
            ("t", "тτᴛꭲ"), ("u", "υսᴜ"), ("v", "ѵᴠꮩ"), ("w", "ԝωᴡꮃꮤ"), ("x", "хχ"), ("y", "уγʏꭹꮍ"), ("z", "ζᴢꮓ"),
            ("-", "\u{2010}\u{2012}\u{2013}\u{2014}\u{2212}"), ("'", "\u{2018}\u{2019}\u{2BC}`"),
        ]
        var twins: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (letter, others) in rows { for other in others.unicodeScalars { twins[other] = letter } }
        return twins
    }()
}

/// The marks that are put on letters of any script (the blocks of combining diacritical marks): a glance passes over them. Those
/// of one script, such as the vowels of Devanagari, are letters to who reads it.
private enum Accents {
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }
}
