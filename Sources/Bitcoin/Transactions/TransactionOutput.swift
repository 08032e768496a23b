internal import Encoding

/// An output of a transaction: an amount and a script.
public struct TransactionOutput: Hashable, Sendable {
    /// The amount that is paid.
    public let amount: Amount
    /// The script that is paid to.
    public let scriptPubKey: ScriptPubKey

    /// Creates an output.
    public init(amount: Amount, scriptPubKey: ScriptPubKey) {
        self.amount = amount
        self.scriptPubKey = scriptPubKey
    }

    /// Writes the amount in eight bytes, little-endian; the script's size; the script.
    func write(to writer: inout ByteWriter) {
        writer.littleEndian(amount.satoshis)
        writer.sized(scriptPubKey.bytes)
    }

    init(from reader: inout ByteReader) throws(BitcoinError) {
        do {
            let satoshis = try reader.littleEndian(UInt64.self)
            scriptPubKey = ScriptPubKey(try reader.sized())
            guard let amount = try? Amount(satoshis: satoshis) else { throw BitcoinError.badTransaction }
            self.amount = amount
        } catch let error as EncodingError {
            throw .malformed(error)
        } catch {
            throw .badTransaction
        }
    }

    /// Reads a serialised output without further bytes, as in a PSBT.
    init(decoding bytes: [UInt8]) throws(BitcoinError) {
        do {
            var reader = try ByteReader(bytes, limit: BitcoinLimits.transactionBytes)
            try self.init(from: &reader)
            try reader.finish()
        } catch let error as EncodingError {
            throw .malformed(error)
        } catch {
            throw .badTransaction
        }
    }
}
