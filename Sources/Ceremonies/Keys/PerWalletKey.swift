/// One value for each of a wallet's keys.
package struct PerWalletKey<Value> {
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

extension PerWalletKey: Equatable where Value: Equatable {}
extension PerWalletKey: Hashable where Value: Hashable {}
extension PerWalletKey: Sendable where Value: Sendable {}

/// One message with a part for each key.
extension PerWalletKey<[UInt8]> {
    package var encoded: [UInt8] { MessageList.encode(all) }

    /// - Throws: ``CeremonyError/malformedMessage``.
    package init(decoding bytes: [UInt8]) throws(CeremonyError) {
        let parts = try MessageList.decode(bytes, count: 3)
        self.init(schnorr: parts[0], ecdsa: parts[1], ed25519: parts[2])
    }
}

extension PerWalletKey<[[UInt8]]> {
    /// Sorts messages of several participants, each with a part for each purpose, by purpose.
    ///
    /// - Throws: ``CeremonyError/malformedMessage``.
    init(lists: [[UInt8]]) throws(CeremonyError) {
        self.init(schnorr: [], ecdsa: [], ed25519: [])
        for list in lists {
            let parts = try PerWalletKey<[UInt8]>(decoding: list)
            schnorr.append(parts.schnorr)
            ecdsa.append(parts.ecdsa)
            ed25519.append(parts.ed25519)
        }
    }
}
