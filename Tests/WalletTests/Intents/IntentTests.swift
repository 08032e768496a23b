internal import Amounts
import Curves
internal import DisplayText
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import Ethereum
@testable import HDKeys
@testable import Wallet

@Suite("Intents: the effects decoded from the bytes to be signed")
struct IntentTests {
    private static let group = Secp256k1.Point.generator
    private static let token = Sample.token
    private static let other = Sample.address(0xDE)
    private static let permit2 = Effect.permit2

    private func accounts(on network: Network = .regtest) throws -> Accounts {
        try Accounts(
            taproot: TaprootAccount(groupKey: Self.group, network: network),
            segwit: SegwitAccount(groupKey: Self.group, network: network),
            ethereum: EthereumAccounts(groupKey: Self.group))
    }

    private func own() throws -> EthereumAddress { try EthereumAccounts(groupKey: Self.group).key(at: 0).address }

    private func work(
        to: EthereumAddress?, value: UInt256 = 0, data: [UInt8] = [], gas: UInt64 = 100_000,
        chain: ChainID? = .ethereum,
        kind: EthereumTransaction.Kind? = nil
    ) throws -> SigningWork {
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(10))
        let transaction = try EthereumTransaction(
            chainID: chain, nonce: 3, gasLimit: gas, to: to, value: Wei(value), data: data,
            kind: kind ?? .dynamicFee(fees, []))
        return try SigningWork(of: .ethereumTransaction(transaction, account: 0), for: try accounts())
    }

    private func word(_ address: EthereumAddress) -> [UInt8] { [UInt8](repeating: 0, count: 12) + address.bytes }

    @Test("a payment is one effect, with the highest fee beside it, and one signature by the account's key")
    func payment() throws {
        let work = try work(to: Self.other, value: 5)
        #expect(work.intent.effects == [.payment(.coin, amount: 5, to: .ethereum(Self.other))])
        #expect(work.intent.highestFee == 1_000_000)
        #expect(work.intent.chain == .ethereum(.ethereum))
        #expect(work.intent.findings.isEmpty)
        let key = try EthereumAccounts(groupKey: Self.group).key(at: 0)
        #expect(work.requests.map(\.key) == [.ecdsa(tweak: key.tweak, publicKey: key.publicKey)])
        #expect(Self.group + Secp256k1.Point.generator.multipliedVariableTime(by: key.tweak) == key.publicKey)
    }

    @Test("tokens go to the recipient in the call data, not to the transaction's target")
    func token() throws {
        let data = ContractCall.transferData(to: Self.other, amount: 7)
        let effects = try work(to: Self.token, data: data).intent.effects
        #expect(effects == [.payment(.tokenOrItem(Self.token), amount: 7, to: .ethereum(Self.other))])
        // Coins sent with the call are a separate effect.
        #expect(
            try work(to: Self.token, value: 1, data: data).intent.effects.first
                == .payment(.coin, amount: 1, to: .ethereum(Self.token)))
    }

    @Test("an unlimited allowance has no amount: the greatest number, and any beyond every token's supply")
    func allowance() throws {
        func amount(_ value: UInt256) throws -> Effect? {
            try work(to: Self.token, data: ContractCall.approveData(spender: Self.other, amount: value)).intent.effects
                .first
        }
        let spender = Party.ethereum(Self.other)
        #expect(try amount(5) == .allowance(.tokenOrItem(Self.token), amount: 5, to: spender))
        #expect(try amount(.maximum) == .allowance(.tokenOrItem(Self.token), amount: nil, to: spender))
        // 2^96 - 1, which means unlimited for UNI and COMP, and the values that others use: 2^112 - 1, 2^128 - 1, 2^160
        // - 1, 2^255.
        let least = try UInt256(hexadecimal: "0x" + String(repeating: "f", count: 24))
        let others = try [28, 32, 40].map { try UInt256(hexadecimal: "0x" + String(repeating: "f", count: $0)) }
        let half = try UInt256(hexadecimal: "0x8" + String(repeating: "0", count: 63))
        for value in [least, half] + others {
            #expect(try amount(value) == .allowance(.tokenOrItem(Self.token), amount: nil, to: spender), "\(value)")
        }
        let limited = try least.subtracting(.one)
        #expect(try amount(limited) == .allowance(.tokenOrItem(Self.token), amount: limited, to: spender))
    }

    @Test("an allowance of 2^96 - 1 is unlimited for checks and policies, in a call, in a permit, and in Permit2")
    func greatestOf96Bits() throws {
        let least = String(repeating: "f", count: 24)
        let value = try UInt256(hexadecimal: "0x" + least)
        let members = """
            {"name": "owner", "type": "address"}, {"name": "spender", "type": "address"},
            {"name": "value", "type": "uint256"}, {"name": "nonce", "type": "uint256"}, {"name": "deadline", "type": "uint256"}
            """
        let message =
            #"{"owner": "\#(try own())", "spender": "\#(Self.other)", "value": "0x\#(least)", "nonce": 0, "deadline": 1}"#
        let word = [UInt8](repeating: 0, count: 20) + [UInt8](repeating: 0xFF, count: 12)
        let permit2 =
            ContractFunction.selector("approve(address,address,uint160,uint48)") + self.word(Self.token)
            + self.word(Self.other) + word + UInt256(60).bytes
        let works = [
            try work(to: Self.token, data: ContractCall.approveData(spender: Self.other, amount: value)),
            try typed("Permit", members, message), try work(to: Self.permit2, data: permit2),
        ]
        let context = PolicyContext(
            now: 0, history: [], known: nil, chosen: [], proposed: nil, approvers: [], node: nil)
        let policy = Policy(rules: [
            PolicyRule(name: "limited", conditions: [.unlimited(false)], outcome: .allow)
        ])
        for work in works {
            let intent = work.intent.checked(in: context)
            #expect(intent.effects.map(\.amount) == [nil])
            #expect(intent.findings.contains { $0.name == "unlimited_allowance" && $0.weight == .costly })
            #expect(policy.decide(on: intent, in: context).verdict == .denied)
        }
    }

    @Test("additional bytes of a collectible's transfer are costly, in a call and in a Safe; empty ones are not")
    func transferData() throws {
        let own = try own()
        func data(_ signature: String, _ words: [[UInt8]]) -> [UInt8] {
            ContractFunction.selector(signature) + words.joined()
        }
        let bytes = [UInt8](repeating: 0x5A, count: 3) + [UInt8](repeating: 0, count: 29)
        let parties = [word(own), word(Self.other)]
        let one = "safeTransferFrom(address,address,uint256,bytes)"
        let many = "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"
        let numbers = { (values: [UInt64]) in values.map { UInt256($0).bytes } }
        let cases: [([UInt8], Bool)] = [
            (data(one, parties + numbers([7, 128, 3]) + [bytes]), true),
            (data(one, parties + numbers([7, 128, 0])), false),
            (
                data(
                    "safeTransferFrom(address,address,uint256,uint256,bytes)",
                    parties + numbers([7, 1, 160, 3]) + [bytes]), true
            ),
            (data(many, parties + numbers([160, 224, 288, 1, 7, 1, 9, 3]) + [bytes]), true),
            (data(many, parties + numbers([160, 224, 288, 1, 7, 1, 9, 0])), false),
            (data("safeTransferFrom(address,address,uint256)", parties + numbers([7])), false),
        ]
        let members =
            "address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,"
            + "address gasToken,address refundReceiver,uint256 nonce"
        let fields = members.split(separator: ",").map {
            let parts = $0.split(separator: " ")
            return #"{"name": "\#(parts[1])", "type": "\#(parts[0])"}"#
        }
        for (data, isTold) in cases {
            let message = """
                {"to": "\(Self.token)", "value": 0, "data": "0x\(Hex.encode(data))", "operation": 0, "safeTxGas": 0, "baseGas": 0,
                 "gasPrice": 0, "gasToken": "\(EthereumAddress.zero)", "refundReceiver": "\(EthereumAddress.zero)", "nonce": 1}
                """
            for intent in [
                try work(to: Self.token, data: data).intent,
                try typed("SafeTx", fields.joined(separator: ","), message).intent,
            ] {
                let told = intent.findings.filter { $0.name == "transfer_data" }
                #expect(told.map(\.weight) == (isTold ? [.costly] : []), "\(Hex.encode(data))")
                #expect(!isTold || told[0].text.contains("3 bytes") && told[0].text.contains("\(Self.other)"))
            }
        }
    }

    @Test("a transfer is a payment only if it moves the account's own tokens")
    func transferFrom() throws {
        func effect(from: EthereumAddress) throws -> Effect? {
            let data = try Hex.decode("23b872dd") + word(from) + word(Self.other) + UInt256(9).bytes
            return try work(to: Self.token, data: data).intent.effects.first
        }
        let asset = Asset.tokenOrItem(Self.token)
        #expect(try effect(from: own()) == .payment(asset, amount: 9, to: .ethereum(Self.other)))
        #expect(
            try effect(from: Self.token)
                == .transfer(asset, amount: 9, from: .ethereum(Self.token), to: .ethereum(Self.other)))
    }

    @Test("an unknown call is reported as unknown, and nothing is guessed from it")
    func unknown() throws {
        for data in ["deadbeef", "a9059cbb", "a9", "a9059cbb" + String(repeating: "ff", count: 64)] {
            let bytes = try Hex.decode(data)
            let effects = try work(to: Self.token, data: bytes).intent.effects
            #expect(effects == [.call(Self.token, selector: Array(bytes.prefix(4)))], "\(data)")
        }
    }

    @Test("functions of Permit2 have their meaning in Permit2 only")
    func elsewhere() throws {
        #expect(Self.permit2.description == "0x000000000022D473030F116dDEE9F6B43aC78BA3")
        let data =
            try Hex.decode("87517c45") + word(Self.token) + word(Self.other) + UInt256(5).bytes + UInt256(99).bytes
        #expect(
            try work(to: Self.permit2, data: data).intent.effects
                == [.allowance(.token(Self.token), amount: 5, to: .ethereum(Self.other))])
        #expect(
            try work(to: Self.token, data: data).intent.effects
                == [.call(Self.token, selector: [0x87, 0x51, 0x7C, 0x45])])
    }

    @Test("contract creation, delegation, and a payment of nothing to oneself are shown as such")
    func others() throws {
        #expect(try work(to: nil, data: [0x60], gas: 200_000).intent.effects == [.deployment])
        #expect(try work(to: own()).intent.effects == [.nothing])
        #expect(try work(to: own(), value: 1).intent.effects == [.payment(.coin, amount: 1, to: .ethereum(own()))])
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(10))
        let wish = Authorization(chainID: 1, delegate: Self.token, nonce: 4, yParity: 0, r: 1, s: 1)
        let work = try work(to: own(), kind: .setCode(fees, [], [wish]))
        #expect(work.intent.effects == [.delegation(to: Self.token), .nothing])
        #expect(Policy.standard.decide(on: work.intent, in: Sample.context()).verdict == .denied)
    }

    @Test("a transaction valid on every chain, or refused by every node, is refused, and gives nothing to sign")
    func refused() throws {
        let everywhere = try work(to: Self.other, value: 1, chain: nil, kind: .legacy(gasPrice: Wei(1)))
        #expect(everywhere.intent.refusals.map(\.name) == ["no_chain"])
        #expect(everywhere.requests.isEmpty)
        #expect(try work(to: Self.other, value: 1, gas: 20_999).intent.refusals.map(\.name) == ["too_little_gas"])
        #expect(try work(to: Self.other, value: 1, gas: 21_000).intent.refusals.isEmpty)
        let code = [UInt8](repeating: 0, count: EthereumTransaction.maximumInitCode + 1)
        #expect(try work(to: nil, data: code, gas: 5_000_000).intent.refusals.map(\.name) == ["too_much_code"])
        #expect(try work(to: nil, data: Array(code.dropLast()), gas: 5_000_000).intent.refusals.isEmpty)
        // Coins for a new contract would appear in no effect.
        let paid = try work(to: nil, value: 1, data: [0x60], gas: 200_000)
        #expect(paid.intent.refusals.map(\.name) == ["paid_contract"])
        #expect(paid.requests.isEmpty)
    }

    @Test("a message with undeclared members is not signed")
    func cutMessage() throws {
        func work(_ count: Int) throws -> SigningWork {
            let text = String(repeating: "a", count: count - 1) + "z"
            return try SigningWork(of: .personalMessage(try PersonalMessage(text), account: 0), for: try accounts())
        }
        let limit = EthereumLimits.shownMessageCharacters
        #expect(try work(limit).intent.refusals.isEmpty)
        let cut = try work(limit + 1)
        #expect(cut.intent.refusals.map(\.name) == ["cut_text"])
        #expect(cut.requests.isEmpty)
        let label = AddressLabel(.taproot, at: try AddressPath(.receive, index: 0))
        let bytes = [UInt8](repeating: 0x61, count: limit + 1)
        let bitcoin = try SigningWork(of: .bitcoinMessage(bytes, by: label), for: try accounts())
        #expect(bitcoin.intent.refusals.map(\.name) == ["cut_text"])
        // In bytes that are not text, each byte takes two digits.
        let data = [UInt8](repeating: 0xFF, count: limit / 2)
        let binary = try SigningWork(
            of: .personalMessage(try PersonalMessage(bytes: data), account: 0), for: try accounts())
        #expect(binary.intent.refusals.map(\.name) == ["cut_text"])
    }

    @Test("any other payload has another digest, and so has the same one for another account")
    func digest() throws {
        let accounts = try accounts()
        let message = try PersonalMessage("hello")
        let payloads: [SigningPayload] = [
            .personalMessage(message, account: 0), .personalMessage(message, account: 1),
            .personalMessage(try PersonalMessage("hello!"), account: 0),
        ]
        var digests = try payloads.map { try SigningWork(of: $0, for: accounts).intent.digest }
        for kind in AddressLabel.Kind.allCases {
            for chain in AddressPath.Chain.allCases {
                let label = AddressLabel(kind, at: try AddressPath(chain, index: 0))
                let work = try SigningWork(of: .bitcoinMessage(message.bytes, by: label), for: accounts)
                #expect(work.intent.effects == [.message(SanitizedText("hello", limit: 10, lines: .several))])
                #expect(work.intent.chain == .bitcoin(accounts.network) && work.requests.count == 1)
                digests.append(work.intent.digest)
            }
        }
        for value in [1, 2] as [UInt256] { digests.append(try work(to: Self.other, value: value).intent.digest) }
        digests.append(try work(to: Self.other, value: 1, gas: 100_001).intent.digest)
        digests.append(try work(to: Self.other, value: 1, chain: .sepolia).intent.digest)
        #expect(Set(digests).count == digests.count)
        #expect(digests.allSatisfy { $0.count == 32 })
    }

    @Test("a message is shown with its invisible characters, and one that is not text is reported")
    func message() throws {
        func intent(_ bytes: [UInt8]) throws -> Intent {
            try SigningWork(of: .personalMessage(try PersonalMessage(bytes: bytes), account: 0), for: try accounts())
                .intent
        }
        let hidden = try intent(Array("pay\u{202E}me".utf8))
        #expect(hidden.effects == [.message(SanitizedText("pay\u{202E}me", limit: 100, lines: .several))])
        #expect(hidden.findings.map(\.name) == ["odd_text", "odd_text"])
        #expect(hidden.chain == nil)
        #expect(try intent([0xFF, 0xFE]).findings.map(\.name) == ["not_text"])
        #expect(try intent([UInt8](repeating: 0x41, count: 32)).findings.map(\.name) == ["hash_sized"])
        #expect(try intent(Array("hello".utf8)).findings.isEmpty)
    }

    private func typed(
        _ type: String, _ members: String, _ message: String, contract: EthereumAddress = token,
        chain: String = "11155111", on network: Network = .regtest
    ) throws -> SigningWork {
        let document = """
            {"types": {"EIP712Domain": [{"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}],
             "\(type)": [\(members)]}, "primaryType": "\(type)",
             "domain": {"chainId": \(chain), "verifyingContract": "\(contract)"}, "message": \(message)}
            """
        let bytes = Array(document.utf8)
        return try SigningWork(
            of: .typedData(try TypedData(decoding: bytes), document: bytes, account: 0), for: try accounts(on: network))
    }

    @Test(
        "a wallet for test coins and a chain with real ones do not go together, nor the other way round",
        arguments: [
            ("11155111", Network.regtest, nil), ("1", .mainnet, nil), ("4242424", .mainnet, nil),
            ("31337", .signet, nil),
            ("1", .regtest, "those of Ethereum (chain 1) are worth something"),
            ("8453", .testnet, "are worth something"), ("4242424", .signet, "which fueki does not know, may be worth"),
            ("11155111", .mainnet, "the wallet is for real coins (mainnet), and Sepolia"),
        ])
    func otherNetwork(chain: String, network: Network, words: String?) throws {
        let intent = try typed(
            "Order", #"{"name": "price", "type": "uint256"}"#, #"{"price": 1}"#, chain: chain, on: network
        ).intent
        let found = intent.findings.filter { $0.name == "other_network" }
        #expect(found.map(\.weight) == (words == nil ? [] : [.costly]))
        #expect(words.map { found.first?.text.contains($0) == true } ?? true, "\(found)")
        #expect(intent.costs(besides: []) == found && Finding.names.contains("other_network"))
    }

    @Test(
        "a chain beyond all that a wallet can know is told by its number, and not signed for",
        arguments: [
            ("9223372036854775771", false), ("9223372036854775772", true), ("18446744073709551615", true),
            ("18446744073709551616", true), (UInt256.maximum.description, true),
        ])
    func largeChain(number: String, isRefused: Bool) throws {
        let work = try typed(
            "Order", #"{"name": "price", "type": "uint256"}"#, #"{"price": 1}"#, chain: "\"\(number)\"", on: .mainnet)
        #expect(work.intent.refusals.map(\.name) == (isRefused ? ["chain_too_large"] : []))
        #expect(work.requests.isEmpty == isRefused && (work.intent.chain == nil) == isRefused)
        #expect(work.intent.findings.allSatisfy { $0.name != "no_chain" })
        #expect(!isRefused || work.intent.refusals[0].text.contains("chain \(number),"))
    }

    @Test("a permit is an allowance; data of unknown meaning are a statement, which the default policy denies")
    func permit() throws {
        let members = """
            {"name": "owner", "type": "address"}, {"name": "spender", "type": "address"},
            {"name": "value", "type": "uint256"}, {"name": "nonce", "type": "uint256"}, {"name": "deadline", "type": "uint256"}
            """
        let message = """
            {"owner": "\(try own())", "spender": "\(Self.other)", "value": "5", "nonce": 0, "deadline": 9}
            """
        let permit = try typed("Permit", members, message)
        #expect(permit.intent.effects == [.allowance(.token(Self.token), amount: 5, to: .ethereum(Self.other))])
        #expect(permit.requests.count == 1)
        let order = try typed("Order", #"{"name": "price", "type": "uint256"}"#, #"{"price": 1}"#)
        #expect(
            order.intent.effects
                == [.statement(type: SanitizedText("Order", limit: 10, lines: .one), for: Self.token)])
        #expect(Policy.standard.decide(on: order.intent, in: Sample.context()).verdict == .denied)
        #expect(order.intent.digest != permit.intent.digest)
        #expect(permit.intent.chain == .ethereum(.sepolia) && permit.intent.findings.isEmpty)
    }

    @Test(
        "typed data without a chain's number, or with zero, which no chain has, says that it may be good on every chain"
    )
    func noChain() throws {
        for (domain, words) in [
            (#""name": "x""#, "it names no chain, and is good on every one"),
            (#""chainId": 0"#, "it names chain 0, which does not exist, and may be good on every one"),
        ] {
            let member = domain.contains("chainId") ? ("chainId", "uint256") : ("name", "string")
            let document = """
                {"types": {"EIP712Domain": [{"name": "\(member.0)", "type": "\(member.1)"}],
                 "A": [{"name": "b", "type": "bool"}]}, "primaryType": "A", "domain": {\(domain)}, "message": {"b": true}}
                """
            let bytes = Array(document.utf8)
            let work = try SigningWork(
                of: .typedData(try TypedData(decoding: bytes), document: bytes, account: 0), for: try accounts())
            #expect(work.intent.chain == nil)
            #expect(work.intent.findings == [Finding("no_chain", words, .costly)], "\(domain)")
        }
    }

    @Test("a payload decodes from its own encoding, and from no other")
    func encoding() throws {
        let document = Array(
            #"{"types": {"EIP712Domain": [{"name": "name", "type": "string"}], "A": [{"name": "b", "type": "bool"}]}, "primaryType": "A", "domain": {"name": "x"}, "message": {"b": true}}"#
                .utf8)
        let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(1), maxFeePerGas: Wei(10))
        let transaction = try EthereumTransaction(
            chainID: .ethereum, nonce: 3, gasLimit: 21_000, to: Self.other, value: Wei(1), data: [],
            kind: .dynamicFee(fees, []))
        let payloads: [SigningPayload] = [
            .ethereumTransaction(transaction, account: 7), .personalMessage(try PersonalMessage("hello"), account: 1),
            .typedData(try TypedData(decoding: document), document: document, account: 0),
            .bitcoinMessage(Array("hello".utf8), by: AddressLabel(.segwit, at: try AddressPath(.change, index: 9))),
            .bitcoinMessage([], by: AddressLabel(.taproot, at: try AddressPath(.receive, index: 0))),
        ]
        for payload in payloads { #expect(try SigningPayload(decoding: payload.encoded) == payload) }
        #expect(throws: WalletError.malformed(.unsupported)) { try SigningPayload(decoding: [9, 0, 0, 0, 0]) }
        #expect(throws: WalletError.malformed(.truncated)) { try SigningPayload(decoding: [3, 0, 0, 0]) }
        // A Bitcoin message: no such address, too short for one, too long.
        for bytes in [[5, 0, 0, 0, 0, 2, 0], [5, 0, 0, 0, 0, 0, 2]] as [[UInt8]] {
            #expect(throws: WalletError.malformed(.unsupported)) { try SigningPayload(decoding: bytes) }
        }
        #expect(throws: WalletError.key(.badPath)) { try SigningPayload(decoding: [5, 0x80, 0, 0, 0, 0, 0]) }
        #expect(throws: WalletError.malformed(.truncated)) { try SigningPayload(decoding: [5, 0, 0, 0, 0, 0]) }
        #expect(throws: WalletError.malformed(.tooLong(limit: EthereumLimits.messageBytes))) {
            try SigningPayload(
                decoding: [5, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 65, count: EthereumLimits.messageBytes + 1))
        }
        // A PSBT belongs to no account.
        #expect(throws: WalletError.malformed(.notCanonical)) { try SigningPayload(decoding: [1, 0, 0, 0, 1]) }
        Fuzz.roundTrips(of: payloads.map(\.encoded), iterations: 5_000) { bytes in
            try SigningPayload(decoding: bytes)
        } encode: {
            $0.encoded
        }
    }

    @Test(
        "an allowance that a Safe gives to somebody unknown is found as the wallet's own",
        arguments: [
            "approve(address,uint256)", "increaseAllowance(address,uint256)", "setApprovalForAll(address,bool)",
        ])
    func safeAllowance(signature: String) throws {
        let data = ContractFunction.selector(signature) + word(Self.other) + UInt256(1).bytes
        let members =
            "address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,"
            + "address gasToken,address refundReceiver,uint256 nonce"
        let fields = members.split(separator: ",").map {
            let parts = $0.split(separator: " ")
            return #"{"name": "\#(parts[1])", "type": "\#(parts[0])"}"#
        }
        let zero = EthereumAddress.zero
        let message = """
            {"to": "\(Self.token)", "value": 0, "data": "0x\(Hex.encode(data))", "operation": 0, "safeTxGas": 0, "baseGas": 0,
             "gasPrice": 0, "gasToken": "\(zero)", "refundReceiver": "\(zero)", "nonce": 1}
            """
        let intent = try typed("SafeTx", fields.joined(separator: ","), message).intent
        func costs(_ known: Set<Party>) -> [String] {
            intent.checked(in: Sample.context(known: known)).costs(besides: ["control"]).map(\.name)
        }
        #expect(costs([]) == ["first_allowance"])
        #expect(costs([.ethereum(Self.other)]) == [])
    }

    @Test("the effects of a Safe transaction are shown, unless foreign code runs in its place")
    func safe() throws {
        let members = """
            {"name": "to", "type": "address"}, {"name": "value", "type": "uint256"}, {"name": "data", "type": "bytes"},
            {"name": "operation", "type": "uint8"}, {"name": "safeTxGas", "type": "uint256"},
            {"name": "baseGas", "type": "uint256"}, {"name": "gasPrice", "type": "uint256"},
            {"name": "gasToken", "type": "address"}, {"name": "refundReceiver", "type": "address"},
            {"name": "nonce", "type": "uint256"}
            """
        func effects(operation: Int, gasPrice: Int = 0) throws -> [Effect] {
            let zero = EthereumAddress.zero
            let message = """
                {"to": "\(Self.other)", "value": 5, "data": "0x", "operation": \(operation), "safeTxGas": 0, "baseGas": 0,
                 "gasPrice": \(gasPrice), "gasToken": "\(zero)", "refundReceiver": "\(zero)", "nonce": 1}
                """
            return try typed("SafeTx", members, message).intent.effects
        }
        #expect(
            try effects(operation: 0)
                == [.transfer(.coin, amount: 5, from: .ethereum(Self.token), to: .ethereum(Self.other))])
        for effect in try effects(operation: 1) + effects(operation: 0, gasPrice: 1) {
            #expect(effect.kind == .statement)
        }
    }
}
