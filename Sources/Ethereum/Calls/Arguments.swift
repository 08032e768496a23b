internal import Amounts

/// Takes decoded values one by one. The decoder has returned exactly the requested types, so another type here is a
/// programming error, whatever the input is.
struct Arguments {
    private var values: ArraySlice<ABIValue>

    init(_ values: [ABIValue]) { self.values = values[...] }

    private mutating func next() -> ABIValue? { values.popFirst() }

    mutating func address() -> EthereumAddress {
        guard case .address(let value)? = next() else { preconditionFailure("an address was decoded here") }
        return value
    }

    mutating func uint() -> UInt256 {
        guard case .uint(let value)? = next() else { preconditionFailure("a number was decoded here") }
        return value
    }

    mutating func bool() -> Bool {
        guard case .bool(let value)? = next() else { preconditionFailure("a Boolean was decoded here") }
        return value
    }

    mutating func bytes() -> [UInt8] {
        guard case .bytes(let value)? = next() else { preconditionFailure("bytes were decoded here") }
        return value
    }

    mutating func tuple<Value>(_ read: (inout Arguments) -> Value) -> Value {
        guard case .tuple(let values)? = next() else { preconditionFailure("a tuple was decoded here") }
        var inner = Arguments(values)
        return read(&inner)
    }

    mutating func array<Value>(_ read: (inout Arguments) -> Value) -> [Value] {
        guard case .array(let values)? = next() else { preconditionFailure("an array was decoded here") }
        return values.map { value in
            var inner = Arguments([value])
            return read(&inner)
        }
    }
}
