internal import Amounts
import Curves
import Encoding
import EthereumTestSupport
import Secrets
import TestSupport
import Testing

@testable import Ethereum

/// eth-account makes the same bytes from the same values, and recovers the signers of our transactions.
@Suite("Comparison with eth-account", .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct EthAccountTests {
    private static let keyText = "0x" + String(repeating: "46", count: 32)

    private struct Signed: Decodable { let hash, signature: String }
    private struct SignedTransaction: Decodable { let raw, hash: String }

    /// Its input is JSON: the tests' encoder uses this type for it.
    private struct Message: Encodable {
        let json: Encoding.JSON

        func encode(to encoder: any Encoder) throws {
            switch json {
            case .object(let object):
                var container = encoder.container(keyedBy: Key.self)
                for member in object.members {
                    try container.encode(Message(json: member.value), forKey: Key(stringValue: member.name))
                }
            case .array(let values):
                var container = encoder.unkeyedContainer()
                for value in values { try container.encode(Message(json: value)) }
            case .string(let text):
                var container = encoder.singleValueContainer()
                try container.encode(text)
            case .bool(let value):
                var container = encoder.singleValueContainer()
                try container.encode(value)
            case .number(let number):
                var container = encoder.singleValueContainer()
                try container.encode(try #require(number.integer(as: UInt64.self)))
            case .null:
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            }
        }

        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    private func ask<Answer: Decodable>(_ command: String, _ json: Encoding.JSON, for type: Answer.Type = Answer.self)
        throws -> Answer
    {
        try Python.ask("ethereum.py", command: command, Message(json: json), for: type)
    }

    // MARK: - Transactions

    private func address(_ random: SeededRandom) throws -> EthereumAddress {
        try EthereumAddress(bytes: random.publicBytes(count: 20))
    }

    private func json(_ list: [AccessListEntry]) throws -> Encoding.JSON {
        .array(
            try list.map { entry in
                .object(
                    try .init([
                        .init(name: "address", value: .string(entry.address.description)),
                        .init(name: "storageKeys", value: .array(entry.storageKeys.map { .string("0x" + hex($0)) })),
                    ]))
            })
    }

    /// A transaction of any type, and its form for eth-account. An authorization is signed by it.
    private func transaction(_ type: Int, _ random: SeededRandom) throws -> (EthereumTransaction, Encoding.JSON) {
        let chain = type == 0 ? nil : try ChainID(1 + random.next() % 1_000_000)
        let list = try (0..<random.below(3)).map { _ in
            try AccessListEntry(
                address: try address(random),
                storageKeys: (0..<random.below(3)).map { _ in random.publicBytes(count: 32) })
        }
        let tip = Wei(UInt256(random.next() % 1_000_000))
        let most = try tip.adding(Wei(UInt256(random.next() % 1_000_000_000_000)))
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: tip, maxFeePerGas: most)
        let hashes = (0..<(1 + random.below(3))).map { _ in [1] + random.publicBytes(count: 31) }
        let kind: EthereumTransaction.Kind
        switch type {
        case 0, 1: kind = .legacy(gasPrice: most)
        case 2: kind = .accessList(gasPrice: most, list)
        case 3: kind = .dynamicFee(fees, list)
        case 4: kind = .blob(fees, list, maxFeePerBlobGas: tip, blobHashes: hashes)
        default: kind = .setCode(fees, list, [try KnownEthereum.authorization()])
        }
        let isCreation = type < 4 && random.below(4) == 0
        let transaction = try EthereumTransaction(
            chainID: chain, nonce: random.next() >> UInt64(1 + random.below(63)), gasLimit: random.next() >> 40,
            to: isCreation ? nil : try address(random),
            value: Wei(try UInt256(bytes: random.publicBytes(count: random.below(13)))),
            data: random.publicBytes(count: random.below(100)), kind: kind)
        var members: [(String, Encoding.JSON)] = [
            ("nonce", .number(.init(transaction.nonce))), ("gas", .number(.init(transaction.gasLimit))),
            ("to", .string(transaction.to?.description ?? "")), ("value", .string(transaction.value.value.quantity)),
            ("data", .string("0x" + hex(transaction.data))),
        ]
        if let chain { members.append(("chainId", .number(.init(chain.value)))) }
        if let type = transaction.type {
            members += [("type", .number(.init(type))), ("accessList", try json(list))]
        }
        if transaction.fees != nil {
            members.append(("maxFeePerGas", .string(most.value.quantity)))
            members.append(("maxPriorityFeePerGas", .string(tip.value.quantity)))
        } else {
            members.append(("gasPrice", .string(most.value.quantity)))
        }
        if type == 4 {
            members.append(("maxFeePerBlobGas", .string(tip.value.quantity)))
            members.append(("blobVersionedHashes", .array(hashes.map { .string("0x" + hex($0)) })))
        }
        if type == 5 {
            let delegate = try KnownEthereum.authorization().delegate.description
            members.append(("authorize", ["chainId": 1, "address": .string(delegate), "nonce": 7]))
        }
        return (transaction, .object(try .init(members.map { .init(name: $0.0, value: $0.1) })))
    }

    @Test("random transactions of every type are signed with the same bytes, and their sender is recovered")
    func transactions() throws {
        let random = SeededRandom(seed: 12)
        let all = try (0..<120).map { try transaction($0 % 6, random) }
        let theirs = try ask(
            "sign", ["key": .string(Self.keyText), "transactions": .array(all.map(\.1))], for: [SignedTransaction].self)
        let ours = try all.map {
            try SignedEthereumTransaction.sign($0.0, key: KnownEthereum.key(), sender: KnownEthereum.sender())
        }
        #expect(theirs.count == ours.count)
        for (our, their) in zip(ours, theirs) {
            #expect(hex(our.encoded) == their.raw && hex(our.hash) == their.hash, "seed \(random.seed)")
            #expect(try SignedEthereumTransaction(decoding: hex(their.raw)) == our)
        }
        let senders = try ask("recover", ["raw": .array(ours.map { .string(hex($0.encoded)) })], for: [String].self)
        #expect(senders == ours.map(\.sender.description))
    }

    @Test("messages of any length have the same signature")
    func messages() throws {
        let random = SeededRandom(seed: 13)
        let messages = [0, 1, 9, 10, 99, 100, 135, 136, 1_000].map { random.publicBytes(count: $0) }
        let theirs = try ask(
            "message", ["key": .string(Self.keyText), "messages": .array(messages.map { .string(hex($0)) })],
            for: [Signed].self)
        for (bytes, their) in zip(messages, theirs) {
            let hash = try PersonalMessage(bytes: bytes).hash
            let ours = try EthereumSignature.sign(hash: hash, key: KnownEthereum.key(), signer: KnownEthereum.sender())
            #expect(hex(hash) == their.hash && hex(ours.encoded) == their.signature)
        }
    }

    // MARK: - Typed data

    /// A type by name, and a value of it, in the form of a document.
    private func value(_ depth: Int, _ structures: [String], _ random: SeededRandom) throws -> (
        type: String, value: () throws -> String
    ) {
        func digits(_ bits: Int) throws -> String {
            try UInt256(bytes: random.publicBytes(count: random.below(bits / 8 + 1))).description
        }
        switch random.below(depth > 0 ? 9 : 7) {
        case 0:
            let bits = 8 * (1 + random.below(32))
            return ("uint\(bits)", { random.below(2) == 0 ? try digits(bits) : "\"\(try digits(bits))\"" })
        case 1:
            let bits = 8 * (1 + random.below(32))
            return ("int\(bits)", { (random.below(2) == 0 ? "-" : "") + (try digits(bits - 8)) })
        case 2: return ("bool", { random.below(2) == 0 ? "true" : "false" })
        case 3: return ("address", { "\"0x\(hex(random.publicBytes(count: 20)))\"" })
        case 4:
            let count = 1 + random.below(32)
            return ("bytes\(count)", { "\"0x\(hex(random.publicBytes(count: count)))\"" })
        case 5: return ("bytes", { "\"0x\(hex(random.publicBytes(count: random.below(70))))\"" })
        case 6: return ("string", { "\"text é \(random.next())\"" })
        default:
            let (type, element) = try value(depth - 1, structures, random)
            let fixed = random.below(2) == 0 ? 1 + random.below(3) : nil
            return (
                "\(type)[\(fixed.map(String.init) ?? "")]",
                { "[" + (try (0..<(fixed ?? random.below(4))).map { _ in try element() }.joined(separator: ",")) + "]" }
            )
        }
    }

    /// Structures, each of which has the next one as a member: so the first leads to all.
    private func document(_ random: SeededRandom) throws -> String {
        let names = ["Zebra", "Apple", "Mango", "Berry"].prefix(1 + random.below(4))
        var types: [String] = []
        var inner: String?
        for (index, name) in names.enumerated().reversed() {
            var members: [(type: String, value: String)] = try (0..<(1 + random.below(4))).map { _ in
                let (type, value) = try value(2, [], random)
                return (type, try value())
            }
            if let inner {
                let next = names[index + 1]
                switch random.below(3) {
                case 0: members.insert((next, inner), at: random.below(members.count + 1))
                case 1: members.append(("\(next)[]", "[\(inner),\(inner)]"))
                default: members.append(("\(next)[1][]", "[[\(inner)],[\(inner)]]"))
                }
            }
            let fields = members.enumerated().map { "{\"name\":\"m\($0)\",\"type\":\"\($1.type)\"}" }
            types.append("\"\(name)\":[\(fields.joined(separator: ","))]")
            inner = "{\(members.enumerated().map { "\"m\($0)\":\($1.value)" }.joined(separator: ","))}"
        }
        let domain = [
            ("name", "string", "\"d\""), ("version", "string", "\"1\""), ("chainId", "uint256", "\(random.next())"),
            ("verifyingContract", "address", "\"0x\(hex(random.publicBytes(count: 20)))\""),
            ("salt", "bytes32", "\"0x\(hex(random.publicBytes(count: 32)))\""),
        ].filter { _ in random.below(4) > 0 }
        let used = domain.isEmpty ? [("name", "string", "\"d\"")] : domain
        let domainTypes = used.map { "{\"name\":\"\($0.0)\",\"type\":\"\($0.1)\"}" }.joined(separator: ",")
        let domainValues = used.map { "\"\($0.0)\":\($0.2)" }.joined(separator: ",")
        return
            "{\"types\":{\"EIP712Domain\":[\(domainTypes)],\(types.joined(separator: ","))},\"primaryType\":\"\(names[0])\","
            + "\"domain\":{\(domainValues)},\"message\":\(try #require(inner))}"
    }

    @Test("random documents of typed data have the same hash and signature")
    func typedData() throws {
        let random = SeededRandom(seed: 14)
        let documents = try (0..<150).map { _ in try document(random) } + [KnownTypedData.mail]
        let theirs = try ask(
            "typed", ["key": .string(Self.keyText), "documents": .array(documents.map { .string($0) })],
            for: [Signed].self)
        for (document, their) in zip(documents, theirs) {
            let hash = try KnownTypedData.read(document).hash
            #expect(hex(hash) == their.hash, "seed \(random.seed): \(document)")
            let ours = try EthereumSignature.sign(hash: hash, key: KnownEthereum.key(), signer: KnownEthereum.sender())
            #expect(hex(ours.encoded) == their.signature)
        }
    }

    // MARK: - Arguments

    private func argument(_ depth: Int, _ random: SeededRandom) throws -> (
        ABIType, () throws -> (ABIValue, Encoding.JSON)
    ) {
        func number(_ bytes: Int) throws -> UInt256 {
            try UInt256(bytes: random.publicBytes(count: random.below(bytes + 1)))
        }
        func bytes(_ count: Int) -> (ABIValue, Encoding.JSON) {
            let bytes = random.publicBytes(count: count)
            return (.bytes(bytes), .string(hex(bytes)))
        }
        switch random.below(depth > 0 ? 9 : 7) {
        case 0:
            let size = 1 + random.below(32)
            return (
                .uint(8 * size),
                {
                    let value = try number(size); return (.uint(value), .string(value.description))
                }
            )
        case 1:
            let size = 2 + random.below(31)
            return (
                .int(8 * size),
                {
                    let value = try Int256(isNegative: random.below(2) == 0, magnitude: try number(size - 1))
                    return (.int(value), .string(value.description))
                }
            )
        case 2:
            return (
                .bool,
                {
                    let value = random.below(2) == 0; return (.bool(value), .bool(value))
                }
            )
        case 3:
            return (
                .address,
                {
                    let value = try self.address(random); return (.address(value), .string(value.description))
                }
            )
        case 4:
            let count = 1 + random.below(32)
            return (.fixedBytes(count), { bytes(count) })
        case 5: return (.bytes, { bytes(random.below(70)) })
        case 6:
            return (
                .string,
                {
                    let text = "é\(random.next())"; return (.string(text), .string(text))
                }
            )
        case 7:
            let (type, element) = try argument(depth - 1, random)
            let fixed = random.below(2) == 0 ? 1 + random.below(3) : nil
            return (
                .array(type, count: fixed),
                {
                    let values = try (0..<(fixed ?? random.below(4))).map { _ in try element() }
                    return (.array(values.map(\.0)), .array(values.map(\.1)))
                }
            )
        default:
            let parts = try (0..<(1 + random.below(3))).map { _ in try argument(depth - 1, random) }
            return (
                .tuple(parts.map(\.0)),
                {
                    let values = try parts.map { try $0.1() }
                    return (.tuple(values.map(\.0)), .array(values.map(\.1)))
                }
            )
        }
    }

    @Test("random arguments encode to the same bytes, and decode to the same values")
    func arguments() throws {
        let random = SeededRandom(seed: 15)
        var ours: [(types: [ABIType], values: [ABIValue])] = []
        var calls: [Encoding.JSON] = []
        for _ in 0..<200 {
            let parts = try (0..<(1 + random.below(4))).map { _ in try argument(3, random) }
            let values = try parts.map { try $0.1() }
            ours.append((parts.map(\.0), values.map(\.0)))
            calls.append([
                "types": .array(parts.map { .string($0.0.description) }), "values": .array(values.map(\.1)),
            ])
        }
        let theirs = try ask("abi", ["calls": .array(calls)], for: [String].self)
        for (our, their) in zip(ours, theirs) {
            #expect(hex(try ABI.encode(our.values, as: our.types)) == their, "seed \(random.seed): \(our.types)")
            #expect(try ABI.decode(hex(their), as: our.types) == our.values, "seed \(random.seed): \(our.types)")
        }
        #expect(theirs.count == ours.count)
    }
}
