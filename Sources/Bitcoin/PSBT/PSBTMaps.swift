internal import Encoding

/// The maps of a PSBT, and their conversion between version 0 (BIP-174) and version 2 (BIP-370). The maps of version 2
/// together contain the transaction.
///
/// All fields were checked by ``FieldRules`` before.
struct PSBTMaps {
    private(set) var global: KeyValueMap
    var inputs: [KeyValueMap] = []
    var outputs: [KeyValueMap] = []

    init(global: KeyValueMap, inputs: [KeyValueMap] = [], outputs: [KeyValueMap] = []) {
        (self.global, self.inputs, self.outputs) = (global, inputs, outputs)
    }

    /// Returns the number of maps of inputs and outputs that follow.
    ///
    /// - Parameter remaining: the number of bytes that are left: each map takes at least one.
    /// - Throws: ``PSBTError/missingField(_:)``; ``BitcoinError/malformed(_:)`` for more maps than the bytes allow.
    static func counts(_ global: KeyValueMap, remaining: Int) throws(BitcoinError) -> (inputs: Int, outputs: Int) {
        var counts: [Int] = []
        for type in [PSBTType.Global.inputCount, PSBTType.Global.outputCount] {
            guard let count = number(try global.required(type, in: .global)), count <= UInt64(remaining) else {
                throw .malformed(.truncated)
            }
            counts.append(Int(count))
        }
        return (counts[0], counts[1])
    }

    /// Builds the transaction, and converts the maps to version 0.
    ///
    /// - Returns: the transaction, and the fields of version 2 that the maps lose.
    /// - Throws: ``PSBTError/missingField(_:)``, ``PSBTError/conflictingLockTimes``, ``BitcoinError/badTransaction``.
    mutating func becomeVersionZero() throws(BitcoinError) -> (Transaction, VersionTwoFields) {
        var transactionInputs: [TransactionInput] = []
        for (index, map) in inputs.enumerated() {
            let name = PSBTField.Map.input(index)
            let outPoint = OutPoint(
                transaction: TransactionID(hash: try map.required(PSBTType.Input.previousTransaction, in: name)),
                index: try map.required(PSBTType.Input.outputIndex, in: name).littleEndian())
            transactionInputs.append(
                TransactionInput(
                    previousOutput: outPoint, sequence: map[PSBTType.Input.sequence]?.littleEndian() ?? .max))
        }
        var transactionOutputs: [TransactionOutput] = []
        for (index, map) in outputs.enumerated() {
            let name = PSBTField.Map.output(index)
            let satoshis: UInt64 = try map.required(PSBTType.Output.amount, in: name).littleEndian()
            guard let amount = try? Amount(satoshis: satoshis) else {
                throw .psbt(.badField(PSBTField(name, type: PSBTType.Output.amount)))
            }
            let script = ScriptPubKey(try map.required(PSBTType.Output.script, in: name))
            transactionOutputs.append(TransactionOutput(amount: amount, scriptPubKey: script))
        }
        let put = Transaction(
            version: try global.required(PSBTType.Global.transactionVersion, in: .global).littleEndian(),
            inputs: transactionInputs, outputs: transactionOutputs, lockTime: try lockTime())
        // The bytes are read again, so that the rules for every unsigned transaction apply, such as those for sums.
        let bytes = put.serialised(withWitness: false)
        let transaction = try Transaction(decodingUnsigned: bytes)
        let fields = VersionTwoFields(
            global: global.remove { PSBTType.Global.version2.contains($0) || $0 == PSBTType.Global.version },
            inputs: inputs.indices.map { inputs[$0].remove(where: PSBTType.Input.version2.contains) },
            outputs: outputs.indices.map { outputs[$0].remove(where: PSBTType.Output.version2.contains) })
        global[PSBTType.Global.unsignedTransaction] = bytes
        return (transaction, fields)
    }

    /// Converts the maps back to version 2.
    ///
    /// - Parameter fields: what ``becomeVersionZero()`` returned for as many inputs and outputs.
    mutating func becomeVersionTwo(_ fields: VersionTwoFields) {
        global[PSBTType.Global.unsignedTransaction] = nil
        global.replace(with: fields.global)
        for (index, map) in fields.inputs.enumerated() { inputs[index].replace(with: map) }
        for (index, map) in fields.outputs.enumerated() { outputs[index].replace(with: map) }
    }

    /// Returns the lock time (BIP-370, determining lock time): of the kind that all inputs with a requirement accept, a
    /// height if they accept both.
    private func lockTime() throws(BitcoinError) -> UInt32 {
        let (height, time) = (PSBTType.Input.requiredHeight, PSBTType.Input.requiredTime)
        let asking = inputs.filter { $0[height] != nil || $0[time] != nil }
        guard !asking.isEmpty else { return global[PSBTType.Global.fallbackLockTime]?.littleEndian() ?? 0 }
        for kind in [height, time] {
            let wanted = asking.compactMap { $0[kind] }
            if wanted.count == asking.count { return wanted.map { $0.littleEndian() }.max() ?? 0 }
        }
        throw .psbt(.conflictingLockTimes)
    }

    // MARK: - Forms

    static func isGlobal(_ type: UInt64, _ value: [UInt8]) -> Bool {
        switch type {
        case PSBTType.Global.transactionVersion, PSBTType.Global.fallbackLockTime: value.count == 4
        case PSBTType.Global.inputCount, PSBTType.Global.outputCount: number(value) != nil
        // Flags without meaning are allowed, and may get one later.
        case PSBTType.Global.modifiable: value.count == 1
        default: false
        }
    }

    static func isInput(_ type: UInt64, _ value: [UInt8]) -> Bool {
        switch type {
        case PSBTType.Input.previousTransaction: return value.count == 32
        case PSBTType.Input.outputIndex, PSBTType.Input.sequence: return value.count == 4
        case PSBTType.Input.requiredTime, PSBTType.Input.requiredHeight:
            guard value.count == 4, let lock = LockTime(value.littleEndian()) else { return false }
            return switch lock {
            case .height: type == PSBTType.Input.requiredHeight
            case .time: type == PSBTType.Input.requiredTime
            }
        default: return false
        }
    }

    static func isOutput(_ type: UInt64, _ value: [UInt8]) -> Bool {
        type == PSBTType.Output.script || value.count == 8
    }

    /// Returns the value of a compact size without further bytes.
    private static func number(_ value: [UInt8]) -> UInt64? {
        guard var reader = try? ByteReader(value, limit: value.count), let number = try? reader.compactSize(),
            reader.remaining == 0
        else { return nil }
        return number
    }
}

extension KeyValueMap {
    /// Returns the value of a field that the map must have.
    ///
    /// - Throws: ``PSBTError/missingField(_:)``.
    fileprivate func required(_ type: UInt64, in map: PSBTField.Map) throws(BitcoinError) -> [UInt8] {
        guard let value = self[type] else { throw .psbt(.missingField(PSBTField(map, type: type))) }
        return value
    }
}

extension [UInt8] {
    /// Returns the number that the bytes encode, little-endian.
    func littleEndian<Number: FixedWidthInteger>() -> Number { reversed().reduce(0) { $0 << 8 | Number($1) } }
}
