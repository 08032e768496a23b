package import Bitcoin
import HDKeys

/// Inputs and outputs from which a test builds a transaction.
package struct Draft {
    package var version: UInt32
    package var lockTime: UInt32
    package var inputs: [(script: ScriptPubKey, satoshis: UInt64, sequence: UInt32)]
    package var outputs: [(script: ScriptPubKey, satoshis: UInt64)]

    package init(
        version: UInt32 = 2, lockTime: UInt32 = 0,
        inputs: [(script: ScriptPubKey, satoshis: UInt64, sequence: UInt32)] = [],
        outputs: [(script: ScriptPubKey, satoshis: UInt64)] = []
    ) {
        self.version = version
        self.lockTime = lockTime
        self.inputs = inputs
        self.outputs = outputs
    }

    package static func outPoint(_ number: Int) throws -> OutPoint {
        let digits = String(number + 1, radix: 16)
        let id = try TransactionID(String(repeating: "0", count: 64 - digits.count) + digits)
        return OutPoint(transaction: id, index: UInt32(number))
    }

    package var transaction: Transaction {
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

    package var previousOutputs: [TransactionOutput] {
        get throws {
            try inputs.map { TransactionOutput(amount: try Amount(satoshis: $0.satoshis), scriptPubKey: $0.script) }
        }
    }

    package var psbt: PSBT { get throws { try PSBT(try transaction, previousOutputs: try previousOutputs) } }

    /// One transaction for each input, which pays its output and nothing else.
    package var previousTransactions: [Transaction] {
        get throws {
            try previousOutputs.enumerated().map { number, output in
                let input = TransactionInput(previousOutput: try Self.outPoint(number + 50), sequence: 0)
                return Transaction(version: 2, inputs: [input], outputs: [output], lockTime: 0)
            }
        }
    }

    /// The PSBT of the same payment, with the previous transactions.
    package var provenPSBT: PSBT {
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

    /// Returns a payment of 60,000 of 100,000 satoshi to Bob from a P2WPKH output, with the change to another one.
    package static func segwitPayment(by signer: LoneSigner) throws -> Draft {
        let account = try signer.segwit
        return Draft(
            inputs: [(try account.key(at: AddressPath(.receive, index: 0)).scriptPubKey, 100_000, 0xFFFF_FFFF)],
            outputs: [(bob, 60_000), (try account.key(at: AddressPath(.change, index: 0)).scriptPubKey, 39_000)])
    }

    /// Returns a payment from an output of each account, 50,000 satoshi each, with change to both.
    package static func mixedPayment(by signer: LoneSigner) throws -> Draft {
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

    /// Returns a payment of 60,000 of 100,000 satoshi to Bob; the rest, less 1,000, is change.
    package static func payment(by signer: LoneSigner) throws -> Draft {
        Draft(
            inputs: [(try signer.script(.receive, 0), 100_000, 0xFFFF_FFFF)],
            outputs: [(bob, 60_000), (try signer.script(.change, 0), 39_000)])
    }

    package static let bob = ScriptPubKey(.p2wpkh(keyHash: [UInt8](repeating: 0xB0, count: 20)))
}

/// Returns the summary of a changed payment.
package func paymentSummary(
    scanning count: UInt32 = 3, _ change: (inout Draft, LoneSigner) throws -> Void = { _, _ in }
) throws -> SpendSummary {
    let signer = try LoneSigner(scanning: count)
    var draft = try Draft.payment(by: signer)
    try change(&draft, signer)
    return SpendSummary(of: try draft.psbt, for: signer.ownership)
}
