internal import Bitcoin
import Curves
internal import HDKeys
import Wallet

@testable import Ceremonies

/// A transaction that spends from a wallet, built by hand.
struct Payment {
    struct Input {
        var script: ScriptPubKey
        var satoshis: UInt64
        var sequence: UInt32 = 0xFFFF_FFFD
    }

    struct Output {
        var script: ScriptPubKey
        var satoshis: UInt64
    }

    var version: UInt32 = 2
    var lockTime: UInt32 = 0
    var inputs: [Input]
    var outputs: [Output]

    static let bob = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xB0, count: 20)))
    static let mallory = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0x66, count: 20)))

    /// Returns a payment of 60,000 satoshi to Bob from inputs of 100,000 each; the rest, less 1,000, is change.
    init(from wallet: KnownWallet, inputs count: Int = 1) throws {
        try self.init(from: wallet.keys.accounts.taproot, inputs: count)
    }

    init(from account: TaprootAccount, inputs count: Int = 1) throws {
        inputs = try (0..<count).map {
            Input(script: try account.key(at: AddressPath(.receive, index: UInt32($0))).scriptPubKey, satoshis: 100_000)
        }
        outputs = [
            Output(script: Self.bob, satoshis: 60_000),
            Output(
                script: try account.key(at: AddressPath(.change, index: 0)).scriptPubKey,
                satoshis: UInt64(count) * 100_000 - 61_000),
        ]
    }

    static func outPoint(_ number: Int) throws -> OutPoint {
        OutPoint(
            transaction: try TransactionID(String(repeating: "0\(number + 1)", count: 32)), index: UInt32(number))
    }

    var psbt: PSBT {
        get throws {
            let transaction = Transaction(
                version: version,
                inputs: try inputs.enumerated().map {
                    TransactionInput(previousOutput: try Self.outPoint($0), sequence: $1.sequence)
                },
                outputs: try outputs.map {
                    TransactionOutput(amount: try Amount(satoshis: $0.satoshis), scriptPubKey: $0.script)
                },
                lockTime: lockTime)
            return try PSBT(
                transaction,
                previousOutputs: inputs.map {
                    TransactionOutput(amount: try Amount(satoshis: $0.satoshis), scriptPubKey: $0.script)
                })
        }
    }

    /// A confirmation of exactly this payment.
    func confirmed(from wallet: KnownWallet) throws -> ConfirmedPayload {
        let proposed = try ProposedPayload(try psbt, from: wallet.keys)
        return try proposed.confirmed(proposed.intent.digest, accepting: [])
    }

    /// Returns the message that BIP-341 signs for an input with the default type: written from the BIP, independently
    /// of `Wallet`.
    func sighash(input: Int) throws -> [UInt8] {
        func little(_ value: some FixedWidthInteger & UnsignedInteger) -> [UInt8] {
            (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        func sized(_ script: ScriptPubKey) -> [UInt8] { [UInt8(script.bytes.count)] + script.bytes }
        let prevouts = inputs.indices.flatMap {
            [UInt8](repeating: UInt8($0 + 1), count: 32) + little(UInt32($0))
        }
        let message: [[UInt8]] = [
            [0, 0], little(version), little(lockTime), SHA256.hash(prevouts),
            SHA256.hash(inputs.flatMap { little($0.satoshis) }), SHA256.hash(inputs.flatMap { sized($0.script) }),
            SHA256.hash(inputs.flatMap { little($0.sequence) }),
            SHA256.hash(outputs.flatMap { little($0.satoshis) + sized($0.script) }), [0], little(UInt32(input)),
        ]
        let tag = SHA256.hash(Array("TapSighash".utf8))
        return SHA256.hash(tag + tag + message.flatMap { $0 })
    }

    /// Returns whether every input has a signature that verifies under the key of its output.
    func isSigned(in signed: PSBT) throws -> Bool {
        try inputs.indices.allSatisfy { input in
            guard let signature = signed.inputs[input].tapKeySignature, signature.count == 64 else { return false }
            return BIP340.isValid(
                signature: signature, message: try sighash(input: input),
                publicKey: Array(inputs[input].script.bytes.dropFirst(2)))
        }
    }
}
