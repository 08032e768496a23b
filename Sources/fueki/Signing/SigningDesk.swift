internal import Bitcoin
internal import Custody
internal import Encoding
internal import Ethereum
internal import Foundation
internal import Secrets
internal import Wallet

/// Where a command has something signed: the passphrase is there, the wallet's book is open, the shares are still closed.
///
/// Whatever is signed goes this way: decided, shown, confirmed, admitted by the book, signed by each holder for itself.
struct SigningDesk: ~Copyable {
    let wallet: WalletRecord
    /// Close it before a long wait: no other command signs while it is open.
    let book: WalletBook
    private let options: SigningOptions
    private let home: WalletHome
    private let output: Output
    private let locations: [ShareLocation]
    private let passphrase: SecretBytes
    private let approvals: ApprovalFiles

    /// Asks for the passphrase, and opens the book.
    static func open(
        _ wallet: WalletRecord, _ options: SigningOptions, _ global: GlobalOptions, _ output: Output
    ) async throws(Failure) -> SigningDesk {
        let locations = try options.locations(of: wallet)
        let approvals = try ApprovalFiles.read(options.approvals)
        let home = global.walletHome
        let passphrase = try options.passphrase.existing()
        let book = try await home.book(of: wallet, passphrase: passphrase, patience: 8)
        return SigningDesk(
            wallet: wallet, book: book, options: options, home: home, output: output, locations: locations,
            passphrase: passphrase, approvals: approvals)
    }

    private init(
        wallet: WalletRecord, book: WalletBook, options: SigningOptions, home: WalletHome, output: Output,
        locations: [ShareLocation], passphrase: consuming SecretBytes, approvals: ApprovalFiles
    ) {
        self.wallet = wallet
        self.book = book
        self.approvals = approvals
        self.options = options
        self.home = home
        self.output = output
        self.locations = locations
        self.passphrase = passphrase
    }

    /// Whether only what would be signed is shown, and nothing is signed, sent or kept.
    var isRehearsal: Bool { options.dryRun }

    /// The names of the shares that sign.
    var shares: [String] { locations.map(\.name) }

    /// Shows what signing this does, asks, opens the shares, and has their holders sign. The book has the signature when this
    /// returns. What has to wait, for a time to pass or for an approval, waits in the book.
    ///
    /// - Parameters:
    ///   - node: what a node says about it, where one was asked.
    ///   - remarks: what the person should know beside what can be read from the bytes.
    ///   - accepted: costly findings that another option of the command accepts, beside those that `--accept` names.
    ///   - order: the order that it is an attempt at: the book has it before anything is signed.
    ///   - isFurther: whether it is a payment beside all earlier ones of the order.
    /// - Returns: nil after a dry run, which has printed what would be signed.
    /// - Throws: a ``Failure`` that has what was to be signed with it.
    func sign(
        _ payload: SigningPayload, node: NodeView?, remarks: [Remark] = [], accepting accepted: Set<String> = [],
        for order: OrderIdentity? = nil, isFurther: Bool = false
    ) async throws(Failure) -> (signed: SignedPayload, view: IntentView)? {
        let now = UInt64.now
        if !isRehearsal {
            try await attempt { [book] () async throws(CustodyError) in try await book.notice(now: now) }
        }
        let (proposed, policy) = try await proposed(
            payload, now: now, node: node, remarks, for: order, isFurther: isFurther)
        let names = PartyNames(await book.contacts())
        var view = try attempt { () throws(CustodyError) in
            try IntentView(proposed, of: wallet, names: names, isPlannedHere: node != nil)
        }
        view.ignored_approvals = approvals.ignored(for: proposed.intent.digest, under: policy, proposed.decision)
        let confirmed: ConfirmedPayload
        do throws(Failure) {
            confirmed = try await confirm(proposed, view, order, now: now, accepting: accepted)
        } catch {
            var failure = error
            failure.intent = view
            throw failure
        }
        if isRehearsal {
            try output.result(view) { view.text }
            return nil
        }

        // The question may have been open for a day: what is signed now counts from now.
        let warden = book.warden(now: max(now, .now), approvals: approvals.approvals, node: node, for: order)
        var holders: [any Holder] = []
        for location in locations {
            output.progress("opening the \(location.name) share")
            holders.append(try await holder(location, for: confirmed, warden))
        }
        output.progress("signing with \(shares.joined(separator: " and "))")
        do throws(CustodyError) {
            let (book, ready) = (book, holders)
            let signed = try await HeldSignals.during { () async throws(CustodyError) in
                let signed = try await confirmed.sign(with: ready, random: SystemRandom())
                try await book.note(.signed(signed.product), of: confirmed.digest)
                return signed
            }
            return (signed, view)
        } catch {
            // The book knows whether a part of a signature has left a holder: then it counts.
            try? await book.note(.failed, of: confirmed.digest)
            throw error.failure
        }
    }

    /// Notes something after a long wait, for which the book was closed.
    func noteLater(_ outcome: HistoryEntry.Outcome, of digest: [UInt8]) async throws(Failure) {
        try await later { (book) throws(CustodyError) in try await book.note(outcome, of: digest) }
    }

    /// What else the wallet has signed that cannot happen beside an entry. For a long wait, for which the book was closed.
    ///
    /// - Returns: nothing where the book cannot be read now.
    func alternatives(to digest: [UInt8]) async -> [HistoryEntry] {
        let history = try? await later { (book) throws(CustodyError) in await book.history() }
        guard let history, let entry = history.first(where: { $0.digest == digest }) else { return [] }
        return [entry] + entry.alternatives(in: history)
    }

    /// Writes down that the result of a payment was printed: from now on the same order is another payment.
    ///
    /// Where that cannot be written, the same order finds this payment once more, which costs nothing.
    ///
    /// - Parameter isClosed: whether the book was closed for a long wait.
    func acknowledge(_ digest: [UInt8], isClosed: Bool) async {
        do throws(Failure) {
            guard isClosed else {
                let book = book
                return try await attempt { () async throws(CustodyError) in try await book.acknowledge(digest) }
            }
            try await later { (book) throws(CustodyError) in try await book.acknowledge(digest) }
        } catch {
            output.note("warning: the wallet's book could not be told that this result was printed: \(error.message)")
        }
    }

    /// Opens the book anew, after a wait for which it was closed.
    private func later<Value: Sendable>(
        _ body: @Sendable (WalletBook) async throws(CustodyError) -> Value
    ) async throws(Failure) -> Value {
        try await home.withBook(of: wallet, passphrase: passphrase, patience: 20, body)
    }

    /// What it does, in the situation that the book knows.
    private func proposed(
        _ payload: SigningPayload, now: UInt64, node: NodeView?, _ remarks: [Remark], for order: OrderIdentity?,
        isFurther: Bool
    ) async throws(Failure) -> (ProposedPayload, Policy) {
        do throws(CustodyError) {
            let policy = try await book.policy()
            let work = try wallet.work(of: payload)
            let situation = try await book.situation(
                for: payload, digest: work.intent.digest, now: now, approvals: approvals.approvals, node: node)
            let slot = try SigningSlot(of: payload, for: wallet.accounts)
            let history = await book.history()
            let isRepeated = remarks.contains { $0.name == Self.repeated }
            let found = [
                isRepeated ? nil : RecentPayment.remark(on: work, taking: slot, in: history, now: now),
                ReplacedPayment.remark(
                    on: work.intent, taking: slot, for: order, isFurther: isFurther, in: history),
            ]
            let judged = ProposedPayload(
                work, from: wallet, under: policy, in: situation, remarks: remarks + found.compactMap(\.self))
            return (judged, policy)
        } catch { throw error.failure }
    }

    /// What went wrong when the signatures were there, told.
    func warnings(of signed: SignedPayload) -> [String] {
        let warnings = signed.warnings.map { "the signatures are good, but \($0.failure.message)" }
        for warning in warnings { output.note("warning: \(warning)") }
        return warnings
    }

    /// Opens one share. For ECDSA its file stays open, to write into it what must not be forgotten.
    private func holder(
        _ location: ShareLocation, for confirmed: ConfirmedPayload, _ warden: any SigningWarden
    ) async throws(Failure) -> SigningHolder {
        do throws(CustodyError) {
            guard confirmed.needsLedgers else {
                return try await home.open(location, of: wallet, passphrase: passphrase)
                    .holder(confirmed: confirmed.digest, warden: warden, ledger: nil, random: SystemRandom())
            }
            let file = try await ShareFile.open(
                location, of: wallet, in: home, passphrase: passphrase, random: SystemRandom())
            let share = try await file.share()
            if let warning = UnfinishedAdvice.sentence(on: share.counts, of: location, in: wallet) {
                output.note("warning: \(warning)")
            }
            return
                share
                .holder(confirmed: confirmed.digest, warden: warden, ledger: file, random: SystemRandom())
        } catch { throw error.failure }
    }

    /// Sees that the shares are there, and that the passphrase is theirs, before a person reads and confirms. What has to wait
    /// needs neither.
    private func requireShares() async throws(Failure) {
        do throws(CustodyError) {
            try wallet.requireFiles(of: locations)
            try await book.requirePassphrase()
        } catch { throw error.failure }
    }

    /// Shows what will be signed, and asks; or compares it with what was shown before.
    private func confirm(
        _ proposed: ProposedPayload, _ view: IntentView, _ order: OrderIdentity?, now: UInt64,
        accepting accepted: Set<String>
    ) async throws(Failure) -> ConfirmedPayload {
        var digest = proposed.intent.digest
        if let expect = options.expect {
            guard let expected = try? Hex.decode(expect.lowercased()) else {
                throw .usage("--expect takes the digest that was shown")
            }
            digest = expected
        }
        if !isRehearsal, proposed.decision.verdict == .allowed { try await requireShares() }
        // Nobody is asked about what will not be signed anyway. The question shows it all itself.
        let isQuestion =
            !options.yes && options.expect == nil && !isRehearsal && proposed.decision.verdict == .allowed
        let isShownLater = isQuestion || (isRehearsal && proposed.decision.verdict == .allowed)
        let isRefused = proposed.decision.verdict != .allowed
        // `--yes` is written before the person has seen it, and a program may confirm whatever digest it is shown: what is
        // costly takes a yes of its own. The question shows it all, and so does a dry run.
        let isAsked = !options.yes && options.expect == nil
        let costs = proposed.intent.costs(besides: [])
        let names = isAsked ? Set(costs.map(\.name)) : options.accepted.names.union(accepted)
        let isHeld = !isRefused && digest == proposed.intent.digest && !proposed.intent.costs(besides: names).isEmpty
        // What an error says at the end is not said twice.
        let isSaidLater = isHeld && proposed.intent.costs(besides: names) == costs
        let telling: IntentView.Telling = isRefused ? .withoutRefusals : isSaidLater ? .withoutCosts : .all
        if !isShownLater || isHeld { output.note(view.text(telling) + "\n") }
        let confirmed: ConfirmedPayload
        do throws(CustodyError) { confirmed = try proposed.confirmed(digest, accepting: names) } catch {
            if case .notAccepted(let costs) = error {
                throw .notAccepted(costs, by: options.expect == nil ? "--yes" : "--expect")
            }
            var failure = await waiting(proposed, order, now: now) ?? error.failure
            for sentence in view.ignored_approvals ?? [] { failure.message += "; \(sentence)" }
            throw failure
        }
        let isRepeated = proposed.intent.remarks.contains { $0.name == Self.repeated }
        let question = isRepeated ? "This pays the same a second time. Sign it all the same?" : "Sign this?"
        if isQuestion, try !Confirmation.ask(question, about: view.text, insteadUse: "--yes, or --expect DIGEST") {
            throw .declined()
        }
        return confirmed
    }

    /// The name of the remark that the same payment is on its way.
    private static let repeated = "repeated"

    /// Keeps what may be signed later, and says how to go on. Nothing for what is wrong whatever the policy is.
    private func waiting(
        _ proposed: ProposedPayload, _ order: OrderIdentity?, now: UInt64
    ) async -> Failure? {
        guard proposed.intent.refusals.isEmpty else { return nil }
        var failure = CustodyError.forbidden(proposed.decision).failure
        let place = "\(wallet.name) \(Hex.encode(proposed.intent.digest.prefix(4)))"
        let next: String
        switch proposed.decision.verdict {
        case .allowed: return nil
        case .denied:
            failure.hint = "'fueki policy show \(wallet.name)' prints the rules, which are tried in their order"
            return failure
        case .notBefore where isRehearsal, .needsApproval where isRehearsal: return failure
        case .notBefore(let time):
            next = "from \(time.timeText) on 'fueki pending sign \(place) -o FILE' signs it"
        case .needsApproval:
            next =
                "'fueki pending export \(place) -o FILE' writes what is to be approved, and "
                + "'fueki pending sign \(place) --approval FILE -o FILE' signs it then"
        }
        do throws(CustodyError) {
            try await book.propose(proposed.payload, digest: proposed.intent.digest, now: now, for: order)
            failure.hint = "it waits in the wallet's book: \(next)"
        } catch {
            failure.hint = "it could not be kept until then: \(error.failure.message)"
        }
        return failure
    }
}

extension HistoryEntry.Outcome {
    /// What the book keeps of a signature.
    fileprivate static func signed(_ product: SigningProduct) -> HistoryEntry.Outcome {
        switch product {
        case .bitcoinTransaction(let psbt):
            // Signed in part, it has no witnesses yet; its name is the same.
            .signed(
                id: psbt.unsignedTransaction.id.description,
                bytes: (try? psbt.finalised().transaction())?.encoded ?? [])
        case .ethereumTransaction(let transaction):
            .signed(id: "0x" + Hex.encode(transaction.hash), bytes: transaction.encoded)
        case .ethereumMessage, .bitcoinMessage: .signed(id: nil, bytes: [])
        }
    }
}
