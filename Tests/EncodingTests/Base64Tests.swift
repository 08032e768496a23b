internal import Encoding
internal import Foundation
internal import Secrets
internal import TestSupport
internal import Testing

@Suite("Base64")
struct Base64Tests {
    @Test(
        "known answers of RFC 4648, section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func knownAnswers(_ ascii: String, _ text: String) throws {
        #expect(Base64.encode(Array(ascii.utf8)) == text)
        #expect(try Base64.decode(text) == Array(ascii.utf8))
        let bare = text.replacingOccurrences(of: "=", with: "")
        #expect(Base64URL.encode(Array(ascii.utf8)) == bare)
        #expect(try Base64URL.decode(bare) == Array(ascii.utf8))
    }

    @Test("the known answer of RFC 7515, appendix C, and the two characters that differ")
    func url() throws {
        let bytes: [UInt8] = [3, 236, 255, 224, 193]
        #expect(Base64URL.encode(bytes) == "A-z_4ME")
        #expect(try Base64URL.decode("A-z_4ME") == bytes)
        #expect(Base64.encode(bytes) == "A+z/4ME=")
        #expect(throws: EncodingError.badCharacter(offset: 1)) { try Base64.decode("A-z/4ME=") }
        #expect(throws: EncodingError.badCharacter(offset: 3)) { try Base64.decode("A+z_4ME=") }
        #expect(throws: EncodingError.badCharacter(offset: 1)) { try Base64URL.decode("A+z_4ME") }
        #expect(throws: EncodingError.badCharacter(offset: 3)) { try Base64URL.decode("A-z/4ME") }
    }

    @Test("the text is the same as Foundation's, for every length up to 200")
    func foundation() throws {
        let random = SeededRandom(seed: 1)
        for count in 0...200 {
            let bytes = random.publicBytes(count: count)
            #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
            #expect(try Base64.decode(Base64.encode(bytes)) == bytes)
            #expect(try Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            // A part of a longer text.
            let characters = Base64URL.characters(of: bytes)
            #expect(characters == Array(Base64URL.encode(bytes).utf8))
            #expect(try Base64URL.decode(([0x2e] + characters + [0x2e])[1..<(characters.count + 1)]) == bytes)
        }
    }

    @Test(
        "malformed text is refused",
        arguments: [
            ("Zg", EncodingError.truncated), ("Zg=", .truncated), ("Zm9vY", .truncated), ("Z", .truncated),
            ("====", .badCharacter(offset: 0)), ("Z===", .badCharacter(offset: 1)), ("Zg=A", .badCharacter(offset: 2)),
            ("Zg==Zg==", .badCharacter(offset: 2)), ("Zm9v====", .badCharacter(offset: 4)),
            ("Zm9v\n", .badCharacter(offset: 4)), ("Zm 9", .badCharacter(offset: 2)),
            ("Zm9é", .badCharacter(offset: 3)),
            ("Zh==", .notCanonical), ("Zm9=", .notCanonical), ("Z/==", .notCanonical),
        ])
    func malformed(_ text: String, _ error: EncodingError) {
        #expect(throws: error) { try Base64.decode(text) }
    }

    @Test(
        "malformed URL-safe text is refused",
        arguments: [
            ("Z", EncodingError.truncated), ("Zm9vY", .truncated), ("Zg==", .badCharacter(offset: 2)),
            ("Zm8=", .badCharacter(offset: 3)), ("Zm9v\n", .badCharacter(offset: 4)),
            ("Zm9vé", .badCharacter(offset: 4)),
            ("Zh", .notCanonical), ("Zm9", .notCanonical), ("Z_", .notCanonical),
        ])
    func malformedURL(_ text: String, _ error: EncodingError) {
        #expect(throws: error) { try Base64URL.decode(text) }
    }

    @Test("accepted text is encoded to the same text")
    func fuzz() {
        let seeds = ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "A+z/4ME=", "Zm9vYmFy"].map { Array($0.utf8) }
        let accepted = Fuzz.roundTrips(
            of: seeds, decode: { try Base64.decode(text($0)) }, encode: { Array(Base64.encode($0).utf8) })
        #expect(accepted > 0.01)
        let acceptedURL = Fuzz.roundTrips(
            of: ["", "Zg", "Zm8", "Zm9v", "A-z_4ME"].map { Array($0.utf8) },
            decode: { try Base64URL.decode(text($0)) }, encode: { Array(Base64URL.encode($0).utf8) })
        #expect(acceptedURL > 0.01)
    }
}
