import Secrets
import TestSupport
import Testing

@testable import Mnemonics

@Suite("A proposed passphrase")
struct ProposedPassphraseTests {
    /// Fills memory with two-byte numbers, each of which is greater than the one before it by the step.
    private struct Counting: RandomSource {
        let first: UInt16
        let step: UInt16

        func fill(_ buffer: UnsafeMutableRawBufferPointer) {
            for (place, number) in zip(
                buffer.bindMemory(to: UInt16.self).indices, sequence(first: first) { $0 &+ step })
            {
                buffer.storeBytes(of: number, toByteOffset: 2 * place, as: UInt16.self)
            }
        }
    }

    @Test("golden words: those of a seeded generator")
    func golden() {
        let made = ProposedPassphrase.make(from: SeededRandom(seed: 39))
        #expect(made.exposedText == "talk-kangaroo-visit-snap-puppy-feel-club")
    }

    @Test("it has seven words of the list, joined by hyphens, and 77 bits")
    func words() {
        let list = Set(EnglishWords.text.split(whereSeparator: \.isWhitespace))
        #expect(ProposedPassphrase.wordCount == 7 && list.count == 1 << 11)
        let random = SeededRandom(seed: 77)
        var proposals: Set<String> = []
        for _ in 0..<100 {
            let text = ProposedPassphrase.make(from: random).exposedText
            let words = text.split(separator: "-", omittingEmptySubsequences: false)
            #expect(words.count == 7 && words.allSatisfy { list.contains($0) }, "\(text)")
            proposals.insert(text)
        }
        #expect(proposals.count == 100)
    }

    @Test("every word of the list has the same probability: the upper bits of two random bytes do not matter")
    func uniform() {
        var counts: [Substring: Int] = [:]
        for upper in [UInt16(0), 0xF800, 0x5000] {
            // Seven times 293 is 2,051: the last three numbers are the first words again.
            for first in stride(from: UInt16(0), to: 2_051, by: 7) {
                let text = ProposedPassphrase.make(from: Counting(first: upper &+ first, step: 1)).exposedText
                for word in text.split(separator: "-") { counts[word, default: 0] += 1 }
            }
        }
        #expect(counts.count == 2_048)
        #expect(counts.values.count { $0 == 3 } == 2_045 && counts.values.count { $0 == 6 } == 3)
    }

    @Test("a repeated word is not left out: each of the seven is drawn from the whole list")
    func repeated() {
        let text = ProposedPassphrase.make(from: Counting(first: 0, step: 0)).exposedText
        #expect(text == Array(repeating: "abandon", count: 7).joined(separator: "-"))
    }
}
