internal import Encoding
internal import TestSupport
internal import Testing

private typealias JSON = Encoding.JSON

@Suite("JSON")
struct JSONTests {
    /// Written as our writer does it.
    private static let documents = [
        "null", "true", "false", "0", "-0", "1", "-1", "12.50", "1e3", "-1.5E-7", "1E+2", "\"\"", "\"a\"",
        "115792089237316195423570985008687907853269984665640564039457584007913129639936", "[]", "{}", "[1,[2,[]],{}]",
        #"{"a":1,"b":{"a":[null,true]},"":""}"#, #""\"\\\b\f\n\r\t\u0000\u001f/é水𐅑""#,
    ]

    @Test("JSON without white space encodes to the same bytes", arguments: documents)
    func known(_ text: String) throws {
        #expect(try JSON(decoding: text).text == text)
    }

    @Test("additional white space and unnecessary escapes change nothing")
    func forms() throws {
        let value: Encoding.JSON = ["a": [1, true, "x/\u{e9}\u{1f600}"], "b": "\n"]
        #expect(
            try JSON(decoding: " \t\r\n{ \"a\" :[1 ,true,\"\\u0078\\/\\u00E9\\ud83d\\uDE00\"]\n, \"b\":\"\\u000a\" } ")
                == value)
        #expect(value["a"]?.array?.count == 3 && value["b"]?.string == "\n" && value["c"] == nil)
        #expect(value["a"]?["b"] == nil && JSON.null.isNull && JSON.bool(false).bool == false)
        #expect(value.object?.names == ["a", "b"])
        #expect(JSON(-5).number?.integer() == Int64(-5))
    }

    @Test("a number is its text: digits are kept, and only whole numbers that fit are integers")
    func numbers() throws {
        let big = "115792089237316195423570985008687907853269984665640564039457584007913129639936"
        #expect(try JSON(decoding: big).number?.text == big)
        #expect(try JSON(decoding: "18446744073709551615").number?.integer() == UInt64.max)
        for text in ["18446744073709551616", "1.0", "1e3", "-1", "-0"] {
            #expect(try JSON(decoding: text).number?.integer(as: UInt64.self) == nil, "\(text)")
        }
        #expect(try JSON.Number("-12").isInteger && !JSON.Number("1.0").isInteger && !JSON.Number("1e1").isInteger)
        #expect(try JSON.Number("1.0") != JSON.Number("1"))
        #expect(throws: EncodingError.badCharacter(offset: 1)) { try JSON.Number("1 ") }
        #expect(throws: EncodingError.truncated) { try JSON.Number("") }
    }

    @Test(
        "invalid JSON is refused with the place of the mistake",
        arguments: [
            ("01", EncodingError.leftOver(count: 1)), ("+1", .badCharacter(offset: 0)),
            (".5", .badCharacter(offset: 0)),
            ("1.", .truncated), ("1.e3", .badCharacter(offset: 2)), ("1e", .truncated), ("1e+", .truncated),
            ("0x10", .leftOver(count: 3)), ("NaN", .badCharacter(offset: 0)), ("Infinity", .badCharacter(offset: 0)),
            ("-", .truncated), ("-a", .badCharacter(offset: 1)), ("tru", .truncated),
            ("True", .badCharacter(offset: 0)),
            ("nulL", .badCharacter(offset: 3)), ("'a'", .badCharacter(offset: 0)), ("", .truncated), (" ", .truncated),
            ("[1,]", .badCharacter(offset: 3)), ("[,1]", .badCharacter(offset: 1)), ("[1 2]", .badCharacter(offset: 3)),
            ("[1", .truncated), ("[1,", .truncated), ("{\"a\":1,}", .badCharacter(offset: 7)),
            ("{a:1}", .badCharacter(offset: 1)), ("{\"a\" 1}", .badCharacter(offset: 5)),
            ("{\"a\":}", .badCharacter(offset: 5)),
            ("{\"a\":1", .truncated), ("{\"a\"", .truncated), ("{", .truncated),
            ("{\"a\":1]", .badCharacter(offset: 6)),
            ("1 2", .leftOver(count: 1)), ("{}{}", .leftOver(count: 2)), ("[] // x", .leftOver(count: 4)),
            ("\u{feff}1", .badCharacter(offset: 0)), ("\"a", .truncated), ("\"\\", .truncated),
            ("\"\\a\"", .badCharacter(offset: 2)), ("\"\\u12\"", .badCharacter(offset: 5)), ("\"\\u12", .truncated),
            ("\"\n\"", .badCharacter(offset: 1)), ("\"\u{0}\"", .badCharacter(offset: 1)),
            ("\u{a0}1", .badCharacter(offset: 0)),
        ])
    func refused(_ text: String, _ error: EncodingError) {
        #expect(throws: error) { try JSON(decoding: text) }
    }

    @Test(
        "a surrogate that stands alone, or in the wrong order, is refused",
        arguments: [#""\ud83d""#, #""\ud83dx""#, #""\ude00""#, #""\ud83d\ud83d""#, #""\ude00\ud83d""#, #""\ud83d\n""#])
    func surrogates(_ text: String) {
        #expect(throws: EncodingError.badCharacter(offset: 1)) { try JSON(decoding: text) }
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: ["22ff22", "22c08022", "22eda08022", "22f490808022", "22c322", "ff"])
    func notUTF8(_ text: String) {
        #expect(throws: EncodingError.self) { try JSON(decoding: hex(text)) }
    }

    @Test("a repeated name is refused, also in an escaped form; names that look alike differ")
    func duplicates() throws {
        #expect(throws: EncodingError.duplicate(offset: 7)) { try JSON(decoding: #"{"a":1,"a":1}"#) }
        #expect(throws: EncodingError.duplicate(offset: 7)) { try JSON(decoding: #"{"a":1,"\u0061":2}"#) }
        let value = try JSON(decoding: "{\"\u{e9}\":1,\"e\u{301}\":2}")
        #expect(value["\u{e9}"] == 1 && value["e\u{301}"] == 2)
        #expect(JSON.string("\u{e9}") != JSON.string("e\u{301}"))
        let member = JSON.Object.Member(name: "a", value: 1)
        #expect(throws: EncodingError.duplicate(offset: 1)) { try JSON.Object([member, member]) }
    }

    @Test("two equal names among many are found at any position")
    func manyNames() throws {
        let names = (0..<40).map { "n\($0)" }
        let text = { (names: [String]) in "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}" }
        #expect(try JSON(decoding: text(names)).object?.names == names)
        for first in [0, 7, 15, 16, 17, 30] {
            for second in [first + 1, 16, 17, 39] where second > first {
                var changed = names
                changed[second] = names[first]
                let offset = text(Array(changed[..<second])).utf8.count
                #expect(throws: EncodingError.duplicate(offset: offset)) { try JSON(decoding: text(changed)) }
            }
        }
    }

    @Test("an escape is decoded at any position in a string")
    func escapes() throws {
        for text in [#"\n"#, #"a\n"#, #"\na"#, #"a\nb\"c"#, #"水\u6c34水"#] {
            let expected = text.replacing(#"\n"#, with: "\n").replacing(#"\""#, with: "\"").replacing(
                #"\u6c34"#, with: "水")
            #expect(try JSON(decoding: "\"\(text)\"").string == expected)
        }
    }

    @Test("more bytes or levels than the limit are refused")
    func limits() throws {
        #expect(throws: EncodingError.tooLong(limit: 3)) { try JSON(decoding: "1234", limit: 3) }
        let depth = EncodingLimits.jsonDepth
        let deepest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try JSON(decoding: deepest).text == deepest)
        #expect(throws: EncodingError.tooDeep(limit: depth)) { try JSON(decoding: "[" + deepest + "]") }
        #expect(throws: EncodingError.tooDeep(limit: depth)) {
            try JSON(decoding: String(repeating: "{\"a\":", count: 100_000))
        }
        #expect(throws: EncodingError.tooDeep(limit: 1)) { try JSON(decoding: "[{}]", depth: 1) }
    }

    @Test("mutated documents are refused, or encode and decode to the same value")
    func fuzz() {
        var accepted = 0
        Fuzz.mutations(of: Self.documents.map { Array($0.utf8) }) { bytes in
            guard let value = try? JSON(decoding: bytes) else { return }
            accepted += 1
            try requireEqual(JSON(decoding: value.encoded), value)
            try requireEqual(JSON(decoding: value.encoded).encoded, value.encoded)
        }
        #expect(accepted > 1_000)
    }
}
