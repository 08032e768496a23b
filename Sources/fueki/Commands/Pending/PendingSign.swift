internal import ArgumentParser
internal import Bitcoin
internal import Custody
internal import Encoding
internal import Ethereum
internal import Wallet

struct PendingSign: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign what has waited, once the policy allows it.",
        discussion: """
            Writes a PSBT (Base64), a transaction of Ethereum (hexadecimal) or the signature of a message, and sends nothing.

            A payment that would spend a coin that was frozen since ('fueki coins freeze') is not signed.

            A transaction of Ethereum takes a number of its account. The same 'fueki send' once more hands it to the node, and \
            pays nothing further. Another order of that account comes behind it, and asks first whether to hand it over, too \
            (--resend).

            EXAMPLE
              fueki pending sign savings 3f2a9c01 -o signed \\
                  --approval anna.json --approval ben.json
            """)

    @OptionGroup var wallet: WalletArgument
    @OptionGroup var proposal: ProposalArgument

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where what is signed goes; '-' is standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @OptionGroup var signing: SigningOptions
    @OptionGroup var global: GlobalOptions

    private struct Result: Encodable {
        let output: String
        let chain: String?
        let shares: [String]
        let warnings: [String]
        let digest: String
        /// How it goes on, if there is something to do.
        let hint: String?
        let intent: IntentView
    }

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        try OutputFile.check(self.output, output)
        let desk = try await SigningDesk.open(wallet, signing, global, output)
        let found = try proposal.find(in: await desk.book.proposals())
        if let coin = await desk.book.frozenCoin(in: found.payload) { throw .frozen(coin) }
        var remarks = try await remarks(on: found.payload, of: wallet, in: desk.book)
        remarks += try await repetition(of: found, in: wallet, desk.book).map { [$0] } ?? []
        guard
            let (signed, view) = try await desk.sign(
                found.payload, node: nil, remarks: remarks, for: found.order)
        else { return }
        var warnings = desk.warnings(of: signed)
        if let warning = await noteNonce(of: signed.product, in: desk.book) {
            output.note("warning: \(warning)")
            warnings.append(warning)
        }
        await desk.book.close()
        let names = desk.shares.joined(separator: " and ")
        let hint = signed.product.hint
        try output.file(
            Array((signed.product.text + "\n").utf8), to: self.output,
            Result(
                output: self.output, chain: view.chain, shares: desk.shares, warnings: warnings, digest: view.digest,
                hint: hint, intent: view)
        ) { "signed with \(names)" + (hint.map { "\n\($0)" } ?? "") }
    }

    /// What should be known of a transaction's number on Ethereum.
    ///
    /// - Throws: a ``Failure`` if another one has it.
    private func remarks(
        on payload: SigningPayload, of wallet: WalletRecord, in book: WalletBook
    ) async throws(Failure) -> [Remark] {
        guard case .ethereumTransaction(let transaction, let account) = payload, let chain = transaction.chainID else {
            return []
        }
        let ledger = try await attempt { () async throws(CustodyError) in
            try await book.nonceLedger(on: chain, of: try wallet.ethereumKey(at: account).address)
        }
        if let slot = ledger.slots.first(where: { $0.nonce == transaction.nonce && !$0.isHole }) {
            throw Failure(
                code: .refused, name: "nonce_used",
                message: "its number, \(transaction.nonce), is that of transaction \(slot.newest.transaction.name)",
                hint: "order it once more: it gets another number")
        }
        return [Remark(transaction.nonce, beyond: ledger)].compactMap(\.self)
    }

    /// A remark, if another attempt at the same order is signed, and both can be mined.
    ///
    /// - Throws: a ``Failure`` if the order has a key: then it is paid once.
    private func repetition(
        of proposal: PendingProposal, in wallet: WalletRecord, _ book: WalletBook
    ) async throws(Failure) -> Remark? {
        guard let order = proposal.order else { return nil }
        let slot = try attempt { () throws(CustodyError) in
            try SigningSlot(of: proposal.payload, for: wallet.accounts)
        }
        let attempts = try await attempt { () async throws(CustodyError) in try await book.attempts(at: order) }
        guard
            let other = attempts.last(where: {
                $0.digest != proposal.digest && $0.id != nil && $0.state != .replaced && !$0.conflicts(with: slot)
            }), let id = other.id
        else { return nil }
        guard let key = order.key else {
            return Remark("repeated", "the same payment was signed already, as transaction \(id)", .costly)
        }
        throw Failure(
            code: .refused, name: "earlier_payment",
            message: "the payment with the key '\(key)' was signed already, as transaction \(id)",
            hint: "'fueki pending withdraw' forgets this one", id: id)
    }

    /// Remembers the number of a transaction of Ethereum, so that the next one takes another.
    private func noteNonce(of product: SigningProduct, in book: WalletBook) async -> String? {
        guard case .ethereumTransaction(let signed) = product, let chain = signed.transaction.chainID else {
            return nil
        }
        do {
            var ledger = try await book.nonceLedger(on: chain, of: signed.sender)
            try ledger.record(signed)
            try await book.save(ledger)
            return nil
        } catch {
            return "the signature is good, but its number could not be noted"
        }
    }
}

extension SigningProduct {
    /// How it goes on.
    fileprivate var hint: String? {
        guard case .ethereumTransaction = self else { return nil }
        return "it is not sent: the same 'fueki send' hands it to the node, and pays once"
    }

    /// As a file has it.
    fileprivate var text: String {
        switch self {
        case .bitcoinTransaction(let psbt): psbt.base64
        case .ethereumTransaction(let transaction): "0x" + Hex.encode(transaction.encoded)
        case .ethereumMessage, .bitcoinMessage: messageSignature
        }
    }
}
