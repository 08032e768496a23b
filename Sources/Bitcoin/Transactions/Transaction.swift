internal import Curves
internal import Encoding

/// A Bitcoin transaction (BIP-144 for the form with witnesses).
///
/// Reading is strict: sizes in their shortest form, no left-over bytes, amounts within 21 million, a witness marker
/// only if there is a witness. Writing gives the same bytes again.
public struct Transaction: Hashable, Sendable {
    /// The version: 1 or 2 in practice.
    public let version: UInt32
    /// The inputs in their order.
    public var inputs: [TransactionInput]
    /// The outputs in their order.
    public let outputs: [TransactionOutput]
    /// The lock time as on the wire; see ``LockTime``.
    public let lockTime: UInt32

    /// Creates a transaction of these parts.
    public init(version: UInt32, inputs: [TransactionInput], outputs: [TransactionOutput], lockTime: UInt32) {
        self.version = version
        self.inputs = inputs
        self.outputs = outputs
        self.lockTime = lockTime
    }

    /// Whether any input carries a witness.
    public var hasWitness: Bool { inputs.contains { !$0.witness.isEmpty } }

    /// The transaction's id: the double SHA-256 of its bytes without witnesses (BIP-141).
    public var id: TransactionID { TransactionID(hash: Self.doubleHash(serialised(withWitness: false))) }

    /// Four times the bytes without witnesses, plus the bytes of the witnesses (BIP-141).
    public var weight: Int { 3 * serialised(withWitness: false).count + encoded.count }

    /// A quarter of the weight, rounded up.
    public var virtualSize: Int { (weight + 3) / 4 }

    private static func doubleHash(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(SHA256.hash(bytes)) }
}

// MARK: - Bytes

extension Transaction {
    /// The bytes that nodes exchange.
    public var encoded: [UInt8] { serialised(withWitness: hasWitness) }

    func serialised(withWitness: Bool) -> [UInt8] {
        var writer = ByteWriter(reserving: 256)
        writer.littleEndian(version)
        if withWitness { writer.append([0x00, 0x01]) }
        writer.compactSize(inputs.count)
        for input in inputs {
            writer.outPoint(input.previousOutput)
            writer.sized(input.scriptSig)
            writer.littleEndian(input.sequence)
        }
        writer.compactSize(outputs.count)
        for output in outputs { output.write(to: &writer) }
        if withWitness {
            for input in inputs { writer.witness(input.witness) }
        }
        writer.littleEndian(lockTime)
        return writer.bytes
    }

    /// Reads a complete transaction, as nodes exchange it.
    ///
    /// - Throws: ``BitcoinError/malformed(_:)``; ``BitcoinError/badTransaction`` if it has no inputs or outputs, an amount or
    ///   a sum above 21 million, or a witness marker without a witness.
    public init(decoding bytes: some Collection<UInt8>) throws(BitcoinError) {
        try self.init(decoding: bytes, mayHaveWitness: true)
        guard !inputs.isEmpty, !outputs.isEmpty else { throw .badTransaction }
    }

    /// Reads an unsigned transaction in the form of BIP-174: without witness marker, script signatures and witnesses.
    /// It may have no inputs or outputs yet.
    ///
    /// - Throws: ``BitcoinError/malformed(_:)``; ``BitcoinError/badTransaction``.
    public init(decodingUnsigned bytes: some Collection<UInt8>) throws(BitcoinError) {
        try self.init(decoding: bytes, mayHaveWitness: false)
        guard inputs.allSatisfy({ $0.scriptSig.isEmpty }) else { throw .badTransaction }
    }

    private init(decoding bytes: some Collection<UInt8>, mayHaveWitness: Bool) throws(BitcoinError) {
        do {
            var reader = try ByteReader(bytes, limit: BitcoinLimits.transactionBytes)
            version = try reader.littleEndian(UInt32.self)
            var inputCount = try reader.count(leastSize: 41)
            // BIP-144: a marker of 0, where the count of inputs is, and a flag of 1.
            let hasMarker = mayHaveWitness && inputCount == 0
            if hasMarker {
                guard try reader.uint8() == 1 else { throw BitcoinError.badTransaction }
                inputCount = try reader.count(leastSize: 41)
            }
            inputs = []
            inputs.reserveCapacity(inputCount)
            for _ in 0..<inputCount { inputs.append(try TransactionInput(from: &reader)) }
            let outputCount = try reader.count(leastSize: 9)
            var outputs: [TransactionOutput] = []
            outputs.reserveCapacity(outputCount)
            for _ in 0..<outputCount { outputs.append(try TransactionOutput(from: &reader)) }
            self.outputs = outputs
            if hasMarker {
                for index in inputs.indices { inputs[index].witness = try reader.witness() }
            }
            lockTime = try reader.littleEndian(UInt32.self)
            try reader.finish()
        } catch let error as EncodingError {
            throw .malformed(error)
        } catch let error as BitcoinError {
            throw error
        } catch {
            throw .badTransaction
        }
        // Otherwise a witness marker could be added to any transaction, and its bytes would not be unique.
        guard hasWitness || encoded.count == bytes.count else { throw .badTransaction }
        guard (try? Amount.sum(outputs.lazy.map(\.amount))) != nil else { throw .badTransaction }
    }
}

extension TransactionInput {
    fileprivate init(from reader: inout ByteReader) throws(EncodingError) {
        let transaction = TransactionID(hash: Array(try reader.bytes(32)))
        previousOutput = OutPoint(transaction: transaction, index: try reader.littleEndian(UInt32.self))
        scriptSig = Array(try reader.sized())
        sequence = try reader.littleEndian(UInt32.self)
        witness = []
    }
}

extension ByteWriter {
    mutating func witness(_ elements: [[UInt8]]) {
        compactSize(elements.count)
        for element in elements { sized(element) }
    }
}

extension ByteReader {
    mutating func witness() throws(EncodingError) -> [[UInt8]] {
        let count = try count(leastSize: 1)
        guard count <= BitcoinLimits.witnessElements else { throw .tooLong(limit: BitcoinLimits.witnessElements) }
        var elements: [[UInt8]] = []
        for _ in 0..<count { elements.append(Array(try sized())) }
        return elements
    }
}
