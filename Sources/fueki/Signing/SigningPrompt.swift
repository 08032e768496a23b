internal import Custody
internal import ErrorTexts
internal import Presentation
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

/// Shows the effects of signing a payload, asks for confirmation, and signs.
struct SigningPrompt {
    let flow: SigningFlow
    private let options: SigningOptions
    private let output: Output
    /// The unit of amounts of Bitcoin.
    let unit: BitcoinUnit
    private let label: WalletName?

    /// Asks for the passphrase, and opens the wallet's book.
    static func open(
        _ wallet: WalletRecord, _ options: SigningOptions, _ global: GlobalOptions, _ output: Output
    ) async throws(Failure) -> SigningPrompt {
        let shares = try options.locations(of: wallet)
        let approvals = try ApprovalFile.read(options.approvals)
        let unit = try global.unit(for: wallet)
        let passphrase = try options.passphrase.existing()
        do throws(SigningError) {
            let flow = try await SigningFlow.open(
                wallet, in: global.walletHome, passphrase: passphrase, shares: shares, approvals: approvals,
                isRehearsal: options.dryRun, now: { .now }, steps: HeldSignals(),
                report: output.signingListener(for: wallet.name))
            return SigningPrompt(
                flow: flow, options: options, output: output, unit: unit,
                label: global.walletHome.label(of: wallet.name))
        } catch { throw error.failure }
    }

    /// The names of the signing shares.
    var shares: [String] { flow.shares.map(\.name) }

    /// Shows the effects of signing, asks for confirmation if necessary, and signs.
    ///
    /// - Parameter accepted: the costly findings that other options than `--accept` accept.
    /// - Returns: nil after a dry run; its result has been printed.
    /// - Throws: a ``Failure`` with the intent.
    func sign(
        _ proposal: ProposedSigning, accepting accepted: AcceptedFindings = .none
    ) async throws(Failure) -> (signed: SignedProposal, view: IntentView)? {
        let (confirmed, view) = try await confirm(proposal, accepting: accepted)
        guard let confirmed else { return nil }
        let signed = try await attempt { () async throws(SigningError) in try await flow.sign(confirmed) }
        return (signed, view)
    }

    /// Shows the effects of signing, and asks for confirmation if necessary.
    ///
    /// - Parameters:
    ///   - accepted: the costly findings that other options than `--accept` accept.
    ///   - units: the units of the paid tokens.
    /// - Returns: the confirmed payload, or nil after a dry run, whose result has been printed; and what was shown.
    /// - Throws: a ``Failure`` with the intent.
    func confirm(
        _ proposal: ProposedSigning, accepting accepted: AcceptedFindings, units: TokenUnits = .listed
    ) async throws(Failure) -> (ConfirmedSigning?, IntentView) {
        let names = PartyNames(await flow.book.contacts())
        let ignored = proposal.ignoredApprovals.map { $0.sentence(on: options.approvals) }
        var view = try attempt { () throws(CustodyError) in
            try IntentView(proposal, of: flow.wallet, names: names, units: units.showing(unit))
        }
        view.label = label?.description
        if !ignored.isEmpty { view.ignored_approvals = ignored }
        let confirmed: ConfirmedSigning?
        do throws(Failure) { confirmed = try await answer(to: proposal, view, accepting: accepted) } catch {
            throw error.before(signing: view)
        }
        if confirmed == nil { try output.result(view) { view.text(in: .ofTerminal) } }
        return (confirmed, view)
    }

    /// Returns the problems after signing, and reports them.
    func warnings(of signed: SignedProposal) -> [String] {
        let warnings = signed.warnings.map { "the signatures are good, but \($0.failure.message)" }
        for warning in warnings { output.note("warning: \(warning)") }
        return warnings
    }

    /// Asks for confirmation if necessary.
    ///
    /// - Returns: nil in a dry run.
    private func answer(
        to proposal: ProposedSigning, _ view: IntentView, accepting accepted: AcceptedFindings
    ) async throws(Failure) -> ConfirmedSigning? {
        let method = try options.confirmation(accepting: accepted)
        let outcome = try await attempt { () async throws(SigningError) in
            try await flow.confirmation(of: proposal, by: method)
        }
        if let telling = outcome.telling(isRehearsal: flow.isRehearsal) {
            output.note(view.text(telling, in: .ofTerminal) + StyledText("\n"))
        }
        if let failure = outcome.failure(
            of: proposal, in: flow.wallet.name, by: method, ignored: view.ignored_approvals ?? [], local: .ofSystem)
        {
            throw failure
        }
        switch outcome {
        case .question(let question):
            let review = view.text(in: .ofTerminal)
            guard try Confirmation.ask(question.text, about: review, insteadUse: "--yes, or --expect DIGEST") else {
                throw .declined()
            }
            return question.answeredYes()
        case .confirmed(let confirmed): return confirmed
        case .rehearsed, .unaccepted, .otherDigest, .refused, .forbidden: return nil
        }
    }
}

/// Signals wait until an ECDSA session ends. The share's file counts a killed session like a cheater's session.
extension HeldSignals: UninterruptedSteps {}

extension SigningOptions {
    /// Returns the digest of `--expect`.
    func expectedDigest() throws(Failure) -> [UInt8]? {
        try expect.map { text throws(Failure) in try Failure.readDigest(text) }
    }

    /// Whether the command asks the user for confirmation.
    var isAsked: Bool { !yes && expect == nil }

    fileprivate func confirmation(accepting other: AcceptedFindings) throws(Failure) -> ConfirmationMethod {
        let accepted = self.accepted.findings.union(other)
        if let digest = try expectedDigest() { return .digest(digest, accepting: accepted) }
        return yes ? .advance(accepting: accepted) : .question
    }
}

enum ApprovalFile {
    /// Reads the approval files in the given order.
    static func read(_ paths: [String]) throws(Failure) -> [Approval] {
        var read: [Approval] = []
        for path in paths {
            let bytes = try InputFile.read(path)
            read.append(try attempt(on: path) { () throws(WalletError) in try Approval(file: bytes) })
        }
        return read
    }
}
