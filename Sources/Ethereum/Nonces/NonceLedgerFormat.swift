internal import Encoding

// RLP: [version, chain, account, [[nonce, used, [[state, signed transaction], …]], …], next], where `used` is empty, or one more than
// the height at which the nonce was seen to be used, and `next` is left out where it is one more than the last slot's nonce.

extension NonceLedger {
    private static let version: UInt64 = 1

    /// The ledger's only encoding.
    public var encoded: [UInt8] {
        let slots = slots.map { slot in
            let attempts = slot.attempts.map { attempt in
                RLP.list([RLP(UInt64(attempt.state.rawValue)), .bytes(attempt.transaction.encoded)])
            }
            return RLP.list([RLP(slot.nonce), RLP(slot.usedAt.map { $0 + 1 } ?? 0), .list(attempts)])
        }
        let further = next.flatMap { $0 == followed ? nil : RLP($0) }
        return RLP.list(
            [RLP(Self.version), RLP(chain.value), .bytes(account.bytes), .list(slots)] + (further.map { [$0] } ?? [])
        ).encoded
    }

    /// The value of ``next`` that follows from the slots alone.
    private var followed: UInt64? { slots.last.map { $0.nonce + 1 } }

    /// Reads exactly what ``encoded`` gives.
    ///
    /// - Throws: ``Fault/malformed``, also for a ledger in which a transaction is not the account's.
    public init(decoding bytes: some Collection<UInt8>) throws(Fault) {
        do {
            let fields = try RLP(decoding: bytes, limit: EthereumLimits.ledgerBytes).items(4...5)
            guard try fields[0].integer() == Self.version, let account = fields[2].bytes, let slots = fields[3].list
            else {
                throw Fault.malformed
            }
            self.init(
                chain: try ChainID(try fields[1].integer()), account: try EthereumAddress(bytes: account))
            for slot in slots { try read(slot.items(3...3)) }
            if fields.count == 5 {
                let further = try fields[4].integer()
                guard further > followed ?? 0 else { throw Fault.malformed }
                next = further
            }
        } catch {
            throw .malformed
        }
    }

    private mutating func read(_ fields: [RLP]) throws {
        let nonce = try fields[0].integer()
        let used = try fields[1].integer()
        guard let attempts = fields[2].list, !attempts.isEmpty, slots.last.map({ $0.nonce < nonce }) ?? true else {
            throw Fault.malformed
        }
        for (index, attempt) in attempts.enumerated() {
            let parts = try attempt.items(2...2)
            guard let state = State(rawValue: UInt8(exactly: try parts[0].integer()) ?? .max),
                let bytes = parts[1].bytes
            else { throw Fault.malformed }
            let transaction = try SignedEthereumTransaction(decoding: bytes)
            guard !(index > 0 && slots.last?.attempts.contains { $0.transaction == transaction } == true) else {
                throw Fault.malformed
            }
            try insert(transaction)
            // One with another nonce would be recorded elsewhere.
            guard let last = slots.indices.last, slots[last].nonce == nonce, slots[last].attempts.count == index + 1
            else { throw Fault.malformed }
            slots[last].attempts[index].state = state
        }
        slots[slots.count - 1].usedAt = used == 0 ? nil : used - 1
    }
}

extension RLP {
    /// Returns the items of a list whose length is in the range.
    fileprivate func items(_ counts: ClosedRange<Int>) throws(NonceLedger.Fault) -> [RLP] {
        guard let items = list, counts.contains(items.count) else { throw .malformed }
        return items
    }
}
