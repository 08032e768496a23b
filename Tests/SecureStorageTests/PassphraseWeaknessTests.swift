internal import SecretStoreTestSupport
internal import Secrets
internal import Testing

@testable import SecureStorage

@Suite("The weakness of a passphrase")
struct PassphraseWeaknessTests {
    private func weakness(_ text: String, _ name: String = "savings") -> PassphraseWeakness? {
        PassphraseWeakness.first(in: secret(text), walletName: name)
    }

    @Test(
        "a passphrase is common in any case, with blanks, and with digits or punctuation at its end",
        arguments: [
            "password", "PASSWORD", "Password123!", "pass word 2026", "p@ssw0rd", "To be or not to be?", "bitcoin1",
            "letmein ", "contraseña", "contrasen\u{303}a", "Not your keys not your coins", "Ｐａｓｓｗｏｒｄ１",
        ])
    func common(_ text: String) { #expect(weakness(text) == .common) }

    @Test(
        "a longer text with a common one in it is not common",
        arguments: ["my password is a long one", "1password and others", "to be or not to be my own bank"])
    func uncommon(_ text: String) { #expect(weakness(text) == nil) }

    @Test("the list has at most 100 entries, each in the form that is compared")
    func list() {
        #expect(CommonPassphrases.stems.count <= 100)
        #expect(Set(CommonPassphrases.stems).count == CommonPassphrases.stems.count)
        for stem in CommonPassphrases.stems { #expect(weakness(stem + "2026") == .common, "\(stem)") }
    }

    @Test(
        "one text several times is a repetition",
        arguments: [
            "aaaaaaaaaaaaaaaaaaaa", "horse horse horse horse", "Horse horse HORSE horse", "battery1battery1batte",
        ])
    func repetition(_ text: String) { #expect(weakness(text) == .repetition) }

    @Test(
        "a text that begins or ends like itself is no repetition",
        arguments: ["horse battery staple horse", "horse horse battery", "battery staple, battery stable"])
    func noRepetition(_ text: String) { #expect(weakness(text) == nil) }

    @Test(
        "the alphabet, the digits and rows of keys are sequences, in either direction and one after the other",
        arguments: [
            "abcdefghijklmnop", "zyxwvutsrqponmlk", "abcdef123456", "1234567890qwertyuiop", "qwertzuiop yxcvbnm",
            "azerty qsdfgh wxcvbn", "POIUYT lkjhgf", "aaaabbbbccccdddd", "abcd", "987654321",
            "１２３４５６",
        ])
    func sequence(_ text: String) { #expect(weakness(text) == .sequence) }

    @Test(
        "a text with a sequence in it, and every other character of the alphabet, are no sequences",
        arguments: ["abcdef and three other words", "acegikmoqsuwybdfh", "abc rst hij fgh wxy"])
    func noSequence(_ text: String) { #expect(weakness(text) == nil) }

    @Test(
        "fewer than 24 digits are weak, also as dates and telephone numbers",
        arguments: ["2026-11-30 05554321", "+49 30 5557281", "31415926535897932384626", "20:15 24.12.2026"])
    func digitsOnly(_ text: String) { #expect(weakness(text) == .digitsOnly) }

    @Test(
        "24 digits, and digits with a letter or a symbol, are more than digits",
        arguments: ["314159265358979323846264", "2026-11-30 05554321 x", "31415926535897#9"])
    func moreThanDigits(_ text: String) { #expect(weakness(text) == nil) }

    @Test("a wallet's name and fewer than sixteen other characters are weak, in any case and place")
    func walletName() {
        for text in [
            "my Savings passphrase", "savings-2026-savings", "the savings of 26", "Savings + 15 others",
            "savings あいうえおかきくけこさしすせ", "ｍｙ Ｓａｖｉｎｇｓ ｏｆ ２６",
        ] {
            #expect(weakness(text) == .walletName, "\(text)")
        }
        #expect(weakness("0123x56789abxde savings", "savings") == .walletName)
        #expect(weakness("my house-2.0 passphrase", "House-2.0") == .walletName)
        // Sixteen other characters; another wallet's name; a part of the name; a short name, which occurs by chance.
        #expect(weakness("0123x56789abxdeF savings") == nil)
        #expect(weakness("savings あいうえおかきくけこさしすせそた") == nil)
        #expect(weakness("my Savings passphrase", "treasury") == nil)
        #expect(weakness("my Saving passphrases") == nil)
        #expect(weakness("banana banana cake", "an") == nil)
        #expect(weakness("my Savings passphrase", "") == nil)
    }

    @Test("fewer than sixteen characters are short, with blanks, in any script and in any form of the same text")
    func short() {
        // In the normal form `ö` is two characters: fifteen of them, and sixteen.
        for text in [
            "", "x", "fifteen bytes..", "zwölf Hühner?", "zwo\u{308}lf Hu\u{308}hner?", "あいうえおかき", "парольпа",
        ] { #expect(weakness(text) == .short, "\(text)") }
        for text in [
            "sixteen bytes...", "zwölf Hühner da", "zwo\u{308}lf Hu\u{308}hner!?", "あいうえおかきくけこさしすせそた",
        ] { #expect(weakness(text) == nil, "\(text)") }
    }

    @Test(
        "strong ones have no weakness",
        arguments: [
            "correct horse battery staple", "talk-kangaroo-visit-snap-puppy-feel-club",
            "x7#Kp2!vQz9@Lm4$",
        ])
    func strong(_ text: String) { #expect(weakness(text) == nil) }

    @Test("a repetition is no recovery passphrase either: the rule is the same")
    func recovery() {
        let isStrong = { (text: String) in RecoveryPassphrase.isStrong(secret(text), besides: secret("")) }
        #expect(!isStrong("battery1battery1batte"))
        #expect(isStrong("battery1 staple2 horse"))
    }

    @Test("the longest passphrase is examined")
    func longest() {
        #expect(weakness(String(repeating: "ab", count: 512)) == .repetition)
        #expect(weakness(String(repeating: "ab", count: 511) + "!?") == nil)
        #expect(weakness(String(repeating: "ﷺ", count: 341)) == .repetition)
        // No vault has a longer one.
        #expect(weakness(String(repeating: "ab", count: 513)) == .repetition)
    }
}
