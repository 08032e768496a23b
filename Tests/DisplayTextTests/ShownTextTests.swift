import DisplayText
import TestSupport
import Testing

@Suite("Foreign text, as it is shown")
struct ShownTextTests {
    private func line(_ text: String) -> SanitizedText { SanitizedText(text, limit: 64, lines: .one) }

    @Test(
        "plain text of any language is shown as it is",
        arguments: ["USD Coin", "é", "Ελλάδα", "Привет, мир!", "日本語 123", "São Paulo – 5 €", "👍"])
    func plain(text: String) {
        #expect(line(text).text == text)
        #expect(line(text).oddities.isEmpty)
    }

    @Test(
        "invisible characters are written as their code points",
        arguments: [
            ("US\u{200B}DC", "US<U+200B>DC"), ("a\u{7}b", "a<U+0007>b"), ("a\u{1B}[2Jb", "a<U+001B>[2Jb"),
            ("x\u{E0041}", "x<U+E0041>"), ("a\u{A0}b", "a<U+00A0>b"), ("\u{3164}", "<U+3164>"),
            ("\u{2800}", "<U+2800>"), ("a\nb", "a<U+000A>b"), ("a\r\nb", "a<U+000D><U+000A>b"),
            ("\u{FE0F}", "<U+FE0F>"),
            ("\u{E000}", "<U+E000>"), ("a\u{2028}b", "a<U+2028>b"), ("a\tb", "a<U+0009>b"),
        ])
    func invisible(text: String, shown: String) {
        #expect(line(text).text == shown)
        #expect(line(text).oddities == [.invisible])
    }

    @Test("right-to-left text is reported, and its direction controls have no effect")
    func direction() {
        #expect(line("pay \u{202E}eciLA").text == "pay <U+202E>eciLA")
        #expect(line("pay \u{202E}eciLA").oddities == [.invisible, .direction])
        #expect(line("שלום 100").oddities == [.direction])
    }

    @Test(
        "letters of several scripts in one word are named",
        arguments: ["USDС", "pаypal", "ΒTC", "ＵSDC", "𝐔SDT", "a\u{200B}а"])
    func mixed(text: String) {
        #expect(line(text).oddities.contains(.mixedScripts))
    }

    @Test(
        "names that pass for each other have one skeleton, also if each is of one script throughout",
        arguments: [
            ("paypal", "раураӏ"), ("Ace", "АСЕ"), ("HOPE", "НОРЕ"), ("bob", "B0B"), ("Ito", "lto"), ("modern", "modem"),
            ("Kate", "ΚΑΤΕ"), ("Anna", "anna"), ("alice", "𝚊𝚕𝚒𝚌𝚎"), ("alice", "𝓪𝓵𝓲𝓬𝓮"), ("Alice", "ＡＬＩＣＥ"),
            ("alice", "ⓐⓛⓘⓒⓔ"),
            ("alice", "ᴀʟɪᴄᴇ"), ("ACE", "ᎪᏟᎬ"), ("alice", "a\u{323}lícé"), ("Bob Lee", "Bob\u{A0} Lee"), ("x1", "x①"),
            ("fine", "ﬁne"),
            ("ALICE", "ꓮꓡꓲꓚꓰ"), ("bob", "ꓐꓳꓐ"), ("coco", "ⲥⲟⲥⲟ"), ("OX", "ⵔⵝ"), ("o", "𐓂"), ("bob 42", "bob ٤٢"),
            ("x4", "x৪"), ("Mike", "Mi\u{138}e"), ("Mike", "Mi\u{199}e"), ("jack", "\u{237}ack"),
            ("fine", "\u{192}ine"), ("clara", "dara"),
            ("Alice", "Aliⅽe"), ("e-mail", "e\u{2011}mail"), ("Istanbul", "İstanbul"),
        ])
    func skeleton(one: String, other: String) {
        #expect(SanitizedText.skeleton(of: one) == SanitizedText.skeleton(of: other))
    }

    @Test(
        "names that look different do not",
        arguments: [
            ("anna", "ana"), ("мир", "map"), ("Bob", "Rob"), ("रेखा", "राखी"), ("か", "が"), ("Bob Lee", "BobLee"), ("", "a"),
        ])
    func otherSkeleton(one: String, other: String) {
        #expect(SanitizedText.skeleton(of: one) != SanitizedText.skeleton(of: other))
    }

    @Test(
        "letters of any two scripts in one word are named, and numerals and digits that pass for others",
        arguments: [
            "Bꓳb", "Aⲟc", "pⵔp", "𐓪bob", "Aliⅽe", "bo𐌁", "ᎪBC", "BTCк", "USD৪", "1৪", "1٢3", "BobⅠ", "ﬁne", "aԱ",
            "a\u{11F04}", "Bob ৪", "৪৪", "५० BTC", "BTC〇", "aㅣb", "１2",
        ])
    func rareScripts(text: String) {
        #expect(line(text).oddities.contains(.mixedScripts))
    }

    @Test(
        "a word in a rare script that looks like a Latin one is named",
        arguments: ["ꓮꓡꓲꓚꓰ", "pay ꓐꓳꓐ", "ⲟⲟ", "ⵔⵏⵔ", "ᎪᏟᎬ", "𐊠𐊢"])
    func rareWords(text: String) {
        #expect(line(text).oddities == [.lookAlikes])
    }

    @Test(
        "names of people have nothing odd, whatever script they are written in",
        arguments: [
            "Νίκος Παπαδόπουλος", "Юрій Ковальчук", "Вова", "José Núñez", "Nguyễn Văn An", "Łukasz", "Իսկուհի",
            "გიორგი",
            "王小明", "山田 太郎", "すずき ハナコ", "佐々木", "김민준", "محمد علي", "عبد الله", "דוד בן-גוריון", "ח'אלד",
            "राहुल शर्मा", "রবীন্দ্রনাথ", "தமிழ்ச்செல்வி", "ਗੁਰਪ੍ਰੀਤ", "సీత", "ಕನ್ನಡ", "മോഹൻ", "ගුණසේකර", "สมชาย", "ສົມພອນ",
            "အောင်ဆန်း", "សុខា", "አበበ", "བསྟན་འཛིན", "Tシャツ", "ＡＢＣ商事", "BTC를", "BTC은", "5кг", "ᏣᎳᎩ", "ⵜⴰⵎⴰⵣⵉⵖⵜ",
            "২০২৪ সাল", "२०२४ में", "m²", "CO₂", "м⁴", "ʻOkina", "আমি।", "µTorrent",
        ])
    func names(text: String) {
        #expect(line(text).text == text)
        #expect(line(text).oddities.isEmpty)
    }

    @Test("right-to-left letters are reported beside left-to-right ones, and not alone")
    func fromRight() {
        #expect(line("שלום 5").oddities == [.direction])
        #expect(line("pay דוד").oddities == [.direction])
        #expect(line("٢٠٢٤ عام").oddities == [.direction])
        #expect(line("דוד, לאה!").oddities.isEmpty)
    }

    @Test("words of several scripts beside each other are not reported") func separate() {
        #expect(line("Bitcoin Биткойн").oddities.isEmpty)
    }

    @Test("more than three marks on a letter are written as code points") func marks() {
        let text = "e" + String(repeating: "\u{301}", count: 5)
        #expect(line(text).text == "e\u{301}\u{301}\u{301}<U+0301><U+0301>")
        #expect(line(text).oddities == [.stackedMarks])
    }

    @Test(
        "several blanks, and those at either end of a line, are written with their number",
        arguments: [
            ("a  b", "a<U+0020*2>b"), (" a", "<U+0020>a"), ("a ", "a<U+0020>"), ("a \nb", "a<U+0020>\nb"),
            ("a\n  b c", "a\n<U+0020*2>b c"), ("   ", "<U+0020*3>"), (" \u{200B} ", "<U+0020><U+200B><U+0020>"),
        ])
    func blanks(text: String, shown: String) {
        let read = SanitizedText(text, limit: 64, lines: .several)
        #expect(read.text == shown)
        #expect(!read.oddities.contains(.blanks))
    }

    @Test("a run of blanks as long as a line is reported") func manyBlanks() {
        let text = line("pay Bob" + String(repeating: " ", count: 33) + "fee")
        #expect(text.text == "pay Bob<U+0020*33>fee")
        #expect(text.oddities == [.blanks])
    }

    @Test(
        "a text that writes a code point itself is told from the character",
        arguments: ["<U+202E>", "<U+0020*3>", "<U+"])
    func forged(text: String) {
        #expect(line("a\(text)b").text == "a<U+003C>\(text.dropFirst())b")
        #expect(line("a <b> <U").text == "a <b> <U")
    }

    @Test("a mark without a letter is written as its code point")
    func baselessMark() {
        #expect(line("\u{338}a").text == "<U+0338>a")
        #expect(SanitizedText("a\n\u{301}b", limit: 9, lines: .several).text == "a\n<U+0301>b")
        #expect(line("a \u{20DD}").text == "a <U+20DD>")
        #expect(line("\u{338}a").oddities == [.stackedMarks])
    }

    @Test("the beginning of a text keeps the findings of the whole, and parses as it was shown")
    func beginning() {
        let whole = SanitizedText("one\n<U+0041> and \u{202E} more", limit: 99, lines: .several)
        let short = whole.beginning(19, lines: .one)
        #expect(short.text == "one<U+000A><U+003C>U+0041>")
        #expect(short.oddities == [.invisible, .direction, .cut])
        #expect(whole.beginning(99, lines: .several) == whole)
    }

    @Test("no more characters are shown than the limit") func cut() {
        let text = SanitizedText(String(repeating: "a", count: 65), limit: 64, lines: .one)
        #expect(text.text.count == 64)
        #expect(text.oddities == [.cut])
        #expect(SanitizedText(String(repeating: "a", count: 64), limit: 64, lines: .one).oddities.isEmpty)
    }

    @Test("a message may have line breaks, but no carriage return, which would overwrite them") func lines() {
        let text = SanitizedText("one\ntwo\rthree", limit: 64, lines: .several)
        #expect(text.text == "one\ntwo<U+000D>three")
    }

    @Test("for any bytes, the shown text has no character that moves, hides or colours") func anything() {
        Fuzz.mutations(of: ["USD\u{202E}C\u{200B}".utf8, "é\u{301}\n".utf8].map(Array.init)) { bytes in
            let shown = SanitizedText(String(decoding: bytes, as: UTF8.self), limit: 100, lines: .one)
            for scalar in shown.text.unicodeScalars {
                #expect(![.control, .format, .lineSeparator].contains(scalar.properties.generalCategory))
            }
        }
    }
}
