internal import Foundation

/// The Python peers: scripts in `scripts/peers` that read one JSON value and answer with one.
public enum Python {
    /// The interpreter of the virtual environment `.build/peers`, with the packages of `scripts/peers.txt`.
    public static let interpreter = "\(Repository.path)/.build/peers/bin/python"

    /// The interpreter of the virtual environment `.build/peers-authenticator`, with the packages of
    /// `scripts/peers-authenticator.txt`.
    public static let authenticatorInterpreter = "\(Repository.path)/.build/peers-authenticator/bin/python"

    /// The system's interpreter, for scripts that need only the standard library.
    public static let system = "/usr/bin/python3"

    /// Runs a script of `scripts/peers`, in the virtual environment `.build/peers` unless another interpreter is given.
    ///
    /// - Parameter command: the command of a script that has several.
    /// - Throws: ``Program/Failure/failed(program:status:errors:)`` with Python's message if the script fails.
    public static func ask<Answer: Decodable>(
        _ script: String, command: String? = nil, interpreter: String = interpreter, _ request: some Encodable,
        for type: Answer.Type = Answer.self
    ) throws -> Answer {
        let question = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        let answer = try Program.output(
            interpreter,
            ["\(Repository.path)/scripts/peers/\(script)"] + (command.map { [$0] } ?? []), input: question)
        return try JSONDecoder().decode(type, from: Data(answer.utf8))
    }
}

/// embit: makes the PSBTs that the tests sign.
public enum Embit {
    /// The PSBT's data about the key of an input or an output (BIP-371).
    public struct Key: Codable, Sendable {
        private var internalXOnly: String?
        private var groupXOnly: String?
        private var groupPoint: String?
        private var fingerprint: String?
        private var path: String?

        /// - Parameter fingerprint: with `path`, the derivation. Without both it is left out.
        public init(internalXOnly: String, fingerprint: String? = nil, path: String? = nil) {
            self.internalXOnly = internalXOnly
            self.fingerprint = fingerprint
            self.path = path
        }

        /// The key at a path below a group key, which embit derives independently; it must lead to the script beside
        /// it.
        public init(groupXOnly: String, path: String) {
            self.groupXOnly = groupXOnly
            self.path = path
        }

        /// The key of a P2WPKH output at a path below a group's point, 33 bytes, which embit derives independently.
        public init(groupPoint: String, path: String) {
            self.groupPoint = groupPoint
            self.path = path
        }

        enum CodingKeys: String, CodingKey {
            case fingerprint, path
            case internalXOnly = "internal_xonly"
            case groupXOnly = "group_xonly"
            case groupPoint = "group_point"
        }
    }

    public struct Input: Encodable, Sendable {
        public var coin: Coin
        public var key: Key?
        public var sequence: UInt32?
        public var hasWitnessUTXO: Bool
        /// The transaction that made the coin (hex), if the PSBT has to contain it.
        public var previousTransaction: String?

        public init(
            _ coin: Coin, key: Key? = nil, sequence: UInt32? = nil, hasWitnessUTXO: Bool = true,
            previousTransaction: String? = nil
        ) {
            self.coin = coin
            self.key = key
            self.sequence = sequence
            self.hasWitnessUTXO = hasWitnessUTXO
            self.previousTransaction = previousTransaction
        }

        public func encode(to encoder: any Encoder) throws {
            try coin.encode(to: encoder)
            var rest = encoder.container(keyedBy: CodingKeys.self)
            try rest.encodeIfPresent(key, forKey: .key)
            try rest.encodeIfPresent(sequence, forKey: .sequence)
            try rest.encode(hasWitnessUTXO, forKey: .hasWitnessUTXO)
            try rest.encodeIfPresent(previousTransaction, forKey: .previousTransaction)
        }

        enum CodingKeys: String, CodingKey {
            case key, sequence
            case hasWitnessUTXO = "witness_utxo"
            case previousTransaction = "previous_tx"
        }
    }

    public struct Output: Encodable, Sendable {
        /// The amount in satoshi.
        public var value: Int64
        public var scriptPubKey: String
        public var key: Key?

        public init(value: Int64, scriptPubKey: String, key: Key? = nil) {
            self.value = value
            self.scriptPubKey = scriptPubKey
            self.key = key
        }

        enum CodingKeys: String, CodingKey {
            case value, key
            case scriptPubKey = "script_pubkey"
        }
    }

    /// Returns an unsigned PSBT v0, in base64.
    public static func psbt(inputs: [Input], outputs: [Output], locktime: UInt32 = 0) throws -> String {
        try Python.ask(
            "make_psbt.py", Transaction(inputs: inputs, outputs: outputs, locktime: locktime), for: PSBT.self
        ).psbt
    }

    /// Returns embit's result for a PSBT (base64): the transaction built from the signatures in it, in hex.
    ///
    /// - Throws: ``Program/Failure/failed(program:status:errors:)`` if it cannot read the PSBT, or an input is not
    ///   signed.
    public static func transaction(of psbt: String) throws -> String {
        try Python.ask("read_psbt.py", PSBT(psbt: psbt), for: Finished.self).tx
    }

    private struct Finished: Decodable { let tx: String }

    private struct Transaction: Encodable {
        let inputs: [Input]
        let outputs: [Output]
        let locktime: UInt32
    }

    private struct PSBT: Codable { let psbt: String }
}

/// Bitcoin Core's own script engine (libbitcoinkernel).
public enum Kernel {
    /// Returns for each input of the transaction (hex) whether it may spend its coin under every consensus rule.
    ///
    /// - Parameter coins: one for each input, in order.
    public static func verdicts(on transaction: String, spending coins: [Coin]) throws -> [Bool] {
        try Python.ask("verify_tx.py", Question(tx: transaction, prevouts: coins), for: Answer.self).inputs.map(\.ok)
    }

    private struct Question: Encodable {
        let tx: String
        let prevouts: [Coin]
    }

    private struct Answer: Decodable {
        struct Input: Decodable { let ok: Bool }
        let inputs: [Input]
    }
}
