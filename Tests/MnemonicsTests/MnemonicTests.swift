import Curves
import Secrets
import TestSupport
import Testing

@testable import Mnemonics

@Suite("Mnemonics")
struct MnemonicTests {
    private static let zeros = String(repeating: "abandon ", count: 11) + "about"

    private func fault(_ words: String) -> Mnemonic.Fault? {
        do {
            _ = try Mnemonic(words: guarded(words))
            return nil
        } catch { return error }
    }

    @Test("the word list is BIP-39's, by its SHA-256, and every word is found at its index")
    func list() throws {
        let words = EnglishWords.text.split(whereSeparator: \.isWhitespace)
        #expect(
            hex(SHA256.hash(Array(words.map { $0 + "\n" }.joined().utf8)))
                == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda")
        let list = WordList.english
        #expect(list.words.count == words.count && Set(list.words).count == words.count)
        for (place, word) in list.words.enumerated() where place % 97 == 0 || place > 2_040 {
            #expect(list.index(of: word) == UInt16(place) && list.word(at: UInt16(place)) == word)
        }
        #expect(list.index(of: 0) == nil && list.index(of: list.words[5] | 1) == nil)
    }

    @Test("the seed that tests of keys begin with is that of the words for zero")
    func zeroSeed() throws {
        let seed = try Mnemonic(words: guarded(Self.zeros)).seed(passphrase: guarded(""))
        #expect(seed.exposed == Vectors.zeroSeed)
    }

    @Test("entropy of each size is written as words, and read back")
    func roundTrip() throws {
        let random = SeededRandom(seed: 39)
        for count in Mnemonic.WordCount.allCases {
            for _ in 0..<5 {
                let made = Mnemonic(count, from: random)
                let words = made.words()
                #expect(words.exposedText.split(separator: " ").count == count.rawValue)
                let read = try Mnemonic(words: words)
                #expect(read.wordCount == count && read.entropy().matches(made.entropy()))
                #expect(try Mnemonic(entropy: read.entropy()).words().matches(words))
            }
        }
        for size in [0, 15, 17, 18, 31, 33, 36] {
            #expect(throws: Mnemonic.Fault.entropySize(size)) {
                _ = try Mnemonic(entropy: guarded([UInt8](repeating: 1, count: size)))
            }
        }
    }

    @Test("white space of any kind and number is skipped, and letters may be upper case; the seed is the same")
    func spelling() throws {
        let seed = try Mnemonic(words: guarded(Self.zeros)).seed(passphrase: guarded("")).exposed
        for text in [
            "  " + Self.zeros + "\r\n", Self.zeros.replacing(" ", with: "\t \n"), Self.zeros.uppercased(),
            "Abandon" + Self.zeros.dropFirst(7), Self.zeros.replacing(" ", with: "\u{3000}"),
            Self.zeros.replacing(" ", with: "\u{A0}"),
        ] {
            let read = try Mnemonic(words: guarded(text))
            #expect(read.words().exposedText == Self.zeros)
            #expect(try read.seed(passphrase: guarded("")).exposed == seed)
        }
    }

    @Test("an unknown word is reported by its position only")
    func unknownWords() {
        for (word, position) in [
            ("abandonn", 3), ("aband", 1), ("abandonabandon", 12), ("abandon0", 4), ("", 0), ("ábandon", 7), ("-", 2),
            ("abandon\u{0}", 5), ("\u{FF21}bandonz", 6),
        ] where position > 0 {
            var words = [String](repeating: "abandon", count: 11) + ["about"]
            words[position - 1] = word
            #expect(fault(words.joined(separator: " ")) == .unknownWord(position: position))
            words[11] = "zzz"
            #expect(fault(words.joined(separator: " ")) == .unknownWord(position: position))
        }
    }

    @Test("an impossible number of words is reported")
    func wordCounts() {
        for count in [0, 1, 11, 13, 14, 16, 23, 25, 400] {
            #expect(fault([String](repeating: "abandon", count: count).joined(separator: " ")) == .wordCount(count))
        }
        #expect(fault(" \t\n") == .wordCount(0))
    }

    @Test("a wrong checksum is refused: of the last words of 12, 1 in 16 fits, of 24, 1 in 256")
    func checksums() throws {
        #expect(fault(String(repeating: "abandon ", count: 12)) == .badChecksum)
        for (count, fitting) in [(12, 16), (24, 1)] {
            let beginning = String(repeating: "zoo ", count: count - 1)
            var accepted = 0
            for word in EnglishWords.text.split(whereSeparator: \.isWhitespace).prefix(256) {
                switch fault(beginning + word) {
                case nil: accepted += 1
                case .badChecksum: break
                default: Issue.record("another fault")
                }
            }
            #expect(accepted == fitting)
        }
        let swapped = "legal winner thank year wave sausage worth useful legal winner yellow thank"
        #expect(fault(swapped) == .badChecksum)
    }

    @Test("text that is too long, or not UTF-8, is refused: words and passphrase")
    func badText() throws {
        #expect(fault(Self.zeros + String(repeating: " ", count: 4_096)) == .tooLong)
        #expect(throws: Mnemonic.Fault.notText) {
            _ = try Mnemonic(words: guarded(Array(Self.zeros.utf8) + [0xC0, 0xA0]))
        }
        let mnemonic = try Mnemonic(words: guarded(Self.zeros))
        #expect(throws: Mnemonic.Fault.notText) { _ = try mnemonic.seed(passphrase: guarded([0x61, 0xFF])) }
        #expect(throws: Mnemonic.Fault.notText) { _ = try mnemonic.seed(passphrase: guarded([0xED, 0xA0, 0x80])) }
        #expect(throws: Mnemonic.Fault.tooLong) {
            _ = try mnemonic.seed(passphrase: guarded([UInt8](repeating: 0x61, count: 4_097)))
        }
        _ = try mnemonic.seed(passphrase: guarded([UInt8](repeating: 0x61, count: 4_096)))
    }

    @Test("seeds match BIP-39's own vectors, with and without a passphrase")
    func known() throws {
        let mnemonic = try Mnemonic(words: guarded(Self.zeros))
        #expect(
            hex(try mnemonic.seed(passphrase: guarded("TREZOR")).exposed)
                == "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531"
                + "f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04")
        #expect(
            hex(try mnemonic.seed(passphrase: guarded("")).exposed)
                == "5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc1"
                + "9a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4")
        let long = try Mnemonic(words: guarded(String(repeating: "zoo ", count: 23) + "vote"))
        #expect(long.entropy().exposed == [UInt8](repeating: 0xFF, count: 32))
    }
}

@Suite("BIP-39 vectors")
struct MnemonicVectorTests {
    @Test("English: entropy, words and seed match in both directions")
    func english() throws {
        for vector in try Vectors.json("bip39")["english"].array(of: 24) {
            let (entropy, words) = (try vector["entropy"].bytes, try vector["words"].string)
            let mnemonic = try Mnemonic(entropy: guarded(entropy))
            #expect(mnemonic.words().exposedText == words)
            #expect(try Mnemonic(words: guarded(words)).entropy().exposed == entropy)
            let seed = try vector["seed"].bytes
            #expect(try mnemonic.seed(passphrase: guarded("TREZOR")).exposed == seed)
        }
    }

    @Test("all languages: seeds match for text whose normal form differs")
    func allLanguages() throws {
        var count = 0
        for (language, vectors) in try Vectors.json("bip39").object {
            for vector in try vectors.array(of: 24) {
                let seed = try vector["seed"].bytes
                let text = try vector["words"].string
                let made = try Mnemonic.seed(ofWords: guarded(text), passphrase: guarded("TREZOR"))
                #expect(made.exposed == seed, "\(language)")
                count += 1
                if language != "english" {
                    #expect(throws: Mnemonic.Fault.self) { _ = try Mnemonic(words: guarded(text)) }
                }
            }
        }
        #expect(count == 12 * 24)
    }
}

@Suite("Python's mnemonic", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct MnemonicPeerTests {
    private struct Question: Encodable {
        let words: String
        let passphrase: String
    }
    private struct Answer: Decodable {
        let seed: String
        let entropy: String
    }

    @Test("entropy and seed match, also for passphrases that NFKD changes")
    func seeds() throws {
        let random = SeededRandom(seed: 3_939)
        let passphrases = [
            "", "TREZOR", "㍍ガバヴァぱばぐゞちぢ十人十色", "e\u{301}\u{327} é ﬁ Å 𝔸 ﷺ", "한글 각", "q\u{307}\u{323}",
            "\u{1100}\u{1161}", "½ ™ ① Ⅷ ＡＢＣ", "emoji 🦊", " spaces are kept ",
        ]
        for (passphrase, count) in zip(passphrases, Mnemonic.WordCount.allCases + Mnemonic.WordCount.allCases) {
            let mnemonic = Mnemonic(count, from: random)
            let question = Question(words: mnemonic.words().exposedText, passphrase: passphrase)
            let answer = try Python.ask("mnemonic_seed.py", question, for: Answer.self)
            #expect(answer.entropy == hex(mnemonic.entropy().exposed))
            #expect(try answer.seed == hex(mnemonic.seed(passphrase: guarded(passphrase)).exposed))
        }
    }
}
