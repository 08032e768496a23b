internal import Ceremonies
internal import Custody
internal import Encoding
internal import Payments
internal import Terminal
internal import Wallet

/// Shows what is to be signed, asks, and has it signed.
struct SigningPrompt {
    let flow: SigningFlow
    private let options: SigningOptions
    private let output: Output

    /// Asks for the passphrase, and opens the wallet's book.
    static func open(
        _ wallet: WalletRecord, _ options: SigningOptions, _ global: GlobalOptions, _ output: Output
    ) async throws(Failure) -> SigningPrompt {
        let shares = try options.locations(of: wallet)
        let approvals = try ApprovalFile.read(options.approvals)
        let passphrase = try options.passphrase.existing()
        do throws(PaymentError) {
            let flow = try await SigningFlow.open(
                wallet, in: global.walletHome, passphrase: passphrase, shares: shares, approvals: approvals,
                isRehearsal: options.dryRun, now: { .now }, steps: HeldSignals(),
                report: output.listener(for: wallet.name))
            return SigningPrompt(flow: flow, options: options, output: output)
        } catch { throw error.failure }
    }

    /// The names of the shares that sign.
    var shares: [String] { flow.shares.map(\.name) }

    /// Shows what signing this does, asks, and has it signed. What has to wait, for a time to pass or for an approval, waits in the book.
    ///
    /// - Parameter accepted: costly findings that another option of the command accepts, beside those that `--accept` names.
    /// - Returns: nil after a dry run, which has printed what would be signed.
    /// - Throws: a ``Failure`` that has what was to be signed with it.
    func sign(
        _ proposal: ProposedSigning, accepting accepted: Set<String> = []
    ) async throws(Failure) -> (signed: SignedProposal, view: IntentView)? {
        let names = PartyNames(await flow.book.contacts())
        var view = try attempt { () throws(CustodyError) in
            try IntentView(proposal, of: flow.wallet, names: names)
        }
        if !proposal.ignoredApprovals.isEmpty {
            view.ignored_approvals = proposal.ignoredApprovals.map { $0.sentence(on: options.approvals) }
        }
        let confirmed: ConfirmedSigning
        do throws(Failure) { confirmed = try await confirm(proposal, view, accepting: accepted) } catch {
            throw error.before(signing: view)
        }
        if flow.isRehearsal {
            try output.result(view) { view.text }
            return nil
        }
        let signed = try await attempt { () async throws(PaymentError) in try await flow.sign(confirmed) }
        return (signed, view)
    }

    /// What went wrong when the signatures were there, told.
    func warnings(of signed: SignedProposal) -> [String] {
        let warnings = signed.warnings.map { "the signatures are good, but \($0.failure.message)" }
        for warning in warnings { output.note("warning: \(warning)") }
        return warnings
    }

    /// Shows what will be signed, and asks; or compares it with what was shown before.
    private func confirm(
        _ proposal: ProposedSigning, _ view: IntentView, accepting accepted: Set<String>
    ) async throws(Failure) -> ConfirmedSigning {
        let digest = try options.expectedDigest() ?? proposal.intent.digest
        let isAllowed = proposal.decision.verdict == .allowed
        // Before a person reads and confirms. What has to wait needs neither shares nor passphrase.
        if !flow.isRehearsal, isAllowed {
            try await attempt { () async throws(PaymentError) in try await flow.requireShares() }
        }
        // `--yes` is written before the person has seen it, and a program may confirm whatever digest it is shown: what is
        // costly takes a yes of its own. The question shows it all, and so does a dry run.
        let isAsked = !options.yes && options.expect == nil
        let costs = proposal.intent.costs(besides: [])
        let names = isAsked ? Set(costs.map(\.name)) : options.accepted.names.union(accepted)
        let unaccepted = proposal.intent.costs(besides: names)
        let isHeld = isAllowed && digest == proposal.intent.digest && !unaccepted.isEmpty
        // Nobody is asked about what will not be signed anyway. The question shows it all itself.
        let isQuestion = isAsked && !flow.isRehearsal && isAllowed
        let isShownLater = isAllowed && (isQuestion || flow.isRehearsal)
        // What an error says at the end is not said twice.
        let telling: IntentView.Telling =
            !isAllowed ? .withoutRefusals : isHeld && unaccepted == costs ? .withoutCosts : .all
        if !isShownLater || isHeld { output.note(view.text(telling) + StyledText("\n")) }
        let confirmed: ConfirmedSigning
        do throws(PaymentError) { confirmed = try proposal.confirmed(digest, accepting: names) } catch {
            if case .custody(.ceremony(.notAccepted(let costs))) = error {
                throw .notAccepted(costs, by: options.expect == nil ? "--yes" : "--expect")
            }
            var failure = await waiting(proposal) ?? error.failure
            for sentence in view.ignored_approvals ?? [] { failure.message += "; \(sentence)" }
            throw failure
        }
        let question =
            proposal.isRepeated ? "This pays the same a second time. Sign it all the same?" : "Sign this?"
        if isQuestion, try !Confirmation.ask(question, about: view.text, insteadUse: "--yes, or --expect DIGEST") {
            throw .declined()
        }
        return confirmed
    }

    /// Keeps what may be signed later, and says how to go on. Nothing for what is wrong whatever the policy is.
    private func waiting(_ proposal: ProposedSigning) async -> Failure? {
        guard proposal.intent.refusals.isEmpty else { return nil }
        var failure = CeremonyError.forbidden(proposal.decision).failure
        let name = flow.wallet.name
        let place = "\(name) \(Hex.encode(proposal.intent.digest.prefix(4)))"
        let next: String
        switch proposal.decision.verdict {
        case .allowed: return nil
        case .denied:
            failure.hint = "'fueki policy show \(name)' prints the rules, which are tried in their order"
            return failure
        case .notBefore where flow.isRehearsal, .needsApproval where flow.isRehearsal: return failure
        case .notBefore(let time):
            next = "from \(time.timeText) on 'fueki pending sign \(place) -o FILE' signs it"
        case .needsApproval:
            next =
                "'fueki pending export \(place) -o FILE' writes what is to be approved, and "
                + "'fueki pending sign \(place) --approval FILE -o FILE' signs it then"
        }
        do throws(PaymentError) {
            try await flow.hold(proposal)
            failure.hint = "it waits in the wallet's book: \(next)"
        } catch {
            failure.hint = "it could not be kept until then: \(error.failure.message)"
        }
        return failure
    }
}

extension SigningOptions {
    /// What `--expect` names.
    func expectedDigest() throws(Failure) -> [UInt8]? {
        guard let expect else { return nil }
        guard let digest = try? Hex.decode(expect.lowercased()) else {
            throw .usage("--expect takes the digest that was shown")
        }
        return digest
    }
}

/// A file that an approver gives.
enum ApprovalFile {
    /// Reads several, in their order.
    static func read(_ paths: [String]) throws(Failure) -> [Approval] {
        var read: [Approval] = []
        for path in paths {
            let bytes = try InputFile.read(path)
            read.append(try attempt(on: path) { () throws(CustodyError) in try Approval(file: bytes) })
        }
        return read
    }
}

extension IgnoredApproval {
    /// - Parameter paths: of the files that the approvals came in.
    func sentence(on paths: [String]) -> String {
        let text =
            switch reason {
            case .notAsked(let names): "nobody asks for an approval by \(names.joined(separator: ", "))"
            case .otherDigest(let digest):
                "it approves something else, with the digest \(Hex.encode(digest.prefix(8)))…"
            case .unknownKey(let key): "its key, \(Hex.encode(key.prefix(8)))…, is that of no approver of the policy"
            case .badSignature: "its signature is not by the key that it names"
            }
        return "\(paths[index]) does not count: \(text)"
    }
}
