internal import Bitcoin
internal import Encoding

// Strict readers for the answers of Bitcoin nodes.

extension JSON {
    /// Reads a whole number of 32 bits.
    func uint32(_ answer: NodeError.Answer) throws(NodeError) -> UInt32 {
        guard let value = number?.integer(as: UInt32.self) else { throw .unexpected(answer) }
        return value
    }

    /// Reads the height of a block: 31 bits, as in the nodes themselves, so that adding one cannot overflow.
    func height() throws(NodeError) -> UInt32 {
        let height = try uint32(.height)
        guard height <= UInt32(Int32.max) else { throw .unexpected(.height) }
        return height
    }

    func transactionID() throws(NodeError) -> TransactionID {
        guard let text = string, let id = try? TransactionID(text) else { throw .unexpected(.hash) }
        return id
    }
}

extension Optional<JSON> {
    /// Returns the value, which must exist.
    func required(_ answer: NodeError.Answer) throws(NodeError) -> JSON {
        guard let self else { throw .unexpected(answer) }
        return self
    }
}

extension Transaction {
    /// Reads a transaction in hexadecimal, which must have this id.
    ///
    /// - Throws: ``NodeError/unexpected(_:)`` if it is not a transaction; ``NodeError/inconsistent(_:)`` if it is
    ///   another one.
    init(hexadecimal text: String, expecting id: TransactionID) throws(NodeError) {
        guard let bytes = try? Hex.decode(text) else { throw .unexpected(.transaction) }
        let transaction: Transaction
        do throws(BitcoinError) { transaction = try Transaction(decoding: bytes) } catch {
            throw error == .malformed(.tooLong(limit: BitcoinLimits.witnessElements))
                ? .unexpected(.longWitness) : .unexpected(.transaction)
        }
        guard transaction.id == id else { throw .inconsistent(.transaction) }
        self = transaction
    }
}

extension FeeRate {
    /// Reads a feerate in the form of nodes, rounded up to a whole satoshi per 1,000 virtual bytes.
    ///
    /// - Parameter places: the number of decimal places that become whole: 8 for BTC, 3 for satoshis per virtual byte.
    init(_ number: JSON.Number, places: Int) throws(NodeError) {
        guard let value = Scaled.integer(number.text, places: places, roundingUp: true) else { throw .unexpected(.fee) }
        self.init(satoshisPerKilobyte: value)
    }
}

extension Amount {
    /// Reads an amount of bitcoins in the form of nodes. Some write small ones with an exponent: `1e-08`.
    ///
    /// - Throws: ``NodeError/unexpected(_:)`` if it is not a whole number of satoshis within the supply.
    init(bitcoins number: JSON.Number?, _ answer: NodeError.Answer) throws(NodeError) {
        guard let number, let value = Scaled.integer(number.text, places: 8, roundingUp: false),
            let amount = try? Amount(satoshis: value)
        else { throw .unexpected(answer) }
        self = amount
    }
}

/// Conversion of JSON numbers to integers, for fees only, which may be rounded: amounts are exact.
enum Scaled {
    /// Returns `text` times ten to the power of `places`; nil if it is negative, too long, or does not fit, and if it is
    /// not whole and may not be rounded up.
    static func integer(_ text: String, places: Int, roundingUp: Bool) -> UInt64? {
        guard text.utf8.count <= 64 else { return nil }
        let parts = text.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        var point = places
        if parts.count == 2 {
            guard let exponent = Int8(parts[1]) else { return nil }
            point += Int(exponent)
        }
        let halves = (parts.first ?? "").split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        var digits = halves.flatMap { Array($0.utf8) }
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        // The number of whole digits; zeros follow the last one.
        let whole = max(0, (halves.first?.utf8.count ?? 0) + point)
        let isCut = digits.dropFirst(whole).contains { $0 != UInt8(ascii: "0") }
        guard !isCut || roundingUp else { return nil }
        digits = Array(digits.prefix(whole)) + Array(repeating: UInt8(ascii: "0"), count: max(0, whole - digits.count))
        guard let value = digits.isEmpty ? 0 : UInt64(String(decoding: digits, as: UTF8.self)) else { return nil }
        let (sum, overflow) = value.addingReportingOverflow(isCut ? 1 : 0)
        return overflow ? nil : sum
    }
}
