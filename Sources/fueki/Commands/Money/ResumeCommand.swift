internal import ArgumentParser
internal import Custody
internal import ErrorTexts
internal import Payments
internal import Presentation
internal import SigningSession
internal import Terminal
internal import Texts
internal import Wallet
internal import WalletBooks

struct ResumeCommand: FuekiCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume", abstract: "Finish the payments of a command or a machine that was interrupted.",
        discussion: """
            Sends what was signed and never sent, unchanged, and looks up what a node did not answer for. It signs nothing, \
            and can be run again. A payment is listed until its outcome was shown; its order, given again, answers with \
            it. A payment whose coins are spent elsewhere is listed until you give it up with --give-up; its coins stay \
            reserved. Handles all chains and accounts, unless an option names one. \(furtherOptions)

            EXAMPLES
              fueki resume savings
              fueki resume savings --chain ethereum --node https://node.example
            """)

    @OptionGroup var wallet: WalletArgument

    @Option(
        help: ArgumentHelp("Only the payments on this chain.", valueName: "chain"),
        completion: .list(ChainName.all))
    var chain: ChainName?

    @Flag(help: "Also send what was signed without an order and never sent (Ethereum).")
    var resend = false

    @Option(
        help: ArgumentHelp(
            "Stop listing this payment, whose coins are spent (Bitcoin).", valueName: "id"))
    var giveUp: String?

    @OptionGroup var ethereum: EthereumOptions
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var node: NodeOptions
    @OptionGroup var global: GlobalOptions

    func perform(_ output: Output) async throws(Failure) {
        let wallet = try global.wallet(named: wallet.name)
        let unit = try global.unit(for: wallet)
        let secret = try passphrase.existing()
        let flow: SigningFlow
        do throws(SigningError) {
            flow = try await SigningFlow.open(
                wallet, in: global.walletHome, passphrase: secret, shares: wallet.defaultSigners, now: { .now },
                report: output.signingListener(for: wallet.name))
        } catch { throw error.failure }
        let open = try await attempt { () async throws(PaymentError) in try await flow.openPayments(on: chain) }
        if node.node != nil, open.chains.count > 1 {
            await flow.close()
            throw .usage(
                "--node is the node of one chain, and payments are open on \(open.chains.count)",
                hint: "name the chain: --chain \(open.chains.map(\.text).joined(separator: ", or --chain "))")
        }
        var resumed: [ResumedPayment] = []
        var failures: [Failure] = []
        for chain in open.chains {
            do throws(Failure) {
                resumed += try await resume(chain, flow, output)
            } catch {
                failures.append(error.naming(node, of: chain, wallet))
                resumed += open.payments(on: chain).map { ResumedPayment(unasked: $0) }
            }
        }
        resumed.removeAll { $0.status.isHeard }
        let view = ResumeView(resumed, of: wallet, contacts: await flow.book.contacts(), unit: unit)
        do throws(Failure) { try output.receipt(view) { view.text(in: .ofTerminal) } } catch {
            await flow.close()
            throw error
        }
        // If the command ends before this step, or its reader is gone, the next `resume` shows the results again. The
        // orders stay unanswered: whoever gave one may not have seen this list.
        for payment in resumed where payment.hasOutcome || isGivenUp(payment) { await flow.acknowledge(payment.status) }
        await flow.close()
        if failures.isEmpty, resumed.contains(where: { !$0.isAsked }) {
            output.note("not looked up: the payments of other accounts; --account names one")
        }
        // A payment whose lock time has not come waits, and the list says so.
        failures += resumed.filter { !$0.isTooEarly && !isGivenUp($0) }.compactMap { $0.problem?.failure }
        if let giveUp, !resumed.contains(where: isGivenUp) {
            failures.append(
                Failure(
                    code: .refused, name: "not_given_up",
                    message: "\(giveUp) is not given up: no node says that another transaction has spent its coins"))
        }
        guard let last = failures.last else { return }
        for failure in failures.dropLast() { output.note("warning: \(failure.text)") }
        throw last
    }

    /// Whether the person gives the payment up.
    private func isGivenUp(_ payment: ResumedPayment) -> Bool { giveUp != nil && payment.lostTransaction == giveUp }

    private func resume(
        _ chain: ChainName, _ flow: SigningFlow, _ output: Output
    ) async throws(Failure) -> [ResumedPayment] {
        let listener = output.listener(for: flow.wallet.name)
        switch chain {
        case .bitcoin:
            let node = try await node.bitcoin(for: flow.wallet)
            return try await attempt { () async throws(PaymentError) in
                try await BitcoinPayments(flow, at: node, report: listener).resume()
            }
        case .ethereum(let id):
            let node = try await node.meant(for: chain).ethereum(chain: id, for: flow.wallet)
            return try await attempt { () async throws(PaymentError) in
                try await EthereumPayments.resumeAll(
                    flow, at: node, account: ethereum.account, mayResend: resend, report: listener)
            }
        }
    }
}
