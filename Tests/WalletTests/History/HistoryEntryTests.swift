internal import Amounts
internal import Bitcoin
import Encoding
internal import Ethereum
internal import HDKeys
import TestSupport
import Testing

@testable import Wallet

@Suite("Entries of the history")
struct HistoryEntryTests {
    private static let bob = Sample.address(0xB0)
    private static let mallory = Sample.address(0x66)

    private static func outPoint(_ number: Int) throws -> OutPoint {
        OutPoint(
            transaction: try TransactionID(String(repeating: "0\(number + 1)", count: 32)), index: UInt32(number))
    }

    /// Entries with each state, conflict set and optional field.
    private static var samples: [HistoryEntry] {
        get throws {
            let digest = [UInt8](repeating: 0xD1, count: 32)
            let payment = Effect.payment(.coin, amount: 5, to: .ethereum(Self.bob))
            let ethereum = ConflictSet.ethereum(.ethereum, account: Self.mallory, nonce: 3)
            let bitcoin = ConflictSet.bitcoin(.regtest, spending: [try Self.outPoint(0), try Self.outPoint(1)])
            var signed = HistoryEntry(
                number: 1, time: 1_700_000_000, proposed: 9, chain: .ethereum(.ethereum), digest: digest,
                effects: [payment], highestFee: 1_000, conflictSet: ethereum, state: .signed)
            signed.id = "0xab"
            signed.transaction = [2, 3]
            func other(_ state: HistoryEntry.State, _ chain: Chain?, _ conflictSet: ConflictSet?) -> HistoryEntry {
                HistoryEntry(
                    number: 0, time: 0, proposed: nil, chain: chain, digest: digest, effects: [.nothing, payment],
                    highestFee: nil, conflictSet: conflictSet, state: state)
            }
            var corrected = other(.settled(height: 7), nil, nil)
            (corrected.time, corrected.corrections) = (2_000_000_000, [1_700_000_000, 1_600_000_000])
            var ordered = signed
            ordered.order = OrderIdentity(
                key: try PaymentKey("invoice-17"), fingerprint: [UInt8](repeating: 0xF1, count: 32))
            ordered.hearing = .heard
            var listed = ordered
            listed.hearing = .shown
            var unnamed = other(.sent, nil, nil)
            unnamed.order = OrderIdentity(key: nil, fingerprint: [UInt8](repeating: 0xF2, count: 32))
            return [
                signed, corrected, other(.reserved, nil, nil), other(.failed, .bitcoin(.regtest), bitcoin),
                other(.sent, nil, nil), other(.mined(height: 800_000), nil, nil), other(.replaced, nil, nil),
                other(.unanswered, .bitcoin(.regtest), bitcoin), ordered, unnamed, listed,
            ]
        }
    }

    @Test("golden bytes")
    func golden() throws {
        let samples = try Self.samples
        #expect(hex(samples[0].encoded) == Self.signedBytes)
        #expect(hex(samples[3].encoded) == Self.failedBytes)
        // Version 2 has the order after the same fields.
        let order =
            "ee" + "cb8a696e766f6963652d3137" + "a0" + String(repeating: "f1", count: 32) + "01"
        let ordered = "f9012102" + Self.signedBytes.dropFirst(6) + order
        #expect(hex(samples[8].encoded) == ordered)
        #expect(hex(samples[10].encoded) == ordered.dropLast(2) + "02")
        #expect(throws: WalletError.malformed(.unsupported)) {
            try HistoryEntry(decoding: hex(ordered.dropLast(2) + "03"))
        }
    }

    private static let signedBytes =
        "f8f20101846553f100c1098a657468657265756d3a31a0d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1"
        + "d1d1d1d1d1d1d1b8895b7b226b696e64223a227061796d656e74222c226173736574223a7b2274797065223a22636f69"
        + "6e227d2c22616d6f756e74223a2235222c22746f223a7b2274797065223a22657468657265756d222c22616464726573"
        + "73223a22307842304230623042304230423042306230423042304230623062306230623042306230623042304230227d"
        + "7d5dc38203e8e18a657468657265756d3a3194666666666666666666666666666666666666666603c102c58430786162"
        + "c3820203"
    private static let failedBytes =
        "f90134018080c08f626974636f696e3a72656774657374a0d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1"
        + "d1d1d1d1d1d1d1d1b89c5b7b226b696e64223a226e6f7468696e67227d2c7b226b696e64223a227061796d656e74222c"
        + "226173736574223a7b2274797065223a22636f696e227d2c22616d6f756e74223a2235222c22746f223a7b2274797065"
        + "223a22657468657265756d222c2261646472657373223a22307842304230623042304230423042306230423042304230"
        + "623062306230623042306230623042304230227d7d5dc0f85a8f626974636f696e3a72656774657374a4010101010101"
        + "010101010101010101010101010101010101010101010101010100000000a40202020202020202020202020202020202"
        + "02020202020202020202020202020200000001c101c0c0"

    @Test("each entry is decoded from its own encoding")
    func roundTrip() throws {
        for entry in try Self.samples { #expect(try HistoryEntry(decoding: entry.encoded) == entry) }
    }

    @Test("an entry with one field broken is refused")
    func refusals() throws {
        let whole = try #require(try RLP(decoding: Self.samples[3].encoded).list)
        let outputs = try #require(whole[8].list)
        let spaced = [UInt8(ascii: " ")] + (whole[6].bytes ?? [])
        let broken: [(Int, RLP)] = [
            (0, RLP(2)), (1, .bytes([0])),
            // Corrections of the time: one in a list, none, and misordered.
            (2, .list([RLP(5)])), (2, .list([])), (2, .list([RLP(5), RLP(5)])), (2, .list([RLP(5), RLP(6)])),
            (2, .list((0...17).reversed().map { RLP($0) })),
            (3, .list([RLP(1), RLP(2)])), (4, .text("bitcoin:moon")),
            (5, .bytes([UInt8](repeating: 1, count: 31))), (6, .text("{}")), (6, .bytes(spaced)),
            (6, .text(#"[{"kind":"gift"}]"#)),
            (7, .list([.bytes([0, 1])])), (7, .list([.bytes([UInt8](repeating: 1, count: 33))])),
            // Outputs misordered, repeated, truncated, on no chain; an account's nonce without the number.
            (8, .list([outputs[0], outputs[2], outputs[1]])), (8, .list([outputs[0], outputs[1], outputs[1]])),
            (8, .list([outputs[0], .bytes([1, 2])])), (8, .list([.text("gold"), outputs[1]])),
            (8, .list([.text("ethereum:1"), .bytes([UInt8](repeating: 1, count: 20))])),
            (9, .list([])), (9, .list([RLP(8)])), (9, .list([RLP(7)])), (9, .list([RLP(4)])),
            (9, .list([RLP(0), RLP(0)])),
            (10, .list([.bytes([0xFF])])), (11, .bytes([1])),
        ]
        for (index, value) in broken {
            var fields = whole
            fields[index] = value
            #expect(throws: WalletError.malformed(.unsupported), "\(index): \(value)") {
                try HistoryEntry(decoding: RLP.list(fields).encoded)
            }
        }
        let order = try #require(RLP(decoding: Self.samples[8].encoded).list)
        let key = RLP.list([.text("invoice-17")])
        let fingerprint = RLP.bytes([UInt8](repeating: 0xF1, count: 32))
        for broken: RLP in [
            .list([]), .list([key, fingerprint]), .list([key, fingerprint, RLP(3)]),
            .list([key, .bytes([UInt8](repeating: 0xF1, count: 31)), RLP(1)]),
            .list([.list([.text("a b")]), fingerprint, RLP(1)]), .list([.text("invoice-17"), fingerprint, RLP(1)]),
        ] {
            #expect(throws: WalletError.malformed(.unsupported), "\(broken)") {
                try HistoryEntry(decoding: RLP.list(order.dropLast() + [broken]).encoded)
            }
        }
        for fields in [
            whole + [RLP(0)], Array(whole.dropLast()), [], [RLP(1)] + order.dropFirst(), Array(order.dropLast()),
        ] {
            #expect(throws: WalletError.malformed(.unsupported)) {
                try HistoryEntry(decoding: RLP.list(fields).encoded)
            }
        }
    }

    @Test("mutated entries are refused, or encode to the same bytes")
    func fuzz() throws {
        let part = Fuzz.roundTrips(
            of: try Self.samples.map(\.encoded), iterations: 10_000, decode: { try HistoryEntry(decoding: $0) },
            encode: { $0.encoded })
        #expect(part > 0.02)
    }
}
