internal import Encoding

/// A partially signed transaction: version 0 (BIP-174) or 2 (BIP-370), with the fields of taproot (BIP-371). The
/// transaction of version 2 is built from its fields. A PSBT is written in the version in which it was read, and no
/// inputs or outputs can be added.
///
/// Reading is strict: unique keys, fields of the required form, one map for each input and output, previous
/// transactions that match the inputs, no left-over bytes. Unknown fields are kept and written back.
///
/// ```swift
/// var psbt = try PSBT(file)
/// let summary = SpendSummary(of: psbt, for: ownership)
/// guard summary.refusals.isEmpty else { … }
/// for request in summary.signingRequests { try psbt.insert(signature: …, for: request) }
/// let transaction = try psbt.finalised().transaction()
/// ```
public struct PSBT: Equatable, Sendable {
    /// The transaction without signatures.
    public let unsignedTransaction: Transaction
    var global: KeyValueMap
    /// The fields of each input of the transaction.
    public internal(set) var inputs: [PSBTInput]
    /// The fields of each output of the transaction.
    public internal(set) var outputs: [PSBTOutput]
    /// The fields that only version 2 has; nil in version 0. The other maps are those of version 0.
    var versionTwo: VersionTwoFields?

    static let magic: [UInt8] = Array("psbt".utf8) + [0xFF]

    /// Creates a PSBT without any fields for inputs and outputs (BIP-174, creator).
    ///
    /// - Throws: ``BitcoinError/badTransaction`` if the transaction has a signature.
    public init(_ transaction: Transaction) throws(BitcoinError) {
        try self.init(transaction, previousOutputs: [])
    }

    /// Creates a PSBT with proofs of the outputs that the inputs spend, as ECDSA signers need them (BIP-174, updater).
    ///
    /// - Parameter previousTransactions: one for each input.
    /// - Throws: ``BitcoinError/badTransaction`` if the transaction has a signature, or for another number;
    ///   ``PSBTError/previousTransactionMismatch(input:)``.
    public init(_ transaction: Transaction, previousTransactions: [Transaction]) throws(BitcoinError) {
        guard previousTransactions.count == transaction.inputs.count else { throw .badTransaction }
        try self.init(transaction)
        for (index, previous) in previousTransactions.enumerated() {
            var map = KeyValueMap()
            map[PSBTType.Input.nonWitnessUTXO] = previous.encoded
            inputs[index] = try PSBTInput(map, spending: transaction.inputs[index].previousOutput, index: index)
        }
    }

    /// Creates a PSBT with the outputs that the inputs spend (BIP-174, updater).
    ///
    /// - Parameter previousOutputs: one for each input, or none at all.
    /// - Throws: ``BitcoinError/badTransaction`` if the transaction has a signature, or for another number.
    public init(_ transaction: Transaction, previousOutputs: [TransactionOutput]) throws(BitcoinError) {
        guard transaction.inputs.allSatisfy({ $0.scriptSig.isEmpty && $0.witness.isEmpty }),
            previousOutputs.isEmpty || previousOutputs.count == transaction.inputs.count
        else { throw .badTransaction }
        unsignedTransaction = transaction
        global = KeyValueMap()
        global[PSBTType.Global.unsignedTransaction] = transaction.serialised(withWitness: false)
        var inputs: [PSBTInput] = []
        for (index, input) in transaction.inputs.enumerated() {
            var map = KeyValueMap()
            if previousOutputs.indices.contains(index) {
                var writer = ByteWriter()
                previousOutputs[index].write(to: &writer)
                map[PSBTType.Input.witnessUTXO] = writer.bytes
            }
            inputs.append(try PSBTInput(map, spending: input.previousOutput, index: index))
        }
        self.inputs = inputs
        outputs = transaction.outputs.map { _ in PSBTOutput(map: KeyValueMap()) }
    }

    /// Returns a PSBT with the fields of both, in the version of this one (BIP-174 and BIP-370, combiner).
    ///
    /// - Throws: ``PSBTError/conflict(_:)`` if they are for different transactions, or have different values for a key.
    public func combined(with other: PSBT) throws(BitcoinError) -> PSBT {
        var combined = self
        combined.global = try global.merging(other.global, in: .global)
        // The transactions are equal, because each is the value of a key.
        for index in inputs.indices {
            let map = try inputs[index].map.merging(other.inputs[index].map, in: .input(index))
            let outPoint = unsignedTransaction.inputs[index].previousOutput
            combined.inputs[index] = try PSBTInput(map, spending: outPoint, index: index)
        }
        for index in outputs.indices {
            combined.outputs[index].map = try outputs[index].map.merging(other.outputs[index].map, in: .output(index))
        }
        if let fields = other.versionTwo { combined.versionTwo?.combine(with: fields) }
        return combined
    }

    /// The number of fields whose types are unknown to BIP-174 and BIP-371, or proprietary.
    var unknownFieldCount: Int {
        global.count(exceptTypes: PSBTType.Global.isKnown)
            + inputs.reduce(0) { $0 + $1.map.count(exceptTypes: PSBTType.Input.isKnown) }
            + outputs.reduce(0) { $0 + $1.map.count(exceptTypes: PSBTType.Output.isKnown) }
    }

    /// Returns the outputs that the inputs spend, in their order.
    ///
    /// - Throws: ``BitcoinError/incomplete(input:)`` for the first input that does not show it.
    public func previousOutputs() throws(BitcoinError) -> [TransactionOutput] {
        var outputs: [TransactionOutput] = []
        for (index, input) in inputs.enumerated() {
            guard let output = input.previousOutput else { throw .incomplete(input: index) }
            outputs.append(output)
        }
        return outputs
    }
}

// MARK: - Bytes

extension PSBT {
    /// The binary form of the PSBT's version, with the keys of each map in the order of their bytes.
    public var encoded: [UInt8] {
        var maps = PSBTMaps(global: global, inputs: inputs.map(\.map), outputs: outputs.map(\.map))
        if let versionTwo { maps.becomeVersionTwo(versionTwo) }
        var writer = ByteWriter(reserving: 1_024)
        writer.append(Self.magic)
        for map in [maps.global] + maps.inputs + maps.outputs { map.write(to: &writer) }
        return writer.bytes
    }

    /// Reads the binary form.
    ///
    /// - Throws: ``BitcoinError/malformed(_:)``, ``PSBTError/unsupportedVersion(_:)``, ``PSBTError/duplicateKey(_:)``,
    ///   ``PSBTError/badField(_:)``, ``PSBTError/missingField(_:)``, ``BitcoinError/badTransaction``,
    ///   ``PSBTError/conflictingLockTimes``, or ``PSBTError/previousTransactionMismatch(input:)``.
    public init(decoding bytes: [UInt8]) throws(BitcoinError) {
        var reader: ByteReader
        do throws(EncodingError) {
            reader = try ByteReader(bytes, limit: BitcoinLimits.psbtBytes)
            guard try reader.bytes(Self.magic.count).elementsEqual(Self.magic) else { throw EncodingError.unsupported }
        } catch {
            throw .malformed(error)
        }
        var budget = BitcoinLimits.psbtEntries
        let global = try KeyValueMap(from: &reader, map: .global, budget: &budget)
        // First of all, because the other rules depend on the version.
        var version: UInt32 = 0
        if let value = global[PSBTType.Global.version], value.count == 4 { version = value.littleEndian() }
        guard version == 0 || version == 2 else { throw .psbt(.unsupportedVersion(version)) }
        try FieldRules.check(global, as: .global, version: version)
        // Version 0 has its transaction in one piece; that of version 2 is put together when all maps are read.
        var transaction: Transaction?
        let counts: (inputs: Int, outputs: Int)
        if version == 2 {
            counts = try PSBTMaps.counts(global, remaining: reader.remaining)
        } else {
            guard let bytes = global[PSBTType.Global.unsignedTransaction] else {
                throw .psbt(.badField(PSBTField(.global, type: PSBTType.Global.unsignedTransaction)))
            }
            let whole = try Transaction(decodingUnsigned: bytes)
            counts = (whole.inputs.count, whole.outputs.count)
            transaction = whole
        }
        var maps = PSBTMaps(global: global)
        for index in 0..<counts.inputs {
            let map = try KeyValueMap(from: &reader, map: .input(index), budget: &budget)
            try FieldRules.check(map, as: .input(index), version: version)
            maps.inputs.append(map)
        }
        for index in 0..<counts.outputs {
            let map = try KeyValueMap(from: &reader, map: .output(index), budget: &budget)
            try FieldRules.check(map, as: .output(index), version: version)
            maps.outputs.append(map)
        }
        if let transaction {
            unsignedTransaction = transaction
        } else {
            let (built, fields) = try maps.becomeVersionZero()
            (unsignedTransaction, versionTwo) = (built, fields)
        }
        self.global = maps.global
        inputs = []
        for (index, input) in unsignedTransaction.inputs.enumerated() {
            inputs.append(try PSBTInput(maps.inputs[index], spending: input.previousOutput, index: index))
        }
        outputs = maps.outputs.map(PSBTOutput.init)
        do { try reader.finish() } catch { throw .malformed(error) }
    }
}
