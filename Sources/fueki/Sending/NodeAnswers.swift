internal import Custody
internal import ErrorTexts
internal import PaymentHistory
internal import Terminal
internal import Texts
internal import Wallet

/// The nodes' answers about the history of a wallet. If a node fails, the command still prints the list, and reports
/// the failure after it.
struct NodeAnswers {
    /// The combined answers of all queried nodes.
    struct Collected {
        /// The height of each chain's newest block.
        var newest: [Chain: UInt64] = [:]
        var bitcoin: BitcoinHistory?
        var failures: [Failure] = []
    }

    private let refresh: HistoryRefresh
    private let node: NodeOptions
    private let wallet: WalletRecord
    private let output: Output

    init(of refresh: HistoryRefresh, _ node: NodeOptions, _ wallet: WalletRecord, _ output: Output) {
        (self.refresh, self.node, self.wallet, self.output) = (refresh, node, wallet, output)
    }

    /// Queries the node of one chain, or of each chain with a configured node.
    ///
    /// - Parameter chain: the chain of the command line; nil if it names none. Then a node in `--node` counts as a
    ///   Bitcoin node.
    func of(_ chain: ChainName?, withReceived: Bool) async -> Collected {
        var collected = Collected()
        guard chain == nil, node.node == nil else {
            await ask(chain ?? .bitcoin, node, isMeant: chain != nil, withReceived, &collected)
            return collected
        }
        for open in await refresh.chains(withReceived: withReceived) {
            guard node.isGiven(for: open, wallet) else {
                // Without open transactions on this chain, the list is complete without its node.
                guard await refresh.isOpen(open) else { continue }
                output.note(
                    "not asked what became of what was signed for \(open.title): "
                        + "no node is named, with $\(NodeOptions.variable(of: open))")
                continue
            }
            await ask(open, node.meant(for: open), isMeant: true, withReceived, &collected)
        }
        return collected
    }

    /// Queries one node, and adds its answer or failure to the collected ones.
    ///
    /// - Parameter isMeant: whether the node was named for this chain, and not assumed to belong to it.
    private func ask(
        _ chain: ChainName, _ node: NodeOptions, isMeant: Bool, _ withReceived: Bool, _ collected: inout Collected
    ) async {
        do throws(Failure) {
            let opened: HistoryRefresh.Node =
                switch chain {
                case .bitcoin: .bitcoin(try await node.bitcoin(for: wallet))
                case .ethereum(let id): .ethereum(try await node.ethereum(chain: id, for: wallet))
                }
            let answer = await refresh.ask(opened, withReceived: withReceived)
            collected.newest[answer.chain] = answer.newest
            collected.bitcoin = answer.bitcoin ?? collected.bitcoin
            if let problem = answer.problem { throw problem.failure }
        } catch {
            var failure = error.naming(node, of: chain, wallet)
            if !isMeant, error.code == .unavailable {
                failure = failure.suggestingEthereum()
            }
            collected.failures.append(failure)
        }
    }
}
