internal import Amounts
internal import DisplayText
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import Ethereum
@testable import HDKeys
@testable import Wallet

@Suite("Effects as JSON")
struct EffectJSONTests {
    private typealias JSON = Encoding.JSON

    private static let alice = Party.ethereum(Sample.address(0x52))
    private static let script = Party.script(ScriptPubKey([0x6A, 0x00]))
    private static var bob: Party {
        get throws {
            let script = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xB0, count: 20)))
            return .bitcoin(try #require(Address(script, on: .regtest)))
        }
    }

    private static var own: Party {
        get throws {
            guard case .bitcoin(let address) = try bob else { return alice }
            return .own(address, at: try AddressPath(.change, index: 20_000))
        }
    }

    private static let alicesText = #"{"type":"ethereum","address":"0x5252525252525252525252525252525252525252"}"#

    /// Effects with each kind, asset and party, each with its only text.
    private static var samples: [(Effect, String)] {
        get throws {
            let token = Sample.token
            let contract = token.description
            let bobText = #"{"type":"bitcoin","network":"regtest","address":"\#(try bob)"}"#
            let odd = SanitizedText("a\u{202E}b", limit: 100, lines: .several)
            return [
                (
                    .payment(.coin, amount: 60_000, to: try bob),
                    #"{"kind":"payment","asset":{"type":"coin"},"amount":"60000","to":\#(bobText)}"#
                ),
                (
                    .payment(.token(token), amount: .maximum, to: alice),
                    #"{"kind":"payment","asset":{"type":"token","contract":"\#(contract)"},"amount":"\#(UInt256.maximum)","to":\#(alicesText)}"#
                ),
                (
                    .payment(.coin, amount: 1, to: script),
                    #"{"kind":"payment","asset":{"type":"coin"},"amount":"1","to":{"type":"script","script":"6a00"}}"#
                ),
                (
                    .transfer(.item(token, id: 7), amount: 1, from: alice, to: alice),
                    #"{"kind":"transfer","asset":{"type":"item","contract":"\#(contract)","id":"7"},"amount":"1","from":\#(alicesText),"to":\#(alicesText)}"#
                ),
                (
                    .allowance(.tokenOrItem(token), amount: nil, to: alice),
                    #"{"kind":"allowance","asset":{"type":"token_or_item","contract":"\#(contract)"},"amount":null,"to":\#(alicesText)}"#
                ),
                (
                    .increase(.token(token), by: 5, to: alice),
                    #"{"kind":"allowance","asset":{"type":"token","contract":"\#(contract)"},"increase":"5","to":\#(alicesText)}"#
                ),
                (
                    .decrease(.token(token), by: .maximum, to: alice),
                    #"{"kind":"allowance","asset":{"type":"token","contract":"\#(contract)"},"decrease":"\#(UInt256.maximum)","to":\#(alicesText)}"#
                ),
                (
                    .allowance(.token(token), amount: 5, to: alice),
                    #"{"kind":"allowance","asset":{"type":"token","contract":"\#(contract)"},"amount":"5","to":\#(alicesText)}"#
                ),
                (
                    .control(of: token, by: alice, isGiven: true),
                    #"{"kind":"control","contract":"\#(contract)","to":\#(alicesText),"given":true}"#
                ),
                (
                    .call(token, selector: [0xDE, 0xAD, 0xBE, 0xEF]),
                    #"{"kind":"call","contract":"\#(contract)","selector":"0xdeadbeef"}"#
                ),
                (
                    .payment(.coin, amount: 2, to: try own),
                    #"{"kind":"payment","asset":{"type":"coin"},"amount":"2","to":{"type":"own","network":"regtest","address":"\#(try bob)","path":"m/1/20000"}}"#
                ),
                (.data(ScriptPubKey([0x6A, 1, 7])), #"{"kind":"data","script":"6a0107"}"#),
                (.nothing, #"{"kind":"nothing"}"#), (.deployment, #"{"kind":"deployment"}"#),
                (.delegation(to: token), #"{"kind":"delegation","contract":"\#(contract)"}"#),
                (.delegation(to: nil), #"{"kind":"delegation","contract":null}"#),
                (.message(odd), #"{"kind":"message","text":"a<U+202E>b","oddities":["invisible","direction"]}"#),
                (
                    .statement(type: SanitizedText("Order", limit: 64, lines: .one), for: nil),
                    #"{"kind":"statement","type":"Order","oddities":[],"contract":null}"#
                ),
                (
                    .file(
                        FileDigest(size: 5, blake2b: [UInt8](repeating: 0xB2, count: 64)),
                        comment: SanitizedText("file:a", limit: 64, lines: .one)),
                    #"{"kind":"file","blake2b":"\#(String(repeating: "b2", count: 64))","size":"5","comment":"file:a","oddities":[]}"#
                ),
            ]
        }
    }

    @Test("each effect has one text, and is parsed from it")
    func golden() throws {
        for (effect, text) in try Self.samples {
            #expect(effect.json.text == text)
            #expect(try Effect(json: JSON(decoding: text)) == effect)
        }
        #expect(Set(try Self.samples.map(\.0.kind)).count == Effect.Kind.allCases.count)
    }

    @Test("any other text is refused")
    func refusals() throws {
        let texts = [
            // Another kind, a missing kind, and a value that is not an object.
            #"{"kind":"gift"}"#, "{}", "[]", #"{"kind":"nothing","more":1}"#,
            // Misordered, with an additional member, with a missing one.
            #"{"contract":null,"kind":"delegation"}"#, #"{"kind":"delegation"}"#,
            // Numbers that are malformed, not shortest, or too large; an amount that is not text.
            #"{"kind":"payment","asset":{"type":"coin"},"amount":"01","to":\#(Self.alicesText)}"#,
            #"{"kind":"payment","asset":{"type":"coin"},"amount":"-1","to":\#(Self.alicesText)}"#,
            #"{"kind":"payment","asset":{"type":"coin"},"amount":1,"to":\#(Self.alicesText)}"#,
            #"{"kind":"payment","asset":{"type":"coin"},"amount":"\#(UInt256.maximum)0","to":\#(Self.alicesText)}"#,
            // Unlimited only if it is stated.
            #"{"kind":"allowance","asset":{"type":"coin"},"to":\#(Self.alicesText)}"#,
            #"{"kind":"allowance","asset":{"type":"coin"},"increase":null,"to":\#(Self.alicesText)}"#,
            #"{"kind":"allowance","asset":{"type":"coin"},"amount":"5","increase":"5","to":\#(Self.alicesText)}"#,
            #"{"kind":"payment","asset":{"type":"coin"},"amount":null,"to":\#(Self.alicesText)}"#,
            // An address without its checksum, of another network, or of the wrong kind.
            #"{"kind":"delegation","contract":"0xa0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0"}"#,
            #"{"kind":"payment","asset":{"type":"coin"},"amount":"1","to":{"type":"bitcoin","network":"mainnet","address":"\#(try Self.bob)"}}"#,
            #"{"kind":"payment","asset":{"type":"coin"},"amount":"1","to":{"type":"script","script":"6A00"}}"#,
            #"{"kind":"payment","asset":{"type":"coin","contract":"\#(Sample.token)"},"amount":"1","to":\#(Self.alicesText)}"#,
            // Another script than OP_RETURN; upper-case digits; addresses with malformed paths.
            #"{"kind":"data","script":"51"}"#, #"{"kind":"data","script":"6A"}"#, #"{"kind":"data","script":null}"#,
            #"{"kind":"payment","asset":{"type":"coin"},"amount":"1","to":{"type":"own","network":"regtest","address":"\#(try Self.bob)","path":"m/1'/5"}}"#,
            #"{"kind":"payment","asset":{"type":"coin"},"amount":"1","to":{"type":"own","network":"regtest","address":"\#(try Self.bob)","path":"m/01/5"}}"#,
            // Five bytes are not a selector.
            #"{"kind":"call","contract":"\#(Sample.token)","selector":"0xdeadbeef00"}"#,
            // Unknown oddities.
            #"{"kind":"message","text":"a","oddities":["loud"]}"#,
            #"{"kind":"message","text":"a","oddities":["direction","invisible"]}"#,
            #"{"kind":"message","text":7,"oddities":[]}"#,
        ]
        for text in texts {
            #expect(throws: WalletError.malformed(.unsupported), "\(text)") {
                try Effect(json: JSON(decoding: text))
            }
        }
    }

    @Test("a text from a version with other character tables is read, shown as code points, and written unchanged")
    func shownOtherwise() throws {
        for (text, shown) in [
            (#"{"kind":"message","text":"a\#u{202E}b","oddities":["cut"]}"#, "a<U+202E>b"),
            (#"{"kind":"message","text":"a\nb\#u{E000}","oddities":[]}"#, "a\nb<U+E000>"),
            (#"{"kind":"statement","type":"a\nb","oddities":[],"contract":null}"#, "a<U+000A>b"),
        ] {
            let effect = try Effect(json: JSON(decoding: text))
            switch effect {
            case .message(let text), .statement(let text, _): #expect(text.text == shown)
            default: Issue.record("\(effect)")
            }
            #expect(effect.json == (try JSON(decoding: text)))
        }
    }

    @Test("a party alone is read and written")
    func party() throws {
        for party in [Self.alice, Self.script, try Self.bob] { #expect(try Party(json: party.json) == party) }
        #expect(throws: WalletError.malformed(.unsupported)) { try Party(json: ["type": "ethereum"]) }
    }

    @Test("mutated texts are refused, or written unchanged")
    func fuzz() throws {
        Fuzz.mutations(of: try Self.samples.map { Array($0.1.utf8) }, iterations: 10_000) { bytes in
            guard let json = try? JSON(decoding: bytes), let effect = try? Effect(json: json) else { return }
            guard effect.json == json else { throw HDKeyError.badKey }
        }
    }
}
