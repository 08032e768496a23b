internal import Amounts
import Curves
import Encoding
internal import Ethereum
import Secrets
import TestSupport
import Testing

@Suite("The nonce ledger")
struct NonceLedgerTests {
    private let account: EthereumAddress
    private let chain: ChainID
    private var ledger: NonceLedger

    init() throws {
        account = EthereumAddress(publicKey: try Self.key().timesGenerator())
        chain = try ChainID(31_337)
        ledger = NonceLedger(chain: chain, account: account)
    }

    private static func key(_ last: UInt8 = 7) throws -> SecretScalar<Secp256k1> {
        SecretScalar(try Scalar(canonical: [UInt8](repeating: last, count: 32)))
    }

    private static func fees(_ tip: UInt64, _ all: UInt64) -> EthereumTransaction.Fees {
        EthereumTransaction.Fees(maxPriorityFeePerGas: Wei(UInt256(tip)), maxFeePerGas: Wei(UInt256(all)))
    }

    private func signed(
        _ nonce: UInt64, tip: UInt64 = 100, all: UInt64 = 1_000, kind: EthereumTransaction.Kind? = nil,
        chain: UInt64 = 31_337,
        key: UInt8 = 7
    ) throws -> SignedEthereumTransaction {
        let transaction = try EthereumTransaction(
            chainID: try ChainID(chain), nonce: nonce, gasLimit: 21_000, to: .zero, value: .zero, data: [],
            kind: kind ?? .dynamicFee(Self.fees(tip, all), []))
        let key = try Self.key(key)
        return try .sign(
            transaction, key: key, sender: EthereumAddress(publicKey: key.timesGenerator()))
    }

    // MARK: - The next nonce

    @Test("an empty ledger gives the node's count, including transactions from elsewhere that wait there")
    func empty() throws {
        #expect(try ledger.advice(latest: 5, pending: 5) == .free(5, missing: []))
        #expect(try ledger.advice(latest: 5, pending: 8) == .free(8, missing: []))
        #expect(throws: NonceLedger.Fault.inconsistent) { try ledger.advice(latest: 5, pending: 4) }
        #expect(throws: NonceLedger.Fault.inconsistent) { try ledger.advice(latest: 5, pending: .max) }
    }

    @Test("a sent transaction keeps its nonce, even if the node has lost it: then it is reported as missing")
    mutating func sent() throws {
        for nonce in [5, 6] as [UInt64] {
            let transaction = try signed(nonce)
            try ledger.record(transaction)
            try ledger.note(.accepted, for: transaction.hash)
        }
        #expect(try ledger.advice(latest: 5, pending: 7) == .free(7, missing: []))
        #expect(try ledger.advice(latest: 5, pending: 6) == .free(7, missing: [6]))
        #expect(try ledger.advice(latest: 5, pending: 5) == .free(7, missing: [5, 6]))
        #expect(try ledger.advice(latest: 6, pending: 9) == .free(9, missing: []))
        #expect(try ledger.advice(latest: 7, pending: 7) == .free(7, missing: []))
    }

    @Test("a gap is filled first")
    mutating func gap() throws {
        let later = try signed(6)
        try ledger.record(later)
        try ledger.note(.accepted, for: later.hash)
        #expect(try ledger.advice(latest: 5, pending: 5) == .free(5, missing: []))
    }

    @Test("a refused transaction leaves a gap: its nonce is the next one, whatever waits, until a block has it")
    mutating func refused() throws {
        let (first, second) = (try signed(5), try signed(5, tip: 100, all: 999))
        try ledger.record(first)
        try ledger.note(.refused, for: first.hash)
        #expect(ledger.slots.map(\.isHole) == [true])
        // The node counts the transaction that it refused, and another one after it.
        for pending in [5, 6, 7] as [UInt64] {
            #expect(try ledger.advice(latest: 5, pending: pending) == .free(5, missing: []))
        }
        #expect(try ledger.advice(latest: 6, pending: 6) == .free(6, missing: []))
        // Its replacement need not pay more, and is the only transaction with this nonce that is sent.
        try ledger.record(second)
        #expect(try ledger.advice(latest: 5, pending: 6) == .resolve(second))
        try ledger.note(.accepted, for: second.hash)
        #expect(ledger.slots.map(\.isHole) == [false])
        #expect(try ledger.advice(latest: 5, pending: 6) == .free(6, missing: []))
        #expect(try NonceLedger(decoding: ledger.encoded) == ledger)
    }

    @Test("of several gaps the first is filled, and what is missing before it is named")
    mutating func holes() throws {
        for nonce in [5, 6, 7, 8] as [UInt64] {
            let transaction = try signed(nonce)
            try ledger.record(transaction)
            try ledger.note([6, 8].contains(nonce) ? .refused : .accepted, for: transaction.hash)
        }
        #expect(try ledger.advice(latest: 5, pending: 5) == .free(6, missing: [5]))
        #expect(try ledger.advice(latest: 5, pending: 9) == .free(6, missing: []))
        #expect(try ledger.advice(latest: 7, pending: 9) == .free(8, missing: []))
    }

    @Test("a refused transaction is found after all; or it is not, and a later silence leaves it unknown")
    mutating func refusedAndFound() throws {
        let transaction = try signed(5)
        try ledger.record(transaction)
        try ledger.note(.refused, for: transaction.hash)
        try ledger.note(.unanswered, for: transaction.hash)
        #expect(try ledger.advice(latest: 5, pending: 5) == .resolve(transaction))
        try ledger.note(.refused, for: transaction.hash)
        #expect(ledger.slots.map(\.isHole) == [false])
        try ledger.note(.accepted, for: transaction.hash)
        try ledger.note(.refused, for: transaction.hash)
        #expect(ledger.slots.map(\.isOpen) == [false])
    }

    @Test("a nonce can be refused any number of times: the oldest refused transaction is forgotten")
    mutating func refusedOften() throws {
        var all: [SignedEthereumTransaction] = []
        for tip in 1...9 as ClosedRange<UInt64> {
            all.append(try signed(5, tip: tip))
            try ledger.record(all[all.count - 1])
            try ledger.note(.refused, for: all[all.count - 1].hash)
        }
        #expect(ledger.slots.map { $0.attempts.map(\.transaction) } == [Array(all.dropFirst())])
        #expect(try NonceLedger(decoding: ledger.encoded) == ledger)
    }

    @Test("the highest nonce ever used is kept, even when its transaction is forgotten")
    mutating func next() throws {
        #expect(ledger.next == nil)
        ledger.update(latest: 9, height: 100)
        #expect(ledger.next == nil)
        try ledger.record(try signed(7))
        try ledger.record(try signed(5))
        #expect(ledger.next == 8)
        ledger.update(latest: 20, height: 100)
        ledger.update(latest: 20, height: 164)
        #expect(ledger.slots.isEmpty && ledger.next == 8)
        #expect(hex(ledger.encoded) == "db01827a6994" + hex(account.bytes) + "c008")
        #expect(try NonceLedger(decoding: ledger.encoded) == ledger)
    }

    @Test("a nonce used by an unknown transaction stays until the user has been told")
    mutating func doubtful() throws {
        try ledger.record(try signed(5))
        ledger.update(latest: 6, height: 100, keeping: [5])
        ledger.update(latest: 6, height: 1_000, keeping: [5])
        #expect(ledger.slots.map(\.nonce) == [5])
        ledger.forget(5)
        #expect(ledger.slots.isEmpty)
        try ledger.record(try signed(6))
        ledger.forget(6)
        #expect(ledger.slots.map(\.nonce) == [6])
    }

    @Test("an unanswered broadcast comes first, and is never signed again with another nonce")
    mutating func unanswered() throws {
        let transaction = try signed(5)
        try ledger.record(transaction)
        // As after a crash, before it was sent.
        #expect(try ledger.advice(latest: 5, pending: 5) == .resolve(transaction))
        try ledger.note(.unanswered, for: transaction.hash)
        #expect(try ledger.advice(latest: 5, pending: 5) == .resolve(transaction))
        // It may have arrived: "nonce too low", "underpriced" and similar errors do not free it.
        try ledger.note(.refused, for: transaction.hash)
        #expect(try ledger.advice(latest: 5, pending: 5) == .resolve(transaction))
        try ledger.note(.accepted, for: transaction.hash)
        #expect(try ledger.advice(latest: 5, pending: 6) == .free(6, missing: []))
        // A later silence does not undo that.
        try ledger.note(.unanswered, for: transaction.hash)
        #expect(try ledger.advice(latest: 5, pending: 6) == .free(6, missing: []))
    }

    @Test("a mined nonce needs no resolution")
    mutating func used() throws {
        try ledger.record(try signed(5))
        #expect(try ledger.advice(latest: 6, pending: 6) == .free(6, missing: []))
        ledger.update(latest: 6, height: 100)
        #expect(ledger.waiting.isEmpty)
        #expect(throws: NonceLedger.Fault.used(nonce: 5)) { try ledger.record(try signed(5, tip: 900, all: 9_000)) }
    }

    @Test("when its block is abandoned, a transaction waits again; after 64 blocks it is forgotten")
    mutating func reorganisation() throws {
        let transaction = try signed(5)
        try ledger.record(transaction)
        try ledger.note(.accepted, for: transaction.hash)
        ledger.update(latest: 6, height: 100)
        #expect(ledger.slots.map(\.usedAt) == [100])
        ledger.update(latest: 5, height: 101)
        #expect(ledger.waiting.map(\.nonce) == [5])
        #expect(try ledger.advice(latest: 5, pending: 5) == .free(6, missing: [5]))
        ledger.update(latest: 6, height: 102)
        ledger.update(latest: 6, height: 165)
        #expect(ledger.slots.map(\.usedAt) == [102])
        ledger.update(latest: 6, height: 166)
        #expect(ledger.slots.isEmpty)
    }

    @Test("an impossibly large height is stored, and read back")
    mutating func endlessHeight() throws {
        try ledger.record(try signed(5))
        ledger.update(latest: 6, height: .max)
        #expect(try NonceLedger(decoding: ledger.encoded) == ledger)
    }

    @Test("transactions of other accounts or chains, and too many, are not recorded")
    mutating func foreign() throws {
        #expect(throws: NonceLedger.Fault.foreign) { try ledger.record(try signed(5, key: 8)) }
        #expect(throws: NonceLedger.Fault.foreign) { try ledger.record(try signed(5, chain: 1)) }
        for nonce in 0..<64 as Range<UInt64> {
            let transaction = try signed(nonce)
            try ledger.record(transaction)
            try ledger.note(.accepted, for: transaction.hash)
        }
        #expect(throws: NonceLedger.Fault.full(limit: 64)) { try ledger.record(try signed(64)) }
        #expect(throws: NonceLedger.Fault.full(limit: 64)) { try ledger.advice(latest: 0, pending: 64) }
        #expect(try ledger.advice(latest: 1, pending: 64) == .free(64, missing: []))
        // A node that lags counts them as unconfirmed again, beyond the limit: the ledger can still be read.
        ledger.update(latest: 64, height: 10)
        try ledger.record(try signed(64))
        ledger.update(latest: 0, height: 11)
        #expect(ledger.waiting.count == 65)
        #expect(try NonceLedger(decoding: ledger.encoded) == ledger)
        #expect(throws: NonceLedger.Fault.full(limit: 64)) { try ledger.record(try signed(65)) }
        ledger.update(latest: 65, height: 12)
        #expect(try ledger.advice(latest: 65, pending: 65) == .free(65, missing: []))
    }

    // MARK: - Replacement

    @Test(
        "a replacement pays a tenth more on both fees, rounded up; a wei less is refused",
        arguments: [
            (tip: 100, all: 1_000, leastTip: 110, leastAll: 1_100),
            (tip: 101, all: 1_001, leastTip: 112, leastAll: 1_102),
            (tip: 1, all: 9, leastTip: 2, leastAll: 10), (tip: 0, all: 1, leastTip: 1, leastAll: 2),
        ] as [(tip: UInt64, all: UInt64, leastTip: UInt64, leastAll: UInt64)])
    func least(tip: UInt64, all: UInt64, leastTip: UInt64, leastAll: UInt64) throws {
        var ledger = ledger
        let first = try signed(5, tip: tip, all: all)
        try ledger.record(first)
        let least = try first.transaction.leastReplacementFees()
        #expect(least == Self.fees(leastTip, leastAll))
        for (tip, all) in [(leastTip - 1, leastAll), (leastTip, leastAll - 1)] {
            #expect(throws: NonceLedger.Fault.underpriced(least)) {
                try ledger.record(try signed(5, tip: tip, all: all))
            }
        }
        try ledger.record(try signed(5, tip: leastTip, all: leastAll))
        #expect(ledger.slots.map(\.attempts.count) == [2])
        try ledger.record(first)
        #expect(ledger.slots.map(\.attempts.count) == [2])
    }

    @Test("a legacy transaction's single price is both fees")
    mutating func legacy() throws {
        let first = try signed(5, kind: .legacy(gasPrice: Wei(1_000)))
        try ledger.record(first)
        #expect(try first.transaction.leastReplacementFees() == Self.fees(1_100, 1_100))
        #expect(throws: NonceLedger.Fault.self) {
            try ledger.record(try signed(5, kind: .legacy(gasPrice: Wei(1_099))))
        }
        #expect(throws: NonceLedger.Fault.self) { try ledger.record(try signed(5, tip: 1_099, all: 2_000)) }
        try ledger.record(try signed(5, kind: .legacy(gasPrice: Wei(1_100))))
    }

    @Test("a nonce has eight transactions at most")
    mutating func manyReplacements() throws {
        for number in 0..<8 as Range<UInt64> {
            try ledger.record(try signed(5, tip: 100 << number, all: 1_000 << number))
        }
        #expect(throws: NonceLedger.Fault.full(limit: 8)) {
            try ledger.record(try signed(5, tip: 100 << 8, all: 1_000 << 8))
        }
    }

    @Test("a refused replacement leaves the one before it, and the next one outbids it too")
    mutating func refusedReplacement() throws {
        let (first, second) = (try signed(5), try signed(5, tip: 200, all: 2_000))
        try ledger.record(first)
        try ledger.note(.accepted, for: first.hash)
        try ledger.record(second)
        #expect(try ledger.advice(latest: 5, pending: 6) == .resolve(second))
        try ledger.note(.refused, for: second.hash)
        #expect(ledger.slots.map { $0.attempts.map(\.state) } == [[.sent, .refused]])
        #expect(try ledger.advice(latest: 5, pending: 6) == .free(6, missing: []))
        let fees = try ledger.slots.first?.replacementFees(suggested: Self.fees(1, 1), ceiling: Wei(9_999))
        #expect(fees == Self.fees(220, 2_200))
        #expect(throws: NonceLedger.Fault.underpriced(Self.fees(110, 1_100))) {
            try ledger.record(try signed(5, tip: 300, all: 1_099))
        }
    }

    @Test("the fees of a replacement are the present ones, at least a tenth higher, and never above the ceiling")
    func fees() throws {
        var ledger = ledger
        try ledger.record(try signed(5))
        let slot = try #require(ledger.slots.first)
        func fees(_ tip: UInt64, _ all: UInt64, ceiling: UInt64) throws -> EthereumTransaction.Fees {
            try slot.replacementFees(suggested: Self.fees(tip, all), ceiling: Wei(UInt256(ceiling)))
        }
        #expect(try fees(1, 1, ceiling: 5_000) == Self.fees(110, 1_100))
        #expect(try fees(300, 3_000, ceiling: 5_000) == Self.fees(300, 3_000))
        #expect(try fees(300, 3_000, ceiling: 2_000) == Self.fees(300, 2_000))
        #expect(try fees(3_000, 3_000, ceiling: 2_000) == Self.fees(2_000, 2_000))
        #expect(throws: NonceLedger.Fault.aboveCeiling(least: Self.fees(110, 1_100))) { try fees(1, 1, ceiling: 1_099) }
    }

    @Test("a speed-up changes the fees only; a cancellation sends nothing to the account itself")
    func forms() throws {
        let transaction = try signed(5).transaction
        let fees = Self.fees(110, 1_100)
        let faster = try transaction.spedUp(fees)
        #expect((faster.nonce, faster.to, faster.value, faster.gasLimit) == (5, .zero, .zero, 21_000))
        #expect(faster.fees == fees)
        // The chain may require more gas by now.
        #expect(try transaction.spedUp(fees, gas: 30_000).gasLimit == 30_000)
        #expect(try transaction.cancellation(by: account, fees, gas: 30_000).gasLimit == 30_000)
        let legacy = try signed(5, kind: .legacy(gasPrice: Wei(1_000))).transaction.spedUp(fees)
        #expect(legacy.kind == .legacy(gasPrice: Wei(1_100)))
        let nothing = try transaction.cancellation(by: account, fees, gas: 21_000)
        #expect((nothing.nonce, nothing.to, nothing.value, nothing.data) == (5, account, .zero, []))
        #expect((nothing.gasLimit, nothing.chainID, nothing.fees) == (21_000, chain, fees))
        let blob = try EthereumTransaction(
            chainID: chain, nonce: 5, gasLimit: 21_000, to: .zero, value: .zero, data: [],
            kind: .blob(fees, [], maxFeePerBlobGas: .zero, blobHashes: [[1] + Array(repeating: 0, count: 31)]))
        #expect(throws: NonceLedger.Fault.notReplaceable) { try blob.leastReplacementFees() }
        #expect(throws: NonceLedger.Fault.notReplaceable) { try blob.spedUp(fees) }
        #expect(throws: NonceLedger.Fault.notReplaceable) { try blob.cancellation(by: account, fees, gas: 21_000) }
    }

    // MARK: - Bytes

    @Test("a ledger decodes from its bytes, and no other bytes decode to it")
    mutating func bytes() throws {
        #expect(hex(ledger.encoded) == "da01827a6994" + hex(account.bytes) + "c0")
        let first = try signed(5)
        try ledger.record(first)
        try ledger.note(.accepted, for: first.hash)
        try ledger.record(try signed(5, tip: 200, all: 2_000))
        try ledger.record(try signed(9))
        try ledger.record(try signed(3, kind: .legacy(gasPrice: Wei(7))))
        let hole = try signed(10)
        try ledger.record(hole)
        try ledger.note(.refused, for: hole.hash)
        ledger.update(latest: 4, height: 1_000)
        let bytes = ledger.encoded
        #expect(try NonceLedger(decoding: bytes) == ledger)
        var forgetful = ledger
        forgetful.update(latest: 11, height: 1_000)
        forgetful.forget(10)
        #expect(try NonceLedger(decoding: forgetful.encoded) == forgetful)
        let samples = [bytes, forgetful.encoded, NonceLedger(chain: chain, account: account).encoded]
        Fuzz.mutations(of: samples, iterations: 2_000) {
            mutation in
            guard let read = try? NonceLedger(decoding: mutation) else { return }
            #expect(read.encoded == mutation)
        }
    }

    @Test("malformed bytes, and another account's ledger, are refused")
    func refusedBytes() throws {
        func slot(
            _ nonce: UInt64, used: UInt64 = 0, _ attempts: (state: UInt64, transaction: SignedEthereumTransaction)...
        ) -> RLP {
            let list = attempts.map { RLP.list([RLP($0.state), .bytes($0.transaction.encoded)]) }
            return .list([RLP(nonce), RLP(used), .list(list)])
        }
        func ledger(version: UInt64 = 1, chain: UInt64 = 31_337, _ slots: RLP..., further: [RLP] = []) -> [UInt8] {
            RLP.list([RLP(version), RLP(chain), .bytes(account.bytes), .list(slots)] + further).encoded
        }
        let (first, second, cheap) = (try signed(5), try signed(6), try signed(5, tip: 109, all: 2_000))
        let sound = ledger(slot(5, used: 8, (2, first)), slot(6, (0, second)))
        #expect(try NonceLedger(decoding: sound).encoded == sound)
        #expect(try NonceLedger(decoding: sound).slots.map(\.usedAt) == [7, nil])
        #expect(try NonceLedger(decoding: sound).next == 7)
        let further = ledger(slot(5, (3, first), (2, cheap)), further: [RLP(9)])
        #expect(try NonceLedger(decoding: further).encoded == further)
        #expect(try NonceLedger(decoding: further).next == 9)
        let unsound = [
            [], Array(sound.dropLast()), sound + [0], ledger(version: 2), ledger(chain: 0), ledger(slot(5)),
            ledger(slot(6, (0, second)), slot(5, (2, first))), ledger(slot(5, (2, first)), slot(5, (2, first))),
            ledger(slot(5, (2, first), (2, first))), ledger(slot(5, (4, first))), ledger(slot(5, (256, first))),
            ledger(further: [RLP(0)]), ledger(slot(5, (2, first)), further: [RLP(6)]),
            ledger(slot(5, (2, first)), further: [RLP(7), RLP(8)]), ledger(slot(5, (2, first)), further: [.list([])]),
            ledger(slot(6, (2, first))), ledger(slot(4, (2, first))),
            ledger(slot(5, (2, try signed(5, key: 8)))), ledger(slot(5, (2, try signed(5, chain: 1)))),
            ledger(.list([])), ledger(.bytes([5])),
        ]
        for (number, bytes) in unsound.enumerated() {
            #expect(throws: NonceLedger.Fault.malformed, "\(number)") { try NonceLedger(decoding: bytes) }
        }
    }
}
