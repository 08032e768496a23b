internal import Amounts
internal import Bitcoin
internal import Custody
internal import Encoding
internal import Nodes
internal import Wallet

/// The way of a planned transaction of Bitcoin from the plan into a block: signed, written down, tried, handed over, waited for.
struct BitcoinDelivery {
    let chain: any BitcoinChain
    let output: Output
    /// Whether to wait until it is mined.
    let waits: Bool
    /// Whether the caller who is told ordered the payment, and does not only speed it up or cancel it.
    var isOrder = false

    /// - Parameters:
    ///   - node: what the node says of it.
    ///   - remarks: what else the person should know.
    ///   - accepted: costly findings that the options of the command accept.
    ///   - order: the order that it is an attempt at.
    ///   - isFurther: whether it is a payment beside all earlier ones of the order.
    func deliver(
        _ unsigned: PSBT, fee: Amount, node: NodeView, _ remarks: [Remark] = [], accepting accepted: Set<String>,
        for order: OrderIdentity?, isFurther: Bool = false, through desk: borrowing SigningDesk
    ) async throws(Failure) {
        guard
            let (signed, view) = try await desk.sign(
                .bitcoinTransaction(unsigned), node: node, remarks: remarks, accepting: accepted, for: order,
                isFurther: isFurther)
        else { return }
        var warnings = desk.warnings(of: signed)
        guard case .bitcoinTransaction(let psbt) = signed.product else {
            preconditionFailure("what is signed for a transaction of Bitcoin is one")
        }
        let transaction = try attempt { () throws(BitcoinError) in try psbt.finalised().transaction() }
        guard let digest = try? Hex.decode(view.digest) else { preconditionFailure("a digest is shown as digits") }
        let id = transaction.id
        // The book has it: what may be mined is on the disk before it is on the network.
        try await note(.unanswered, digest, desk)
        do throws(Failure) { try await send(transaction) } catch { throw error.after(signing: "\(id)", view) }
        do throws(Failure) {
            let mined = try await follow(transaction, digest, desk, &warnings)
            let result = BitcoinOutcome(
                of: transaction, on: chain.network, mined, fee: fee, shares: desk.shares, warnings: warnings,
                digest: digest, intent: view)
            try tell(result, "is sent: it waits for a block", of: id)
            if isOrder { await desk.acknowledge(digest, isClosed: waits) }
        } catch { throw error.after(signing: "\(id)", view) }
    }

    /// Sends what was signed before, as it is, unless the node has it, or it is mined by now.
    func resend(_ waiting: BitcoinWaiting, through desk: borrowing SigningDesk) async throws(Failure) {
        let id = waiting.transaction.id
        guard !desk.isRehearsal else { throw .wouldBeSentAgain("transaction \(id)") }
        var mined = waiting.height.map { BitcoinWait.Mined(height: $0, entry: nil) }
        var warnings: [String] = []
        if let height = waiting.height {
            if let digest = waiting.digest { try await note(.mined(height: UInt64(height)), digest, desk) }
        } else {
            if !waiting.isShown {
                if let digest = waiting.digest { try await note(.unanswered, digest, desk) }
                try await send(waiting.transaction)
            }
            if let digest = waiting.digest {
                mined = try await follow(waiting.transaction, digest, desk, &warnings)
            }
        }
        let result = BitcoinOutcome(
            of: waiting.transaction, on: chain.network, mined, fee: waiting.fee, shares: [], warnings: warnings,
            digest: waiting.digest, intent: nil)
        try tell(result, "is sent, as it was signed: it waits for a block", of: id)
        if isOrder, let digest = waiting.digest {
            await desk.acknowledge(digest, isClosed: waits && waiting.height == nil)
        }
    }

    /// - Parameter waiting: what is said of one that waits for a block.
    private func tell(_ result: BitcoinOutcome, _ waiting: String, of id: TransactionID) throws(Failure) {
        do throws(Failure) { try output.result(result) { result.text(waiting) } } catch {
            throw Self.sentNotSeen(id, error)
        }
    }

    /// Has the node try it, and hands it over.
    ///
    /// - Parameter hint: what to do when it is signed, and not sent for this reason.
    /// - Throws: with the transaction's id, and the hint: it is signed, whatever happens here.
    func send(
        _ transaction: Transaction, hint: (NodeError) -> String = BitcoinDelivery.hint
    ) async throws(Failure) {
        do throws(NodeError) {
            output.progress("handing it to the node")
            if case .refused(let words) = try await chain.acceptance(of: transaction) {
                throw NodeError.refused(.other, words)
            }
            try await chain.broadcast(transaction)
        } catch {
            let failure = error.failure
            throw Failure(
                code: failure.code, name: failure.name,
                message: "transaction \(transaction.id) is signed, but \(failure.message)", hint: hint(error),
                quoted: failure.quoted, id: "\(transaction.id)")
        }
    }

    /// Of what is in the wallet's book.
    static func hint(_ error: NodeError) -> String {
        switch error {
        case .refused:
            "ordered again, this one is tried again. 'fueki cancel' with this id takes its place, "
                + "and so does 'fueki speed-up' with --fee-rate"
        case .outcomeUnknown:
            "give the same order again, and no other one: it looks this one up, and sends the very same bytes"
        default: "it was not sent: 'fueki speed-up' with this id sends it"
        }
    }

    /// A node has it: whatever goes wrong from here on, it must not be paid once more.
    private static func sentNotSeen(_ id: TransactionID, _ failure: Failure) -> Failure {
        Failure(
            code: .unavailable, name: "sent_not_seen",
            message: "transaction \(id) is sent; what came then: \(failure.message)",
            hint: "the same order once more, or 'fueki history' with --node, tells what became of it",
            quoted: failure.quoted, id: "\(id)")
    }

    /// Notes that it is sent, and waits for it, or for another one of the wallet that is mined in its place and pays the same.
    ///
    /// - Returns: nil if it was not waited for.
    private func follow(
        _ transaction: Transaction, _ digest: [UInt8], _ desk: borrowing SigningDesk, _ warnings: inout [String]
    ) async throws(Failure) -> BitcoinWait.Mined? {
        do throws(Failure) { try await note(.sent, digest, desk) } catch { warn(error, &warnings) }
        guard waits else { return nil }
        let awaited = await desk.book.history().first { $0.digest == digest }
        await desk.book.close()
        let mined: BitcoinWait.Mined
        do throws(Failure) {
            mined = try await BitcoinWait(chain: chain, output: output).mined(transaction.id) {
                await desk.alternatives(to: digest)
            }
        } catch { throw Self.sentNotSeen(transaction.id, error) }
        do throws(Failure) {
            try await desk.noteLater(.mined(height: UInt64(mined.height)), of: mined.entry?.digest ?? digest)
        } catch { warn(error, &warnings) }
        if let entry = mined.entry, let awaited {
            let instead = try MinedInstead(entry, insteadOf: awaited, at: UInt64(mined.height))
            warnings.append(instead.warning)
            output.note("note: \(instead.warning)")
        }
        return mined
    }

    private func warn(_ failure: Failure, _ warnings: inout [String]) {
        let warning = "the transaction is sent, but the wallet's book does not know it: \(failure.message)"
        warnings.append(warning)
        output.note("warning: \(warning)")
    }

    private func note(
        _ outcome: HistoryEntry.Outcome, _ digest: [UInt8], _ desk: borrowing SigningDesk
    ) async throws(Failure) {
        let book = desk.book
        try await attempt { () async throws(CustodyError) in try await book.note(outcome, of: digest) }
    }
}

extension NodeView {
    /// - Parameter expectedFee: the most that it should cost, by what the node says.
    init(balance: Amount, expectedFee: Amount?) {
        self.init(
            balance: UInt256(balance.satoshis), expectedFee: expectedFee.map { UInt256($0.satoshis) }, contracts: [],
            failure: nil)
    }
}
