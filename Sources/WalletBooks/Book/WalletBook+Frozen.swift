public import Bitcoin
public import Custody
internal import Encoding
internal import Time
public import Wallet

/// Coins that the user has frozen: no plan and no earlier proposal spends them.
extension WalletBook {
    /// Returns the coins that no plan spends.
    public func frozen() -> Set<OutPoint> { frozenCoins }

    /// Returns a frozen coin that the payload spends, the first in the order of their texts; nil if it spends only others.
    public func frozenCoin(in payload: SigningPayload) -> OutPoint? {
        guard case .bitcoinTransaction(let psbt) = payload else { return nil }
        return psbt.unsignedTransaction.inputs.map(\.previousOutput).filter(frozenCoins.contains)
            .min { $0.description < $1.description }
    }

    /// Freezes coins. A coin that is frozen already stays frozen.
    ///
    /// - Throws: `CustodyError.book(_:)`.
    public func freeze(_ coins: Set<OutPoint>) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        try await write(frozen: frozenCoins.union(coins))
    }

    /// Unfreezes coins.
    ///
    /// - Throws: `CustodyError.book(_:)`, with `BookFault.notFrozen(_:)` for the first coin that is not frozen;
    ///   then none is unfrozen.
    public func unfreeze(_ coins: Set<OutPoint>) async throws(CustodyError) {
        await lock.lock()
        defer { lock.unlock() }
        let strangers = coins.subtracting(frozenCoins).map(\.description).sorted()
        if let first = strangers.first { throw .book(.notFrozen(first)) }
        try await write(frozen: frozenCoins.subtracting(coins))
    }

    private func write(frozen coins: Set<OutPoint>) async throws(CustodyError) {
        guard coins != frozenCoins else { return }
        guard coins.count <= Limits.frozenCoins else { throw .book(.full(.frozen)) }
        if coins.isEmpty {
            try await file.delete(Item.frozen.name)
        } else {
            try await file.save(FrozenCoins.encode(coins), as: Item.frozen.name)
        }
        frozenCoins = coins
    }
}

/// The item of the book with the frozen coins.
enum FrozenCoins {
    /// JSON: `{"version":1,"coins":["TXID:VOUT",…]}`, in the order of the texts' bytes.
    static func encode(_ coins: Set<OutPoint>) -> [UInt8] {
        let texts = coins.map(\.description).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return (["version": 1, "coins": .array(texts.map { .string($0) })] as JSON).encoded
    }

    /// Reads exactly what ``encode(_:)`` gives.
    ///
    /// - Throws: `CustodyError.malformedRecord`.
    static func decode(_ bytes: [UInt8]) throws(CustodyError) -> Set<OutPoint> {
        do {
            let json = try JSON(decoding: bytes, limit: Limits.frozenCoinsSize)
            let coins = try json["coins"].present.array.present.map { try OutPoint($0.string.present) }
            guard coins.count <= Limits.frozenCoins, encode(Set(coins)) == bytes else {
                throw EncodingError.notCanonical
            }
            return Set(coins)
        } catch { throw .malformedRecord }
    }
}
