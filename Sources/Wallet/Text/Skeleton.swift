extension ShownText {
    /// What the eye reads: letters of other scripts that look like a Latin one are that one, and so are large letters and small
    /// ones, and the digits that pass for letters. Two names of the same skeleton pass for each other, also if each of them is
    /// written in one script throughout, which ``Oddity/mixedScripts`` does not see.
    public static func skeleton(of text: String) -> String {
        var skeleton = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars { skeleton.append(twins[scalar] ?? scalar) }
        return String(skeleton).replacing("rn", with: "m").replacing("vv", with: "w")
    }

    /// Small letters and digits, each with the letter that it passes for, in one of its cases.
    private static let twins: [Unicode.Scalar: Unicode.Scalar] = {
        let rows: [(Unicode.Scalar, String)] = [
            ("a", "аα"), ("b", "вβ"), ("c", "сϲ"), ("d", "ԁ"), ("e", "еε"), ("g", "ԍɡ"), ("h", "һнη"),
            ("i", "іιı1l|ӏ"),
            ("j", "јϳ"), ("k", "кκ"), ("m", "мμ"), ("n", "ոν"), ("o", "оο0օσ"), ("p", "рρ"), ("q", "ԛզ"), ("s", "ѕ5"),
            ("t", "тτ"), ("u", "υս"), ("v", "ѵ"), ("w", "ԝω"), ("x", "хχ"), ("y", "уγ"), ("z", "ζ"),
        ]
        var twins: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (letter, others) in rows { for other in others.unicodeScalars { twins[other] = letter } }
        return twins
    }()
}
