/// One value for each of a wallet's keys.
package struct PerPurpose<Value> {
    package var schnorr: Value
    package var ecdsa: Value
    package var ed25519: Value

    package init(schnorr: Value, ecdsa: Value, ed25519: Value) {
        self.schnorr = schnorr
        self.ecdsa = ecdsa
        self.ed25519 = ed25519
    }

    /// The values in the order of ``WalletKeyPurpose/allCases``.
    package var all: [Value] { [schnorr, ecdsa, ed25519] }
}

extension PerPurpose: Equatable where Value: Equatable {}
extension PerPurpose: Hashable where Value: Hashable {}
extension PerPurpose: Sendable where Value: Sendable {}

/// One message with a part for each key.
extension PerPurpose<[UInt8]> {
    package var encoded: [UInt8] { MessageList.encode(all) }

    /// - Throws: ``CeremonyError/malformedMessage``.
    package init(decoding bytes: [UInt8]) throws(CeremonyError) {
        let parts = try MessageList.decode(bytes, count: 3)
        self.init(schnorr: parts[0], ecdsa: parts[1], ed25519: parts[2])
    }
}
