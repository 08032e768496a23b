import Foundation
import Secrets
import TestSupport
import Testing

@testable import DisplayText

@Suite("NFKD")
struct NFKDTests {
    private func decomposed(_ text: String) -> [Unicode.Scalar] {
        guard let decomposed = NFKD.of(guarded(text)) else { return [] }
        return Array(decomposed.exposedText.unicodeScalars)
    }

    @Test("letters, ligatures, syllables and marks are decomposed and ordered as UAX #15 shows")
    func known() {
        for (text, expected) in [
            ("Å", "A\u{30A}"), ("ﬁ", "fi"), ("ẛ̣", "s\u{323}\u{307}"), ("각", "\u{1100}\u{1161}\u{11A8}"),
            ("가", "\u{1100}\u{1161}"), ("힣", "\u{1112}\u{1175}\u{11C2}"), ("㍍", "メートル"), ("２⁵", "25"),
            ("a\u{301}\u{323}", "a\u{323}\u{301}"), ("a\u{301}\u{300}", "a\u{301}\u{300}"), ("plain", "plain"),
            ("", ""),
            ("\u{1D15F}", "\u{1D158}\u{1D165}"), ("\u{2F800}", "丽"), ("\u{FDFA}", "صلى الله عليه وسلم"),
            ("\u{F71}\u{F72}\u{F73}", "\u{F71}\u{F71}\u{F72}\u{F72}"), ("🦊", "🦊"), ("\u{10FFFF}", "\u{10FFFF}"),
        ] {
            #expect(decomposed(text) == Array(expected.unicodeScalars), "\(text)")
            #expect(NFKD.scalars(of: text) == Array(expected.unicodeScalars), "\(text)")
        }
        for bytes in [[0x80], [0xF4, 0x90, 0x80, 0x80], [0x61, 0xC3]] as [[UInt8]] {
            if NFKD.of(guarded(bytes)) != nil { Issue.record("\(bytes) is no text") }
        }
    }

    @Test("every character that Foundation decomposes is decomposed in the same way")
    func everyCharacter() {
        var differing: [UInt32] = []
        // After plane 2 no character has a decomposition.
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let theirs = String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
            var ours: [UInt32] = []
            if value < 0x80 || (0xAC00..<0xD7A4).contains(value) {
                ours = decomposed(String(scalar)).map(\.value)
            } else if !CompatibilityMappings.shared.decompose(value, { ours.append($0) }) {
                ours = [value]
            }
            // A platform may have an older Unicode version without the character; but the characters that it knows, it
            // decomposes alike.
            if !theirs.map(\.value).elementsEqual(ours), theirs.count > 1 || theirs.first != scalar {
                differing.append(value)
            }
        }
        #expect(differing == [])
    }

    @Test("marks have the order of Swift's own tables")
    func classes() {
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let theirs = UInt32(scalar.properties.canonicalCombiningClass.rawValue)
            guard theirs > 0 else { continue }
            #expect(CompatibilityMappings.shared.combiningClass(of: value) == theirs)
        }
    }

    @Test("letters with marks in any order are decomposed like by Foundation")
    func ordering() {
        let random = SeededRandom(seed: 15)
        let marks: [UInt32] = [0x300, 0x301, 0x323, 0x327, 0x345, 0x5B0, 0x64B, 0x93C, 0x1D165, 0x3099, 0x61, 0xE9]
        for _ in 0..<500 {
            let text = String(
                String.UnicodeScalarView(
                    (0..<12).compactMap { _ in
                        Unicode.Scalar(marks[Int(random.publicBytes(count: 1)[0]) % marks.count])
                    }))
            let theirs = Array(text.decomposedStringWithCompatibilityMapping.unicodeScalars)
            #expect(decomposed(text) == theirs)
        }
    }

    private struct Unstable: Error {}

    @Test("mutated text is decomposed without a trap, and a second decomposition changes nothing")
    func compatibility() {
        let seeds = ["㍍ガバヴァ", "e\u{301}\u{327}ﷺ각", "plain"].map { Array($0.utf8) }
        Fuzz.mutations(of: seeds, iterations: 4_000) { bytes in
            guard let once = NFKD.of(guarded(bytes)) else {
                guard String(validating: bytes, as: UTF8.self) == nil else { throw Unstable() }
                return
            }
            guard let twice = NFKD.of(once), twice.matches(once) else { throw Unstable() }
        }
    }
}
