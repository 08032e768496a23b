import Secrets
import TestSupport
import Testing

@testable import Mnemonics

@Suite("Fuzzed mnemonics")
struct FuzzTests {
    @Test("a mutated mnemonic is refused, or is written again with the same entropy")
    func mnemonic() throws {
        let random = SeededRandom(seed: 1_212)
        let seeds =
            [Mnemonic.WordCount.twelve, .twentyFour].map { Mnemonic($0, from: random).words().exposed }
            + [Array("\u{3000}Abandon\tABANDON".utf8)]
        var accepted = 0
        Fuzz.mutations(of: seeds, iterations: 600) { bytes in
            guard let mnemonic = try? Mnemonic(words: guarded(bytes)) else { return }
            accepted += 1
            let again = try Mnemonic(words: mnemonic.words())
            guard again.entropy().matches(mnemonic.entropy()) else { throw Mnemonic.Fault.badChecksum }
        }
        #expect(accepted >= 2)
    }
}
