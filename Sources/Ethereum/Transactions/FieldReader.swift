internal import Amounts
internal import Encoding

/// Takes the fields of a transaction in order, and names the field of an error.
struct FieldReader {
    private var items: ArraySlice<RLP>

    init(_ items: [RLP]) { self.items = items[...] }

    /// Returns the next field. The number of fields was checked before.
    private mutating func next() -> RLP { items.popFirst() ?? .list([]) }

    mutating func integer(_ field: EthereumTransaction.Field) throws(EthereumError) -> UInt64 {
        do { return try next().integer() } catch { throw .badTransaction(.field(field)) }
    }

    mutating func number(_ field: EthereumTransaction.Field) throws(EthereumError) -> UInt256 {
        do {
            return try UInt256(bytes: try next().integerBytes(upTo: UInt256.size))
        } catch {
            throw .badTransaction(.field(field))
        }
    }

    mutating func wei(_ field: EthereumTransaction.Field) throws(EthereumError) -> Wei { Wei(try number(field)) }

    mutating func bytes(_ field: EthereumTransaction.Field) throws(EthereumError) -> [UInt8] {
        guard let bytes = next().bytes else { throw .badTransaction(.field(field)) }
        return bytes
    }

    /// Reads an address, or nil for an empty field.
    mutating func recipient() throws(EthereumError) -> EthereumAddress? {
        let bytes = try bytes(.to)
        if bytes.isEmpty { return nil }
        do { return try EthereumAddress(bytes: bytes) } catch { throw .badTransaction(.field(.to)) }
    }

    mutating func chain() throws(EthereumError) -> ChainID {
        do { return try ChainID(try integer(.chainID)) } catch { throw .badTransaction(.field(.chainID)) }
    }

    mutating func elements<Element>(
        _ field: EthereumTransaction.Field, _ read: (RLP) throws(EthereumError) -> Element
    ) throws(EthereumError) -> [Element] {
        guard let list = next().list else { throw .badTransaction(.field(field)) }
        var elements: [Element] = []
        for item in list { elements.append(try read(item)) }
        return elements
    }
}

extension RLP {
    /// Encodes a number without leading zeros.
    init(number: UInt256) { self = .bytes(number.minimalBytes) }

    /// Encodes an address, or nil as an empty field.
    init(address: EthereumAddress?) { self = .bytes(address?.bytes ?? []) }
}
