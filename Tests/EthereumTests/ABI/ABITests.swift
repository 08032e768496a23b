internal import Amounts
import Encoding
import TestSupport
import Testing

@testable import Ethereum

@Suite("Arguments of contracts")
struct ABITests {
    private func word(_ value: UInt64) -> [UInt8] { UInt256(value).bytes }
    private static func fault(_ fault: ABI.Fault) -> EthereumError { .badABI(fault) }

    /// Solidity's own example: f(uint256,uint32[],bytes10,bytes).
    private static let types: [ABIType] = [.uint(256), .array(.uint(32), count: nil), .fixedBytes(10), .bytes]
    private static let values: [ABIValue] = [
        .uint(0x123), .array([.uint(0x456), .uint(0x789)]), .bytes(Array("1234567890".utf8)),
        .bytes(Array("Hello, world!".utf8)),
    ]
    private static let encoded = hex(
        """
        0000000000000000000000000000000000000000000000000000000000000123
        0000000000000000000000000000000000000000000000000000000000000080
        3132333435363738393000000000000000000000000000000000000000000000
        00000000000000000000000000000000000000000000000000000000000000e0
        0000000000000000000000000000000000000000000000000000000000000002
        0000000000000000000000000000000000000000000000000000000000000456
        0000000000000000000000000000000000000000000000000000000000000789
        000000000000000000000000000000000000000000000000000000000000000d
        48656c6c6f2c20776f726c642100000000000000000000000000000000000000
        """)

    /// A type of each kind, nested.
    private static let rich: [ABIType] = [
        .tuple([.address, .array(.tuple([.string, .int(16)]), count: nil)]), .array(.array(.bool, count: 2), count: 2),
        .array(.bytes, count: 2), .int(256), .fixedBytes(32),
    ]
    private static func richValues() throws -> [ABIValue] {
        let minus = ABIValue.int(try Int256(isNegative: true, magnitude: 32_768))
        return [
            .tuple([
                .address(try KnownEthereum.account(7)),
                .array([.tuple([.string("é"), minus]), .tuple([.string(""), minus])]),
            ]),
            .array([.array([.bool(true), .bool(false)]), .array([.bool(false), .bool(true)])]),
            .array([.bytes([]), .bytes([UInt8](repeating: 1, count: 33))]),
            .int(try Int256(isNegative: true, magnitude: 1)), .bytes([UInt8](repeating: 9, count: 32)),
        ]
    }

    @Test("the specification's example, and nested values, survive encoding")
    func known() throws {
        #expect(try ABI.encode(Self.values, as: Self.types) == Self.encoded)
        #expect(try ABI.decode(Self.encoded, as: Self.types) == Self.values)
        let rich = try ABI.encode(Self.richValues(), as: Self.rich)
        #expect(try ABI.decode(rich, as: Self.rich) == Self.richValues())
        #expect(try ABI.decode([], as: []).isEmpty)
        #expect(
            Self.rich.map(\.description) == [
                "(address,(string,int16)[])", "bool[2][2]", "bytes[2]", "int256", "bytes32",
            ])
    }

    @Test("every proper prefix, and additional bytes, are refused")
    func ends() {
        for count in 0..<Self.encoded.count {
            #expect(throws: EthereumError.self) { try ABI.decode(Self.encoded.prefix(count), as: Self.types) }
        }
        #expect(throws: Self.fault(.leftOver(count: 32))) { try ABI.decode(Self.encoded + word(0), as: Self.types) }
        #expect(throws: Self.fault(.leftOver(count: 1))) { try ABI.decode(word(1) + [0], as: [.bool]) }
        let limit = EthereumLimits.ethereumTransactionBytes
        #expect(throws: Self.fault(.tooLong(limit: limit))) {
            try ABI.decode([UInt8](repeating: 0, count: limit + 1), as: [.bytes])
        }
    }

    @Test(
        "bits that a value has no room for are refused",
        arguments: [
            (ABIType.uint(8), "0100"), (.uint(160), "01" + String(repeating: "00", count: 20)), (.bool, "02"),
            (.bool, "0100"),
            (.address, "01" + String(repeating: "00", count: 20)), (.int(8), "80"), (.int(8), "ff"),
            (.fixedBytes(31), "01"), (.fixedBytes(1), "01"),
        ])
    func dirty(_ type: ABIType, _ low: String) {
        let bytes = hex(low)
        let word = [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
        #expect(throws: Self.fault(.dirty)) { try ABI.decode(word, as: [type]) }
    }

    @Test("the padding after bytes, up to the next word, is zero")
    func padding() {
        #expect(throws: Self.fault(.dirty)) {
            try ABI.decode(word(32) + word(1) + [1, 1] + word(0).dropLast(2), as: [.bytes])
        }
        #expect(throws: Self.fault(.truncated)) { try ABI.decode(word(32) + word(1) + [1], as: [.bytes]) }
        #expect(throws: Self.fault(.text)) {
            try ABI.decode(word(32) + word(1) + [0xff] + word(0).dropLast(), as: [.string])
        }
    }

    @Test("values follow each other: an offset to another position is refused")
    func offsets() throws {
        let two: [ABIType] = [.bytes, .bytes]
        let content = word(1) + [7] + word(0).dropLast()
        #expect(try ABI.decode(word(64) + word(128) + content + content, as: two).count == 2)
        // Both at the same place, in the other order, with a gap, before the beginning, and far away.
        for (first, second, rest) in [
            (64, 64, content), (128, 64, content + content), (96, 160, word(0) + content + content), (0, 64, content),
            (.max, 128, content + content), (64, UInt64(1) << 63, content + content),
        ] as [(UInt64, UInt64, [UInt8])] {
            #expect(throws: Self.fault(.offset)) { try ABI.decode(word(first) + word(second) + rest, as: two) }
        }
        #expect(throws: Self.fault(.offset)) { try ABI.decode(UInt256.maximum.bytes + content, as: [.bytes]) }
    }

    @Test("lengths beyond the input are refused before memory is allocated")
    func lengths() {
        for length in [UInt256(2), UInt256(.max), .maximum, UInt256(1 << 40)] {
            #expect(throws: Self.fault(.truncated)) {
                try ABI.decode(word(32) + length.bytes + word(1), as: [.array(.uint(256), count: nil)])
            }
        }
        #expect(throws: Self.fault(.truncated)) { try ABI.decode(word(32) + word(33) + word(1), as: [.bytes]) }
        #expect(throws: Self.fault(.wrongType)) {
            try ABI.decode(word(32) + word(1) + word(0), as: [.array(.tuple([]), count: nil)])
        }
    }

    @Test("a value that does not fit its type is not encoded")
    func wrongTypes() throws {
        let minus = ABIValue.int(try Int256(isNegative: true, magnitude: 129))
        for (type, value) in [
            (.uint(8), .uint(256)), (.int(8), minus), (.bool, .uint(1)), (.fixedBytes(2), .bytes([1])),
            (.array(.bool, count: 2), .array([.bool(true)])), (.tuple([.bool]), .tuple([])), (.bytes, .string("")),
        ] as [(ABIType, ABIValue)] {
            #expect(throws: Self.fault(.wrongType)) { try ABI.encode([value], as: [type]) }
        }
        #expect(throws: Self.fault(.wrongType)) { try ABI.encode([], as: [.bool]) }
    }

    @Test("signed numbers are in two's complement")
    func signed() throws {
        let minus = try Int256(isNegative: true, magnitude: 1)
        #expect(minus.bytes == [UInt8](repeating: 0xff, count: 32) && minus.description == "-1")
        #expect(try Int256(bytes: minus.bytes) == minus)
        let lowest = [UInt8(0x80)] + [UInt8](repeating: 0, count: 31)
        #expect(try Int256(bytes: lowest).bytes == lowest && Int256(bytes: lowest).fits(bits: 256))
        #expect(throws: AmountError.outOfRange) { try Int256(isNegative: false, magnitude: UInt256(bytes: lowest)) }
        #expect(try Int256(isNegative: true, magnitude: 0) == Int256(isNegative: false, magnitude: 0))
        #expect(throws: AmountError.outOfRange) { try Int256(bytes: [1]) }
    }

    @Test("mutated arguments are refused, or encode to the same bytes")
    func fuzz() throws {
        for (values, types) in [(Self.values, Self.types), (try Self.richValues(), Self.rich)] {
            Fuzz.roundTrips(
                of: [try ABI.encode(values, as: types)], iterations: 6_000, decode: { try ABI.decode($0, as: types) },
                encode: { (values: borrowing [ABIValue]) in try ABI.encode(copy values, as: types) })
        }
    }
}
