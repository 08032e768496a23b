struct Unequal: Error, CustomStringConvertible {
    let description: String
}

/// For the inside of a fuzz run, which reports what is thrown together with the seed.
func requireEqual<Value: Equatable>(_ left: Value, _ right: Value) throws {
    if left != right { throw Unequal(description: "\(left) is not \(right)") }
}

/// Text of fuzzed bytes; what is not UTF-8 becomes a character that no alphabet here has.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
