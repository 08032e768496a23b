/// One value for each of a wallet's keys.
struct PerPurpose<Value> {
    var schnorr: Value
    var ecdsa: Value
    var ed25519: Value

    /// The values in the order of ``KeyPurpose/allCases``.
    var all: [Value] { [schnorr, ecdsa, ed25519] }
}

extension PerPurpose: Equatable where Value: Equatable {}
extension PerPurpose: Hashable where Value: Hashable {}
extension PerPurpose: Sendable where Value: Sendable {}

/// One message for each key, in one.
extension PerPurpose<[UInt8]> {
    var encoded: [UInt8] { MessageList.encode(all) }

    /// - Throws: ``CustodyError/malformedMessage``.
    init(decoding bytes: [UInt8]) throws(CustodyError) {
        let parts = try MessageList.decode(bytes, count: 3)
        self.init(schnorr: parts[0], ecdsa: parts[1], ed25519: parts[2])
    }
}
