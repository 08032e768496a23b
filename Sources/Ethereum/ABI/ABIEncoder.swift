internal import Amounts

extension ABI {
    /// Returns the arguments of a call, without the selector before them.
    ///
    /// - Throws: ``EthereumError/badABI(_:)`` if a value does not fit its type.
    public static func encode(_ values: [ABIValue], as types: [ABIType]) throws(EthereumError) -> [UInt8] {
        guard values.count == types.count else { throw .badABI(.wrongType) }
        var head: [UInt8] = []
        var tail: [UInt8] = []
        let headSize = types.reduce(0) { $0 + $1.headSize }
        for (value, type) in zip(values, types) {
            let bytes = try encode(value, as: type)
            if type.isDynamic {
                head += UInt256(UInt64(headSize + tail.count)).bytes
                tail += bytes
            } else {
                head += bytes
            }
        }
        return head + tail
    }

    private static func encode(_ value: ABIValue, as type: ABIType) throws(EthereumError) -> [UInt8] {
        switch (type, value) {
        case (.uint(let bits), .uint(let number)) where number.bitWidth <= bits: return number.bytes
        case (.int(let bits), .int(let number)) where number.fits(bits: bits): return number.bytes
        case (.bool, .bool(let value)): return UInt256(value ? 1 : 0).bytes
        case (.address, .address(let address)): return [UInt8](repeating: 0, count: 12) + address.bytes
        case (.fixedBytes(let count), .bytes(let bytes)) where bytes.count == count: return padded(bytes)
        case (.bytes, .bytes(let bytes)): return length(bytes.count) + padded(bytes)
        case (.string, .string(let text)): return length(text.utf8.count) + padded(Array(text.utf8))
        case (.array(let element, nil), .array(let values)):
            return length(values.count) + (try encode(values, as: values.map { _ in element }))
        case (.array(let element, let count?), .array(let values)) where values.count == count:
            return try encode(values, as: values.map { _ in element })
        case (.tuple(let types), .tuple(let values)): return try encode(values, as: types)
        default: throw .badABI(.wrongType)
        }
    }

    private static func length(_ count: Int) -> [UInt8] { UInt256(UInt64(count)).bytes }

    /// Appends zeros up to a multiple of 32 bytes.
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
    }
}
