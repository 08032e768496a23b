internal import Amounts
internal import Bitcoin
internal import Curves
internal import DisplayText
internal import Encoding
internal import HDKeys
internal import Wallet

@testable internal import Ethereum

extension FuzzEntry {
    /// Ethereum's transactions, calls, messages and amounts; payloads, effects and policies of both chains.
    static let ethereum: [FuzzEntry] = [
        FuzzEntry("ethereum", seeds: try SeedEthereum.signed.map(\.encoded)) {
            try SignedEthereumTransaction(decoding: $0).encoded
        },
        FuzzEntry("ethereum-unsigned", seeds: try SeedEthereum.transactions.map(\.encoded)) {
            try EthereumTransaction(decoding: $0).encoded
        },
        FuzzEntry(
            "ethereum-signature", seeds: try SeedEthereum.signed.map(\.signature.encoded)
        ) { try EthereumSignature(decoding: $0).encoded },
        FuzzEntry(
            "ethereum-address",
            texts: [try SeedEthereum.account(0xab).description, "0x" + String(repeating: "0", count: 40)]
        ) {
            text in
            let address = try EthereumAddress.read(text).address
            return address.description.lowercased() == text.lowercased() ? text : ""
        },
        FuzzEntry("abi", seeds: [try ABI.encode(SeedEthereum.arguments(), as: SeedEthereum.types)]) {
            try ABI.encode(try ABI.decode($0, as: SeedEthereum.types), as: SeedEthereum.types)
        },
        FuzzEntry(
            "token-symbol",
            seeds: [
                try ABI.encode([.string("USDC")], as: [.string]), Array("MKR".utf8) + [UInt8](repeating: 0, count: 29),
            ]
        ) { input in
            let symbol = try TokenSymbol(decoding: input)
            _ = TokenUnit.isTaken(symbol, on: .ethereum)
            return try TokenSymbol(symbol.description) == symbol ? input : []
        },
        FuzzEntry("calldata", seeds: try SeedEthereum.calls) { input in
            _ = ContractCall(decoding: input)
            _ = CalledFunction(decoding: input)
            return input
        },
        FuzzEntry(
            "ethereum-uri",
            texts: [
                "ethereum:pay-0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@8453?value=2.5e18",
                "ethereum:0x89205A3A3b2A69De6Dbf7f01ED13B2108B2c43e7/transfer?address="
                    + "0x8e23ee67d1332ad560396262c48ffbb01f93d052&uint256=1",
            ]
        ) { text in
            let uri = try EthereumURI(text)
            let payee = try EthereumAddress(uri.payeeText)
            return uri.payee == payee && uri.amount != .zero ? text : ""
        },
        FuzzEntry("typed-data", texts: SeedEthereum.documents) { text in
            let data = try TypedData(decoding: Array(text.utf8))
            _ = data.permission
            precondition((try? TypedData(decoding: Array(text.utf8)))?.hash == data.hash, "hashed differently")
            return text
        },
        FuzzEntry("nonce-ledger", seeds: try SeedEthereum.ledgers) { try NonceLedger(decoding: $0).encoded },
        FuzzEntry("effect", texts: try SeedEthereum.effects.map(\.json.text)) { text in
            let json = try JSON(decoding: text)
            let effect = try Effect(json: json)
            precondition(effect.json == json, "written differently")
            return text
        },
        FuzzEntry("party", texts: try SeedEthereum.parties.map(\.json.text)) { text in
            let json = try JSON(decoding: text)
            let party = try Party(json: json)
            precondition(party.json == json, "written differently")
            return text
        },
        // Any policy that can be read decides, and gives its reason.
        FuzzEntry("policy", texts: SeedEthereum.policies) { text in
            let policy = try Policy(file: Array(text.utf8))
            precondition(policy.rules.allSatisfy { !$0.description.isEmpty }, "a rule without a description")
            return text
        },
        FuzzEntry("payload", seeds: try SeedEthereum.payloads.map(\.encoded)) { input in
            let payload = try SigningPayload(decoding: input)
            precondition((try? SigningPayload(decoding: payload.encoded)) == payload, "written differently")
            return input
        },
    ]
}

/// Ethereum objects, one of each shape.
enum SeedEthereum {
    static func account(_ byte: UInt8) throws -> EthereumAddress {
        try EthereumAddress(bytes: [UInt8](repeating: byte, count: 20))
    }

    // MARK: Transactions

    private static func transaction(
        _ kind: EthereumTransaction.Kind, to: UInt8? = 0x35, nonce: UInt64 = 1, data: [UInt8] = []
    ) throws -> EthereumTransaction {
        try EthereumTransaction(
            chainID: .ethereum, nonce: nonce, gasLimit: 100_000, to: to.map { byte throws in try account(byte) },
            value: try Wei("0.1eth"), data: data, kind: kind)
    }

    static var transactions: [EthereumTransaction] {
        get throws {
            let fees = EthereumTransaction.Fees(maxPriorityFeePerGas: try Wei("1gwei"), maxFeePerGas: try Wei("30gwei"))
            let list = [
                try AccessListEntry(
                    address: try account(0xaa), storageKeys: [[UInt8](repeating: 1, count: 32)])
            ]
            let authorization = Authorization(
                chainID: 1, delegate: try account(0xbb), nonce: 7, yParity: 0, r: 5, s: 6)
            let blobHash = [UInt8(1)] + [UInt8](repeating: 0x22, count: 31)
            return [
                try transaction(.legacy(gasPrice: try Wei("20gwei"))),
                try transaction(.accessList(gasPrice: try Wei("20gwei"), list), data: [1]),
                try transaction(.dynamicFee(fees, list), nonce: 1 << 32),
                try transaction(.dynamicFee(fees, []), to: nil, data: [0x60, 0]),
                try transaction(.blob(fees, [], maxFeePerBlobGas: try Wei("1gwei"), blobHashes: [blobHash])),
                try transaction(.setCode(fees, [], [authorization])),
            ]
        }
    }

    private static var sender: EthereumAddress {
        EthereumAddress(publicKey: Secp256k1.Point.generator.multipliedVariableTime(by: Scalar(7)))
    }

    static var signed: [SignedEthereumTransaction] {
        get throws {
            try transactions.map {
                try SignedEthereumTransaction.sign($0, key: SecretScalar(Scalar(7)), sender: sender)
            }
        }
    }

    static var ledgers: [[UInt8]] {
        get throws {
            let empty = NonceLedger(chain: .ethereum, account: sender)
            var ledger = empty
            let signed = try signed
            try ledger.record(signed[0])
            try ledger.note(.accepted, for: signed[0].hash)
            let further = try SignedEthereumTransaction.sign(
                try transaction(.legacy(gasPrice: try Wei("20gwei")), nonce: 5), key: SecretScalar(Scalar(7)),
                sender: sender)
            try ledger.record(further)
            var used = ledger
            used.update(latest: 4, height: 1_000)
            return [empty.encoded, ledger.encoded, used.encoded]
        }
    }

    // MARK: Calls

    /// The kinds of types, nested.
    static let types: [ABIType] = [
        .tuple([.address, .array(.tuple([.string, .int(16)]), count: nil)]), .array(.array(.bool, count: 2), count: 2),
        .array(.bytes, count: 2), .uint(48), .fixedBytes(31),
    ]

    static func arguments() throws -> [ABIValue] {
        let minus = ABIValue.int(try Int256(isNegative: true, magnitude: 32_768))
        return [
            .tuple([.address(try account(7)), .array([.tuple([.string("é"), minus]), .tuple([.string(""), minus])])]),
            .array([.array([.bool(true), .bool(false)]), .array([.bool(false), .bool(true)])]),
            .array([.bytes([]), .bytes([UInt8](repeating: 1, count: 33))]), .uint(7),
            .bytes([UInt8](repeating: 9, count: 31)),
        ]
    }

    /// The functions that the wallet knows, with arguments of their types.
    static var calls: [[UInt8]] {
        get throws {
            try ContractFunction.all.sorted { $0.value.signature < $1.value.signature }.map { selector, function in
                selector + (try ABI.encode(try function.types.map { try value(of: $0) }, as: function.types))
            }
        }
    }

    private static func value(of type: ABIType) throws -> ABIValue {
        switch type {
        case .uint: .uint(1)
        case .int: .int(try Int256(isNegative: true, magnitude: 1))
        case .address: .address(try account(1))
        case .bool: .bool(true)
        case .fixedBytes(let count): .bytes([UInt8](repeating: 2, count: count))
        case .bytes: .bytes([1, 2, 3])
        case .string: .string("text")
        case .array(let type, let count): .array(try (0..<(count ?? 1)).map { _ in try value(of: type) })
        case .tuple(let types): .tuple(try types.map { try value(of: $0) })
        }
    }

    // MARK: Messages and documents

    private static let mail = """
        {"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"chainId","type":"uint256"},\
        {"name":"verifyingContract","type":"address"}],\
        "Person":[{"name":"name","type":"string"},{"name":"wallet","type":"address"}],\
        "Mail":[{"name":"from","type":"Person"},{"name":"to","type":"Person"},{"name":"contents","type":"string"}]},\
        "primaryType":"Mail","domain":{"name":"Ether Mail","chainId":1,\
        "verifyingContract":"0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC"},\
        "message":{"from":{"name":"Cow","wallet":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826"},\
        "to":{"name":"Bob","wallet":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB"},"contents":"Hello, Bob!"}}
        """

    private static let permit = """
        {"types":{"EIP712Domain":[{"name":"name","type":"string"},{"name":"chainId","type":"uint256"},\
        {"name":"verifyingContract","type":"address"}],"Permit":[{"name":"owner","type":"address"},\
        {"name":"spender","type":"address"},{"name":"value","type":"uint256"},{"name":"nonce","type":"uint256"},\
        {"name":"deadline","type":"uint256"}]},"primaryType":"Permit","domain":{"name":"USD Coin","chainId":1,\
        "verifyingContract":"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"},"message":{\
        "owner":"0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826","spender":"0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB",\
        "value":"1000000","nonce":0,"deadline":"0xffff"}}
        """

    /// Returns a document of one structure with one member.
    private static func single(_ type: String, _ value: String) -> String {
        """
        {"types":{"EIP712Domain":[{"name":"name","type":"string"}],"T":[{"name":"a","type":"\(type)"}],\
        "U":[{"name":"a","type":"U[]"}]},"primaryType":"T","domain":{"name":"d"},"message":{"a":\(value)}}
        """
    }

    static let documents = [
        mail, permit, single("uint8", "255"), single("int16[2][]", #"[[-1,"-32768"],["0x7fff",0]]"#),
        single("U", #"{"a":[{"a":[]}]}"#), single("bytes3", #""0x010203""#), single("bytes", #""0x""#),
        single("bool", "true"),
    ]

    // MARK: Intents

    static var parties: [Party] {
        get throws {
            let script = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xB0, count: 20)))
            let address = try Address(script, on: .regtest).required()
            return [
                .ethereum(try account(0x52)), .script(ScriptPubKey([0x6A, 0x00])), .bitcoin(address),
                .own(address, at: try AddressPath(.change, index: 20_000)),
            ]
        }
    }

    static var effects: [Effect] {
        get throws {
            let token = try account(0x70)
            let alice = Party.ethereum(try account(0x52))
            return try parties.map { .payment(.coin, amount: 60_000, to: $0) } + [
                .transfer(.item(token, id: 7), amount: 1, from: alice, to: alice),
                .allowance(.tokenOrItem(token), amount: nil, to: alice), .increase(.token(token), by: 5, to: alice),
                .decrease(.token(token), by: .maximum, to: alice), .control(of: token, by: alice, isGiven: true),
                .call(token, selector: [0xDE, 0xAD, 0xBE, 0xEF]), .data(ScriptPubKey([0x6A, 1, 7])), .nothing,
                .deployment,
                .delegation(to: token), .delegation(to: nil),
                .message(SanitizedText("a\u{202E}b", limit: 100, lines: .several)),
                .statement(type: SanitizedText("Order", limit: 64, lines: .one), for: nil),
                .file(SeedFile.digest, comment: SanitizedText("file:a\u{202E}b", limit: 100, lines: .one)),
            ]
        }
    }

    static var payloads: [SigningPayload] {
        get throws {
            let document = Array(mail.utf8)
            return try SeedPayment().psbts.map { .bitcoinTransaction(try PSBT(decoding: $0)) } + [
                .ethereumTransaction(try transactions[2], account: 7),
                .personalMessage(try PersonalMessage("hello"), account: 1),
                .typedData(try TypedData(decoding: document), document: document, account: 0),
                .bitcoinMessage(Array("hello".utf8), by: AddressLabel(.segwit, at: try AddressPath(.change, index: 9))),
                .bitcoinMessage([], by: AddressLabel(.taproot, at: try AddressPath(.receive, index: 0))),
                .file(try SeedFile.toSign),
            ]
        }
    }

    static let policies = [
        """
        {"version": 1, "assets": {"USDC": {"chain": "ethereum:1",
        "contract": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "decimals": 6}},
        "lists": {"friends": ["0x52908400098527886E0F7030069857D2E4169EE7"]},
        "approvers": {"anna": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"}, "rules": [
        {"name": "small change", "if": {"effect": "payment",
        "spent_at_most": {"amount": "0.5 ETH@ethereum:1", "within": "24h"}}, "then": "allow"},
        {"name": "friends", "if": {"effect": ["payment", "transfer"], "to": "friends", "at_most": "2000 USDC",
        "fee_at_most": {"amount": "0.01 ETH@ethereum:1", "within": "7d"}}, "then": "allow"},
        {"name": "large", "if": {"chain": "ethereum:1", "asset": "ETH@ethereum:1"},
        "then": {"approvals": 1, "of": ["anna"]}},
        {"name": "coins", "if": {"chain": "bitcoin:mainnet", "remark": "large_fee",
        "not_to": "0x52908400098527886E0F7030069857D2E4169EE7"}, "then": "deny"},
        {"name": "new people", "if": {"effect": "allowance", "known": false, "unlimited": false}, "then": {"delay": "24h"}}]}
        """,
        #"{"version": 1, "rules": [{"name": "a", "then": "allow"}]}"#,
    ]
}
