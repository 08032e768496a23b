internal import Testing
internal import Texts

@Suite("Rows that fit a terminal")
struct FittedTests {
    @Test("a row that fits stays as it is, byte for byte")
    func fitting() {
        let text = "wallet   savings\n\n  a  b  c\n"
        #expect(Fitted.text(text, columns: 40) == text)
    }

    @Test("a sentence is broken between words, and a cell of a table continues below itself")
    func breaking() {
        #expect(
            Fitted.text("warning: there is no folder backup; it will be made now", columns: 40)
                == "warning: there is no folder backup; it\n    will be made now")
        #expect(
            Fitted.text("signs with   two of three shares and the passphrase", columns: 40)
                == "signs with   two of three shares and\n             the passphrase")
        #expect(
            Fitted.text("  1. Write the passphrase down, and keep it apart", columns: 40)
                == "  1. Write the passphrase down, and\n     keep it apart")
    }

    @Test("a word that is too long for its cell stands on a row of its own, and stays whole")
    func words() {
        let key = String(repeating: "k", count: 38)
        #expect(Fitted.text("taproot key  \(key)", columns: 40) == "taproot key\n\(key)")
        let long = String(repeating: "d", count: 100)
        #expect(
            Fitted.text("descriptor   \(long) and more", columns: 40) == "descriptor\n\(long)\n             and more")
    }

    @Test("no row is longer than the terminal, unless a word is", arguments: [20, 40, 80])
    func width(columns: Int) {
        let words = (1...60).map { String(repeating: "w", count: $0 % 17 + 1) }.joined(separator: " ")
        for row in Fitted.text("label  \(words)\n\(words)\n    \(words)", columns: columns).split(separator: "\n") {
            #expect(row.count < columns, "\(row)")
        }
    }
}
