internal import Amounts
internal import Curves
internal import HDKeys
internal import Wallet

@testable internal import Bitcoin
@testable internal import Encoding

extension FuzzEntry {
    /// Bitcoin's transactions, PSBTs, addresses and signed messages.
    static let bitcoin: [FuzzEntry] = [
        FuzzEntry("transaction", seeds: try SeedPayment().transactions) { try Transaction(decoding: $0).encoded },
        FuzzEntry(
            "transaction-unsigned", seeds: [try SeedPayment().unsigned.encoded, [2] + [UInt8](repeating: 0, count: 9)]
        ) {
            try Transaction(decodingUnsigned: $0).encoded
        },
        FuzzEntry(
            "transaction-output",
            seeds: try SeedPayment().unsigned.outputs.map { output in
                var writer = ByteWriter()
                output.write(to: &writer)
                return writer.bytes
            }
        ) { input in
            var writer = ByteWriter()
            try TransactionOutput(decoding: input).write(to: &writer)
            return writer.bytes
        },
        // The keys of a map may be in any order, also in version 2: the decoded value has to encode and decode to
        // itself.
        FuzzEntry("psbt", seeds: try SeedPayment().psbts) { input in
            try judge(try PSBT(decoding: input))
            return input
        },
        FuzzEntry(
            "psbt-file",
            seeds: try SeedPayment().psbts.prefix(3).flatMap { bytes in
                let psbt = try PSBT(decoding: bytes)
                return [psbt.file(as: .base64), psbt.file(as: .hexadecimal), bytes]
            }
        ) { input in
            let psbt = try PSBT(input)
            precondition((try? PSBT(decoding: psbt.encoded)) == psbt, "written differently")
            return input
        },
        FuzzEntry(
            "address",
            texts: try [
                .p2tr(outputKey: SeedPayment().taproot.key(at: AddressPath(.receive, index: 0)).outputKey),
                .p2wpkh(keyHash: [UInt8](repeating: 1, count: 20)),
                .p2wsh(scriptHash: [UInt8](repeating: 2, count: 32)),
                .p2pkh(keyHash: [UInt8](repeating: 3, count: 20)), .p2sh(scriptHash: [UInt8](repeating: 4, count: 20)),
            ].flatMap { kind in
                try [Network.mainnet, .regtest].map { try Address(ScriptPubKey(kind), on: $0).required().description }
            }
        ) { text in
            let address = try Address(text)
            let network = try Network.allCases.first { (try? address.require($0)) != nil }.required()
            let printed = try address.require(network).description
            return printed == text.lowercased() ? text : printed
        },
        FuzzEntry("message-signature", texts: try SeedPayment().messageSignatures) { text in
            let signature = try MessageSignature(text)
            return [signature.text, signature.base64].contains(text) ? text : ""
        },
        FuzzEntry(
            "amount", texts: ["1500 sat", "0 sat", "0.00001000 BTC", "20999999.99999999 BTC"]
        ) { text in
            let amount = try Amount(text)
            return try Amount(amount.description) == amount ? text : ""
        },
        FuzzEntry(
            "bitcoin-uri",
            texts: [
                "bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.01&label=a%20b&message=c",
                "BITCOIN:BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4?AMOUNT=1",
            ]
        ) { text in
            let uri = try BitcoinURI(text)
            let address = try Address<Unchecked>(uri.addressText)
            return uri.address == address && uri.amount != .zero ? text : ""
        },
        FuzzEntry("money", texts: ["0.1eth", "30 gwei", "1500sat", "1 BTC", "0wei"]) { text in
            _ = try MoneyUnit.read(text)
            return text
        },
    ]

    /// Reads a PSBT as a signer does, and combines its parts.
    private static func judge(_ psbt: PSBT) throws {
        precondition((try? PSBT(decoding: psbt.encoded)) == psbt, "written differently")
        let summary = SpendSummary(of: psbt, for: try SeedPayment.ownership.get())
        precondition(
            summary.refusals.isEmpty ? summary.fee != nil : summary.signingRequests.isEmpty,
            "a refused PSBT is not signed, and every other one has a fee")
        let asksForECDSA = summary.signingRequests.contains { if case .segwit = $0.key { true } else { false } }
        precondition(!asksForECDSA || psbt.inputs.allSatisfy(\.isProven), "ECDSA signs only proven amounts")
        _ = summary.warnings.map(\.description) + summary.refusals.map(\.description)
        _ = (summary.spent, summary.paid, summary.returned)
        _ = try? psbt.combined(with: psbt)
        _ = try? psbt.finalised().transaction()
    }
}

/// A payment from a taproot and a P2WPKH output of a wallet whose keys are known.
struct SeedPayment {
    private static let (taprootSecret, segwitSecret) = (Scalar<Secp256k1>(7), Scalar<Secp256k1>(6))
    static let ownership = Result { try Ownership(of: try SeedPayment().accounts, scanning: 3) }

    let taproot: TaprootAccount
    let segwit: SegwitAccount

    init() throws {
        func point(_ secret: Scalar<Secp256k1>) -> Secp256k1.Point {
            Secp256k1.Point.generator.multipliedVariableTime(by: secret)
        }
        taproot = try TaprootAccount(groupKey: point(Self.taprootSecret), network: .regtest)
        segwit = try SegwitAccount(groupKey: point(Self.segwitSecret), network: .regtest)
    }

    var accounts: Accounts { get throws { try Accounts(taproot: taproot, segwit: segwit) } }

    private func scripts(_ chain: AddressPath.Chain) throws -> [ScriptPubKey] {
        let path = try AddressPath(chain, index: 1)
        return [try segwit.key(at: path).scriptPubKey, try taproot.key(at: path).scriptPubKey]
    }

    /// The transactions whose outputs are spent, with 50,000 satoshi each.
    private var previous: [Transaction] {
        get throws {
            try scripts(.receive).enumerated().map { number, script in
                let id = try TransactionID(String(repeating: "0\(number + 1)", count: 32))
                let input = TransactionInput(previousOutput: OutPoint(transaction: id, index: 1), sequence: 0)
                let output = TransactionOutput(amount: try Amount(satoshis: 50_000), scriptPubKey: script)
                return Transaction(version: 2, inputs: [input], outputs: [output], lockTime: 0)
            }
        }
    }

    var unsigned: Transaction {
        get throws {
            let bob = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xB0, count: 20)))
            let outputs = zip([bob] + (try scripts(.change)), [60_000, 20_000, 19_000] as [UInt64])
            return Transaction(
                version: 2,
                inputs: try previous.map {
                    TransactionInput(previousOutput: OutPoint(transaction: $0.id, index: 0), sequence: 0xFFFF_FFFD)
                },
                outputs: try outputs.map { script, satoshis in
                    TransactionOutput(amount: try Amount(satoshis: satoshis), scriptPubKey: script)
                }, lockTime: 800_000)
        }
    }

    private var proven: PSBT { get throws { try PSBT(try unsigned, previousTransactions: try previous) } }

    private var signed: PSBT {
        get throws {
            var psbt = try proven
            for request in SpendSummary(of: psbt, for: try Self.ownership.get()).signingRequests {
                try psbt.insert(signature: try Self.signature(for: request), for: request)
            }
            return psbt
        }
    }

    private static func signature(for request: SigningRequest) throws -> [UInt8] {
        switch request.key {
        case .taproot(let key):
            let secret = key.tweaks.reduce(taprootSecret) { secret, tweak in
                let isOdd = !Secp256k1.Point.generator.multipliedVariableTime(by: secret).hasEvenY
                return (tweak.isXOnly && isOdd ? -secret : secret) + tweak.scalar
            }
            return try BIP340.sign(
                message: request.message, key: SecretScalar(secret), auxiliary: [UInt8](repeating: 0, count: 32))
        case .segwit(let key):
            return try ECDSASignature.sign(message: request.message, key: SecretScalar(segwitSecret + key.tweak))
                .compact
        }
    }

    /// PSBTs: unproven, proven, with derivations, in version 2, signed, finalised.
    var psbts: [[UInt8]] {
        get throws {
            let (proven, signed) = (try proven, try signed)
            return [
                try PSBT(try unsigned).encoded, proven.encoded, try Self.derived(proven, by: segwit),
                try Self.versionTwo(proven),
                signed.encoded, try signed.finalised().encoded,
            ]
        }
    }

    var transactions: [[UInt8]] {
        get throws { [try unsigned.encoded, try previous[0].encoded, try signed.finalised().transaction().encoded] }
    }

    var messageSignatures: [String] {
        get throws {
            let transaction = try signed.finalised().transaction()
            let simple = MessageSignature(.simple(transaction.inputs[1].witness))
            var full = transaction
            full.inputs = [transaction.inputs[0]]
            return [simple.text, simple.base64, MessageSignature(.full(full)).text]
        }
    }

    /// Returns the PSBT with the field by which another program finds the key of its first input.
    private static func derived(_ psbt: PSBT, by account: SegwitAccount) throws -> [UInt8] {
        try written(psbt) { map, name in
            guard name == .input(0) else { return }
            let key = try account.key(at: AddressPath(.receive, index: 1)).publicKey.encoded
            map[0x06, key] = account.key.fingerprint.bytes + [0, 0, 0, 0, 1, 0, 0, 0]
        }
    }

    private static func versionTwo(_ psbt: PSBT) throws -> [UInt8] {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> Number(8 * $0)) }
        }
        let transaction = psbt.unsignedTransaction
        return try written(psbt) { map, name in
            switch name {
            case .global:
                map[PSBTType.Global.unsignedTransaction] = nil
                map[PSBTType.Global.version] = bytes(UInt32(2))
                map[0x02] = bytes(transaction.version)
                map[0x03] = bytes(transaction.lockTime)
                map[0x04] = [UInt8(transaction.inputs.count)]
                map[0x05] = [UInt8(transaction.outputs.count)]
            case .input(let index):
                map[0x0E] = transaction.inputs[index].previousOutput.transaction.bytes
                map[0x0F] = bytes(transaction.inputs[index].previousOutput.index)
                map[0x10] = bytes(transaction.inputs[index].sequence)
            case .output(let index):
                map[0x03] = bytes(transaction.outputs[index].amount.satoshis)
                map[0x04] = transaction.outputs[index].scriptPubKey.bytes
            }
        }
    }

    /// Returns the PSBT's maps, each changed, after the magic bytes.
    private static func written(
        _ psbt: PSBT, _ change: (inout KeyValueMap, PSBTField.Map) throws -> Void
    ) throws -> [UInt8] {
        var maps = [(psbt.global, PSBTField.Map.global)]
        maps += psbt.inputs.enumerated().map { ($1.map, .input($0)) }
        maps += psbt.outputs.enumerated().map { ($1.map, .output($0)) }
        var writer = ByteWriter()
        writer.append(PSBT.magic)
        for (map, name) in maps {
            var map = map
            try change(&map, name)
            map.write(to: &writer)
        }
        return writer.bytes
    }
}
