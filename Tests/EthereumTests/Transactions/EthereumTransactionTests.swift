internal import Amounts
import Curves
import Encoding
import Secrets
import TestSupport
import Testing

@testable import Ethereum

@Suite("Ethereum transactions")
struct EthereumTransactionTests {
    private static func fault(_ fault: EthereumTransaction.Fault) -> EthereumError { .badTransaction(fault) }

    /// Encodes the fields as a test chooses.
    private func item(_ type: UInt8?, _ items: [RLP]) -> [UInt8] { (type.map { [$0] } ?? []) + RLP.list(items).encoded }

    private func fields(_ bytes: [UInt8]) throws -> (UInt8?, [RLP]) {
        let type = bytes[0] < 0x80 ? bytes[0] : nil
        return (type, try #require(try RLP(decoding: type == nil ? bytes : Array(bytes.dropFirst())).list))
    }

    @Test("each type is signed as by eth-account, and read back with its sender")
    func known() throws {
        for (transaction, signed, hash) in try KnownEthereum.all() {
            let made = try SignedEthereumTransaction.sign(
                transaction, key: KnownEthereum.key(), sender: KnownEthereum.sender())
            #expect(hex(made.encoded) == hex(signed))
            #expect(made.hash == hash)
            let read = try SignedEthereumTransaction(decoding: signed)
            #expect(read == made && read.transaction == transaction && read.sender.description == KnownEthereum.address)
            #expect(try EthereumTransaction(decoding: transaction.encoded) == transaction)
            #expect(throws: EthereumError.self) { try SignedEthereumTransaction(decoding: transaction.encoded) }
            #expect(throws: EthereumError.self) { try EthereumTransaction(decoding: signed) }
        }
    }

    @Test("a signature by another key, or of another transaction, is not accepted")
    func otherSigner() throws {
        let all = try KnownEthereum.all()
        let (first, second) = (all[0].0, all[3].0)
        let key = Secp256k1.generator(times: try KnownEthereum.key())
        let signature = try SignedEthereumTransaction(decoding: all[0].signed).signature.signature
        #expect(try SignedEthereumTransaction(first, signature: signature, publicKey: key).encoded == all[0].signed)
        #expect(throws: EthereumError.wrongSigner) {
            try SignedEthereumTransaction(second, signature: signature, publicKey: key)
        }
        #expect(throws: EthereumError.wrongSigner) {
            try SignedEthereumTransaction(first, signature: signature, publicKey: .generator)
        }
        #expect(throws: EthereumError.wrongSigner) {
            try SignedEthereumTransaction.sign(first, key: KnownEthereum.key(), sender: .zero)
        }
    }

    @Test("every proper prefix of a transaction, and one with an additional byte, is refused")
    func truncated() throws {
        for (transaction, signed, _) in try KnownEthereum.all() {
            for count in 0..<signed.count {
                #expect(throws: EthereumError.self) { try SignedEthereumTransaction(decoding: signed.prefix(count)) }
            }
            #expect(throws: Self.fault(.malformed(.leftOver(count: 1)))) {
                try SignedEthereumTransaction(decoding: signed + [0])
            }
            #expect(throws: Self.fault(.malformed(.leftOver(count: 1)))) {
                try EthereumTransaction(decoding: transaction.encoded + [0])
            }
        }
    }

    @Test("fields with leading zeros, of a wrong size, or that are lists are refused by name")
    func fieldForms() throws {
        for (_, signed, _) in try KnownEthereum.all() {
            let (type, items) = try fields(signed)
            for index in items.indices {
                var changed = items
                changed[index] = items[index].bytes == nil ? .bytes([1]) : .list([])
                #expect(throws: EthereumError.self) { try SignedEthereumTransaction(decoding: item(type, changed)) }
                guard let bytes = items[index].bytes, bytes != items[type == nil ? 5 : type == 1 ? 6 : 7].bytes else {
                    continue
                }
                changed[index] = .bytes([0] + bytes)
                #expect(throws: EthereumError.self) { try SignedEthereumTransaction(decoding: item(type, changed)) }
            }
        }
        let (type, items) = try fields(try KnownEthereum.all()[3].signed)
        let names: [(Int, RLP, EthereumTransaction.Field)] = [
            (0, RLP(0), .chainID), (0, RLP(.max), .chainID), (1, .bytes([0]), .nonce), (1, RLP(.max), .nonce),
            (1, .bytes([UInt8](repeating: 1, count: 9)), .nonce),
            (2, .bytes([0, 1]), .maxPriorityFeePerGas), (3, .bytes([UInt8](repeating: 1, count: 33)), .maxFeePerGas),
            (4, .bytes([UInt8](repeating: 1, count: 9)), .gasLimit), (5, .bytes([1]), .to),
            (5, .bytes([UInt8](repeating: 1, count: 21)), .to), (6, .bytes([0]), .value), (7, .list([]), .data),
            (8, .bytes([]), .accessList), (8, .list([.list([.bytes([1]), .list([])])]), .accessList),
            (8, .list([.list([.bytes([UInt8](repeating: 1, count: 20)), .list([.bytes([1])])])]), .accessList),
            (8, .list([.list([.bytes([UInt8](repeating: 1, count: 20))])]), .accessList),
            (8, .list([.list([.bytes([UInt8](repeating: 1, count: 20)), .list([]), .list([])])]), .accessList),
            (9, RLP(2), .yParity), (9, RLP(27), .yParity),
        ]
        for (index, value, field) in names {
            var changed = items
            changed[index] = value
            #expect(throws: Self.fault(.field(field)), "\(index)") {
                try SignedEthereumTransaction(decoding: item(type, changed))
            }
        }
    }

    @Test("another number of fields, another type byte and an item that is not a list are refused")
    func forms() throws {
        for (_, signed, _) in try KnownEthereum.all() {
            let (type, items) = try fields(signed)
            let count = items.count
            #expect(throws: EthereumError.self) {
                try SignedEthereumTransaction(decoding: item(type, items + [RLP(1)]))
            }
            #expect(throws: Self.fault(.fieldCount(count - 4))) {
                try SignedEthereumTransaction(decoding: item(type, Array(items.dropFirst())))
            }
        }
        for type in [UInt8(0), 5, 0x7f] {
            #expect(throws: Self.fault(.unsupportedType(type))) { try EthereumTransaction(decoding: [type, 0xc0]) }
        }
        #expect(throws: Self.fault(.malformed(.unsupported))) { try EthereumTransaction(decoding: [0x80]) }
        #expect(throws: Self.fault(.malformed(.truncated))) { try EthereumTransaction(decoding: []) }
        let long = [UInt8(0xba), 2, 0, 0] + [UInt8](repeating: 1, count: 1 << 17)
        #expect(throws: Self.fault(.malformed(.tooLong(limit: 1 << 17)))) { try EthereumTransaction(decoding: long) }
    }

    @Test("v of a legacy transaction is 27 or 28, or contains a chain; other values are refused")
    func legacyV() throws {
        let (_, items) = try fields(try KnownEthereum.all()[1].signed)
        for (v, isFine) in [
            (0, false), (1, false), (26, false), (29, false), (35, false), (36, false), (37, true), (38, true),
            (28, true), (.max, false),
        ] as [(UInt64, Bool)] {
            var changed = items
            changed[6] = RLP(v)
            let bytes = item(nil, changed)
            if isFine {
                #expect(try SignedEthereumTransaction(decoding: bytes).encoded == bytes)
                #expect(try SignedEthereumTransaction(decoding: bytes).transaction.chainID?.value == (v > 28 ? 1 : nil))
            } else {
                #expect(throws: Self.fault(.field(.v)), "\(v)") { try SignedEthereumTransaction(decoding: bytes) }
            }
        }
    }

    @Test("an unsigned legacy transaction has zeros in place of the signature")
    func legacyUnsigned() throws {
        let (_, items) = try fields(try KnownEthereum.transfer(chain: 5).encoded)
        #expect(items[6] == RLP(5))
        #expect(throws: Self.fault(.field(.r))) {
            try EthereumTransaction(decoding: item(nil, items.dropLast() + [RLP(1)]))
        }
        #expect(throws: Self.fault(.field(.chainID))) {
            try EthereumTransaction(decoding: item(nil, items[..<6] + [RLP(0), RLP(0), RLP(0)]))
        }
    }

    @Test("a high s, zeros and numbers that are too large are refused as signatures")
    func signatures() throws {
        let (type, items) = try fields(try KnownEthereum.all()[3].signed)
        let count = items.count
        let order = hex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141")
        let s = try Scalar<Secp256k1>(canonical: try #require(items[count - 1].bytes))
        for (index, bytes) in [
            (count - 1, (-s).encoded), (count - 1, order), (count - 1, []), (count - 2, order), (count - 2, []),
        ] {
            var changed = items
            changed[index] = .bytes(bytes)
            #expect(throws: Self.fault(.signature)) { try SignedEthereumTransaction(decoding: item(type, changed)) }
        }
        // 5 is not the x-coordinate of any point.
        var changed = items
        changed[count - 2] = .bytes([5])
        #expect(throws: Self.fault(.signature)) { try SignedEthereumTransaction(decoding: item(type, changed)) }
    }

    @Test("contradictory transactions cannot be made")
    func contradictions() throws {
        let fees = try KnownEthereum.fees()
        let make = { (kind: EthereumTransaction.Kind, chain: UInt64?, to: UInt8?) in
            try KnownEthereum.transaction(kind, chain: chain, to: to)
        }
        for kind in [EthereumTransaction.Kind.accessList(gasPrice: .zero, []), .dynamicFee(fees, [])] {
            #expect(throws: Self.fault(.field(.chainID))) { try make(kind, nil, 1) }
        }
        let tip = EthereumTransaction.Fees(maxPriorityFeePerGas: try Wei("2wei"), maxFeePerGas: try Wei("1wei"))
        #expect(throws: Self.fault(.priorityAboveMaximum)) { try make(.dynamicFee(tip, []), 1, 1) }
        let hash = [UInt8(1)] + [UInt8](repeating: 2, count: 31)
        #expect(throws: Self.fault(.field(.to))) {
            try make(.blob(fees, [], maxFeePerBlobGas: .zero, blobHashes: [hash]), 1, nil)
        }
        for hashes in [[], [[UInt8](repeating: 2, count: 32)], [Array(hash.dropLast())]] {
            #expect(throws: Self.fault(.field(.blobHashes))) {
                try make(.blob(fees, [], maxFeePerBlobGas: .zero, blobHashes: hashes), 1, 1)
            }
        }
        #expect(throws: Self.fault(.field(.authorizations))) { try make(.setCode(fees, [], []), 1, 1) }
        #expect(throws: Self.fault(.field(.to))) {
            try make(.setCode(fees, [], [try KnownEthereum.authorization()]), 1, nil)
        }
        #expect(throws: Self.fault(.costOverflow)) { try make(.legacy(gasPrice: Wei(.maximum)), 1, 1) }
        #expect(throws: Self.fault(.costOverflow)) {
            try make(.blob(fees, [], maxFeePerBlobGas: Wei(.maximum), blobHashes: [hash]), 1, 1)
        }
        #expect(throws: Self.fault(.field(.accessList))) {
            try AccessListEntry(address: .zero, storageKeys: [[1]])
        }
    }

    @Test("the highest fee includes the gas and the gas of blobs")
    func cost() throws {
        let all = try KnownEthereum.all().map(\.0)
        #expect(all[0].maximumFee.description == "0.00042 ETH")
        #expect(all[3].maximumFee.description == "0.003 ETH")
        #expect(all[5].maximumFee.description == "0.003131072 ETH")
        #expect(all.map(\.type) == [nil, nil, 1, 2, 2, 3, 4])
        #expect(all[0].intrinsicGas == 21_000 && all[2].intrinsicGas == 21_016 + 2_400 + 3_800)
        #expect(all[4].intrinsicGas == 53_000 + 20 + 2 && all[6].intrinsicGas == 46_000)
    }

    @Test("the account that a delegation hands over is recovered from its signature")
    func authority() throws {
        let authorization = try KnownEthereum.authorization()
        #expect(authorization.authority?.description == KnownEthereum.address)
        let (type, items) = try fields(try KnownEthereum.all()[6].signed)
        let wish = try #require(items[9].list?[0].list)
        for (index, value) in [
            (0, RLP.bytes([0])), (1, .bytes([])), (1, .bytes([1])), (2, .bytes([0])), (3, RLP(256)),
            (4, .bytes([UInt8](repeating: 1, count: 33))), (5, .bytes([0, 1])),
        ] {
            var changed = wish
            changed[index] = value
            #expect(throws: Self.fault(.field(.authorizations)), "\(index)") {
                try SignedEthereumTransaction(
                    decoding: item(type, items[..<9] + [.list([.list(changed)])] + items[10...]))
            }
        }
        for count in [wish + [RLP(1)], wish.dropLast()] {
            #expect(throws: Self.fault(.field(.authorizations))) {
                try SignedEthereumTransaction(
                    decoding: item(type, items[..<9] + [.list([.list(Array(count))])] + items[10...]))
            }
        }
        // Nodes ignore an authorization that no key has signed, and it is shown as such.
        let unsigned = Authorization(chainID: 0, delegate: .zero, nonce: 0, yParity: 2, r: 1, s: 1)
        #expect(unsigned.authority == nil)
    }

    @Test("mutated transactions are refused, or encode to the same bytes")
    func fuzz() throws {
        let all = try KnownEthereum.all()
        let part = Fuzz.roundTrips(
            of: all.map(\.signed), iterations: 6_000, decode: { try SignedEthereumTransaction(decoding: $0) },
            encode: { $0.encoded })
        #expect(part > 0.02)
        Fuzz.roundTrips(
            of: all.map(\.0.encoded), iterations: 10_000, decode: { try EthereumTransaction(decoding: $0) },
            encode: { $0.encoded })
    }
}
