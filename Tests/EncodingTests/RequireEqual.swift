struct Unequal: Error, CustomStringConvertible {
    let description: String
}

/// An error for fuzz runs, which report thrown errors with the seed.
func requireEqual<Value: Equatable>(_ left: Value, _ right: Value) throws {
    if left != right { throw Unequal(description: "\(left) is not \(right)") }
}

/// Returns fuzzed bytes as text; invalid UTF-8 becomes a character outside every alphabet here.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
