internal import Custody
internal import Encoding
internal import Ethereum
internal import Nodes
internal import Wallet

extension EthereumSending {
    /// What takes the place of a transaction that waits.
    enum Replacement {
        /// One that does the same, and pays more.
        case faster
        /// One that does nothing.
        case cancellation
    }

    /// Puts another transaction in the place of one that waits.
    ///
    /// - Parameters:
    ///   - text: its hash.
    ///   - waits: until it is mined.
    func replace(
        _ text: String, by replacement: Replacement, fee: FeeOptions, signing: SigningOptions, waits: Bool
    ) async throws(Failure) {
        guard text.hasPrefix("0x"), let hash = try? Hex.decode(String(text.dropFirst(2))), hash.count == 32 else {
            throw .usage(
                "a transaction of Ethereum is named by its hash: 0x and 64 hexadecimal digits",
                hint: "one of Bitcoin has 64 digits without 0x, and takes no --chain")
        }
        _ = try fee.highestFee(on: chain)
        let node = try await node.ethereum(chain: chain)
        let desk = try await SigningDesk.open(wallet, signing, global, output)
        let account = try await account(of: hash, in: desk.book)
        var queue = try await EthereumQueue(
            of: account, in: wallet, desk.book, on: node, isRehearsal: desk.isRehearsal, output)
        let slot = try await waitingSlot(of: hash, in: queue)
        let original = try standing(hash, in: slot, replacement)
        let address = queue.address
        let plan = try await EthereumPlan(replacing: slot, from: address, fee: fee, on: node) {
            (fees, gas) throws(NonceLedger.Fault) in
            switch replacement {
            case .faster: try original.spedUp(fees, gas: gas)
            case .cancellation: try original.cancellation(by: address, fees, gas: gas ?? NodeLimits.leastGas)
            }
        }
        let order = await desk.book.history().last { $0.id == "0x" + Hex.encode(hash) }?.order
        try await submit(plan, [], for: order, through: &queue, desk, accepting: fee.accepted, waits: waits)
    }

    /// The transaction that is replaced: of those with the same nonce the last that no node has refused.
    ///
    /// - Throws: a ``Failure`` that names it, if the person has named another one.
    private func standing(
        _ hash: [UInt8], in slot: NonceLedger.Slot, _ replacement: Replacement
    ) throws(Failure) -> EthereumTransaction {
        let standing = (slot.attempts.last { $0.state != .refused } ?? slot.newest).transaction
        guard standing.hash != hash else { return standing.transaction }
        let named = slot.attempts.first { $0.transaction.hash == hash }
        let isSame = named.map { $0.transaction.transaction.doesTheSame(as: standing.transaction) } ?? false
        if isSame, case .cancellation = replacement { return standing.transaction }
        if isSame, named?.state == .refused { return standing.transaction }
        throw Failure(
            code: .refused, name: "replaced", message: "\(standing.name) has taken its place: name that one")
    }

    /// Accounts whose nonces are looked through for a hash.
    private static let accounts: UInt32 = 100

    /// The account that made this transaction.
    private func account(of hash: [UInt8], in book: WalletBook) async throws(Failure) -> UInt32 {
        let name = "0x" + Hex.encode(hash)
        if let other = await book.history().last(where: { $0.id == name })?.chain, other != .ethereum(chain) {
            throw Failure(
                code: .usage, name: "other_chain", message: "\(name) was made on another chain, \(other)",
                hint: "name it: --chain \(other)")
        }
        if let account = options.account { return account }
        for index in 0..<Self.accounts {
            let address = try attempt { () throws(CustodyError) in try wallet.ethereumKey(at: index).address }
            let ledger = try await attempt { () async throws(CustodyError) in
                try await book.nonceLedger(on: chain, of: address)
            }
            if ledger.slot(of: hash) != nil { return index }
        }
        throw NonceLedger.Fault.unknown.failure
    }

    /// Its nonce, and all that was signed with it, if none of them is mined.
    private func waitingSlot(
        of hash: [UInt8], in queue: EthereumQueue
    ) async throws(Failure) -> NonceLedger.Slot {
        guard let slot = queue.slot(of: hash) else { throw NonceLedger.Fault.unknown.failure }
        for attempt in slot.attempts {
            guard case .mined(let receipt) = try await queue.whereabouts(of: attempt.transaction) else { continue }
            throw Failure(
                code: .refused, name: "mined",
                message: "\(attempt.transaction.name) is in block \(receipt.height), and stays as it is")
        }
        guard slot.usedAt == nil else { throw NonceLedger.Fault.used(nonce: slot.nonce).failure }
        return slot
    }
}

extension EthereumTransaction {
    /// Whether both pay the same to the same, or call the same.
    func doesTheSame(as other: EthereumTransaction) -> Bool {
        to == other.to && value == other.value && data == other.data
    }
}
