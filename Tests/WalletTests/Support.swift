import Curves
import Encoding
import Foundation
import TestSupport
import Testing

@testable import Bitcoin
@testable import Ethereum
@testable import HDKeys
@testable import Mnemonics
@testable import Wallet

/// A wallet whose key is known, as it never is in earnest, so that a test can sign by itself.
struct LoneSigner {
    let secret: Scalar<Secp256k1>
    /// Of the second key, where there is one.
    let ecdsaSecret: Scalar<Secp256k1>
    let account: TaprootAccount
    let accounts: Accounts
    let ownership: Ownership

    init(secret: UInt64 = 7, ecdsa: UInt64? = nil, network: Network = .regtest, scanning count: UInt32 = 3) throws {
        try self.init(secret: Scalar(secret), ecdsa: ecdsa.map { Scalar($0) }, network: network, scanning: count)
    }

    init(
        secret: Scalar<Secp256k1>, ecdsa: Scalar<Secp256k1>? = nil, network: Network, scanning count: UInt32 = 3
    ) throws {
        func point(_ secret: Scalar<Secp256k1>) -> Secp256k1.Point {
            Secp256k1.Point.generator.multipliedVariableTime(by: secret)
        }
        self.secret = secret
        ecdsaSecret = ecdsa ?? .zero
        account = try TaprootAccount(groupKey: point(secret), network: network)
        accounts =
            if let ecdsa {
                try Accounts(
                    taproot: account, segwit: try SegwitAccount(groupKey: point(ecdsa), network: network))
            } else {
                Accounts(taproot: account)
            }
        ownership = try Ownership(of: accounts, scanning: count)
    }

    /// A wallet with both keys.
    static func withBothKeys() throws -> LoneSigner { try LoneSigner(ecdsa: 6) }

    var segwit: SegwitAccount {
        get throws { try #require(accounts.segwit) }
    }

    func script(_ chain: AddressPath.Chain, _ index: UInt32) throws -> ScriptPubKey {
        try account.key(at: AddressPath(chain, index: index)).scriptPubKey
    }

    /// The secret key that the tweaks lead to, applied as BIP-445 tells FROST signers to.
    func tweakedSecret(_ tweaks: [KeyTweak]) -> Scalar<Secp256k1> {
        tweaks.reduce(secret) { secret, tweak in
            let isOdd = !Secp256k1.Point.generator.multipliedVariableTime(by: secret).hasEvenY
            return (tweak.isXOnly && isOdd ? -secret : secret) + tweak.scalar
        }
    }

    func signature(for request: SigningRequest) throws -> [UInt8] {
        switch request.key {
        case .taproot(let key):
            try BIP340.sign(
                message: request.message, key: SecretScalar(tweakedSecret(key.tweaks)),
                auxiliary: [UInt8](repeating: 0, count: 32))
        case .segwit(let key):
            try ECDSASignature.sign(message: request.message, key: SecretScalar(ecdsaSecret + key.tweak)).compact
        }
    }

    func sign(_ psbt: PSBT) throws -> PSBT {
        var signed = psbt
        for request in SpendSummary(of: psbt, for: ownership).signingRequests {
            try signed.insert(signature: try signature(for: request), for: request)
        }
        return signed
    }
}

/// Inputs and outputs from which a test puts a transaction together.
struct Draft {
    var version: UInt32 = 2
    var lockTime: UInt32 = 0
    var inputs: [(script: ScriptPubKey, satoshis: UInt64, sequence: UInt32)] = []
    var outputs: [(script: ScriptPubKey, satoshis: UInt64)] = []

    static func outPoint(_ number: Int) throws -> OutPoint {
        let digits = String(number + 1, radix: 16)
        let id = try TransactionID(String(repeating: "0", count: 64 - digits.count) + digits)
        return OutPoint(transaction: id, index: UInt32(number))
    }

    var transaction: Transaction {
        get throws {
            Transaction(
                version: version,
                inputs: try inputs.enumerated().map {
                    TransactionInput(previousOutput: try Self.outPoint($0), sequence: $1.sequence)
                },
                outputs: try outputs.map {
                    TransactionOutput(amount: try Amount(satoshis: $0.satoshis), scriptPubKey: $0.script)
                },
                lockTime: lockTime)
        }
    }

    var previousOutputs: [TransactionOutput] {
        get throws {
            try inputs.map { TransactionOutput(amount: try Amount(satoshis: $0.satoshis), scriptPubKey: $0.script) }
        }
    }

    var psbt: PSBT { get throws { try PSBT(try transaction, previousOutputs: try previousOutputs) } }

    /// One transaction for each input, which pays its output and nothing else.
    var previousTransactions: [Transaction] {
        get throws {
            try previousOutputs.enumerated().map { number, output in
                let input = TransactionInput(previousOutput: try Self.outPoint(number + 50), sequence: 0)
                return Transaction(version: 2, inputs: [input], outputs: [output], lockTime: 0)
            }
        }
    }

    /// The same payment, with previous transactions that the PSBT shows.
    var provenPSBT: PSBT {
        get throws {
            let previous = try previousTransactions
            let inputs = zip(previous, self.inputs).map {
                TransactionInput(
                    previousOutput: OutPoint(transaction: $0.id, index: 0), sequence: $1.sequence)
            }
            let unsigned = Transaction(
                version: version, inputs: inputs, outputs: try transaction.outputs, lockTime: lockTime)
            return try PSBT(unsigned, previousTransactions: previous)
        }
    }

    /// As below, from a P2WPKH output, with the change to one.
    static func segwitPayment(by signer: LoneSigner) throws -> Draft {
        let account = try signer.segwit
        return Draft(
            inputs: [(try account.key(at: AddressPath(.receive, index: 0)).scriptPubKey, 100_000, 0xFFFF_FFFF)],
            outputs: [(bob, 60_000), (try account.key(at: AddressPath(.change, index: 0)).scriptPubKey, 39_000)])
    }

    /// From an output of each account, 50,000 satoshi each, with change to both.
    static func mixedPayment(by signer: LoneSigner) throws -> Draft {
        let account = try signer.segwit
        return Draft(
            inputs: [
                (try account.key(at: AddressPath(.receive, index: 1)).scriptPubKey, 50_000, 0xFFFF_FFFF),
                (try signer.script(.receive, 1), 50_000, 0xFFFF_FFFF),
            ],
            outputs: [
                (bob, 60_000), (try account.key(at: AddressPath(.change, index: 1)).scriptPubKey, 20_000),
                (try signer.script(.change, 1), 19_000),
            ])
    }

    /// Bob is paid 60,000 of 100,000 satoshi; the rest, less 1,000, is change.
    static func payment(by signer: LoneSigner) throws -> Draft {
        Draft(
            inputs: [(try signer.script(.receive, 0), 100_000, 0xFFFF_FFFF)],
            outputs: [(bob, 60_000), (try signer.script(.change, 0), 39_000)])
    }

    static let bob = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xB0, count: 20)))
}

/// A payment, changed, as the wallet sees it.
func paymentSummary(
    scanning count: UInt32 = 3, _ change: (inout Draft, LoneSigner) throws -> Void = { _, _ in }
) throws -> SpendSummary {
    let signer = try LoneSigner(scanning: count)
    var draft = try Draft.payment(by: signer)
    try change(&draft, signer)
    return SpendSummary(of: try draft.psbt, for: signer.ownership)
}

extension SigningRequest {
    var tweaks: [KeyTweak] {
        get throws {
            guard case .taproot(let key) = key else { throw HDKeyError.badKey }
            return key.tweaks
        }
    }
}

extension PSBT {
    /// The same PSBT with another entry in one of its maps: 0 is the global one, then inputs and outputs.
    func adding(_ key: [UInt8], _ value: [UInt8], toMap number: Int) throws -> PSBT {
        try PSBT(decoding: encoded.adding(key, value, toMap: number))
    }
}

extension [UInt8] {
    /// A PSBT's bytes with an entry put first into one of its maps. Sizes before it are below 253.
    func adding(_ key: [UInt8], _ value: [UInt8], toMap number: Int) -> [UInt8] {
        var position = 5
        for _ in 0..<number {
            while self[position] != 0 {
                position += 1 + Int(self[position])
                position += 1 + Int(self[position])
            }
            position += 1
        }
        var entry = ByteWriter()
        entry.sized(key)
        entry.sized(value)
        return self[..<position] + entry.bytes + self[position...]
    }
}

extension PSBT {
    /// The same PSBT with a field of one input set to something else, or taken away.
    func replacing(_ type: UInt64, data: [UInt8] = [], with value: [UInt8]?, ofInput index: Int) throws -> PSBT {
        var changed = self
        let map = try inputs[index].map.with(type, data, value)
        changed.inputs[index] = try PSBTInput(
            map, spending: unsignedTransaction.inputs[index].previousOutput, index: index)
        return try PSBT(decoding: changed.encoded)
    }
}

extension KeyValueMap {
    /// The same map with a field set to something else, or taken away.
    func with(_ type: UInt64, _ data: [UInt8], _ value: [UInt8]?) throws -> KeyValueMap {
        var entries = self.entries
        entries[Self.key(type, data: data)] = value
        var map = KeyValueMap()
        for (key, value) in entries { try map.insert(value, forKey: key, in: .global) }
        return map
    }
}

/// The value of a BIP-174 derivation.
func derivation(_ account: SegwitAccount, _ path: [UInt32]) -> [UInt8] {
    account.key.fingerprint.bytes
        + path.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) } }
}

func derivation(_ account: TaprootAccount, _ path: [UInt32], fingerprint: [UInt8]? = nil) -> [UInt8] {
    [0] + (fingerprint ?? account.key.fingerprint.bytes)
        + path.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) } }
}

/// The texts in `<pre>` and `<tt>` below a heading of a BIP, up to another one.
func blocks(of bip: String, from start: String, to end: String) throws -> [String] {
    let text = try Vectors.text("bip-text/bip-\(bip).mediawiki")
    let from = try #require(text.range(of: start))
    let to = try #require(text.range(of: end, range: from.upperBound..<text.endIndex))
    return text[from.upperBound..<to.lowerBound].matches(of: /<pre><?([^<]+)<\/pre>/).map {
        String($0.1).filter { !$0.isWhitespace }
    }
}
