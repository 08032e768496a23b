internal import Custody
internal import Payments
internal import Terminal
internal import Wallet

/// Asks nodes what became of what a wallet has signed. A node that fails keeps nobody from the list: what went wrong is told after it.
struct HistoryRefresh {
    let wallet: WalletRecord
    let node: NodeOptions
    let book: WalletBook
    let output: Output

    /// Asks the node of one chain.
    ///
    /// - Parameter chain: nothing if the person has named none: then a named node is taken for one of Bitcoin.
    /// - Returns: what went wrong.
    func run(_ chain: ChainOption.Name?) async -> [Failure] {
        guard chain == nil, node.node == nil else {
            return await failure(of: chain ?? .bitcoin, node, isMeant: chain != nil).map { [$0] } ?? []
        }
        var failures: [Failure] = []
        for open in await openChains() {
            guard node.isGiven(for: open, wallet.network) else {
                output.note(
                    "not asked what became of what was signed for \(open.title): "
                        + "no node is named, with $\(NodeOptions.variable(of: open))")
                continue
            }
            if let failure = await failure(of: open, open == .bitcoin ? node : node.withoutBitcoin, isMeant: true) {
                failures.append(failure)
            }
        }
        return failures
    }

    private var report: PaymentListener { output.listener(for: wallet.name) }

    private func refresh(_ run: () async throws(PaymentError) -> Void) async throws(Failure) {
        do throws(PaymentError) { try await run() } catch { throw error.failure }
    }

    /// The chains of what may have something new to be said of it, in their order.
    private func openChains() async -> [ChainOption.Name] {
        var chains: [ChainOption.Name] = []
        for entry in await book.history() where entry.isOpen && entry.id != nil {
            let chain: ChainOption.Name
            switch entry.chain {
            case .bitcoin(wallet.network): chain = .bitcoin
            case .ethereum(let id): chain = .ethereum(id)
            default: continue
            }
            if !chains.contains(chain) { chains.append(chain) }
        }
        return chains
    }

    /// - Parameter isMeant: whether the person has said that the node is one of this chain.
    /// - Returns: what went wrong, with the node's name.
    private func failure(of chain: ChainOption.Name, _ node: NodeOptions, isMeant: Bool) async -> Failure? {
        do throws(Failure) {
            switch chain {
            case .bitcoin:
                try await refresh(BitcoinRefresh(book, at: node.bitcoin(for: wallet), report: report).run)
            case .ethereum(let id):
                try await refresh(EthereumRefresh(book, at: node.ethereum(chain: id), report: report).run)
            }
            return nil
        } catch {
            var failure = error.naming(node, of: chain, wallet.network)
            if !isMeant, error.code == .unavailable {
                failure.hint = "it was asked as a node of Bitcoin: if it is one of Ethereum, add --chain ethereum"
            }
            return failure
        }
    }
}

extension NodeOptions {
    /// The same, without what is meant for a node of Bitcoin: a cookie is nothing that another one should see.
    fileprivate var withoutBitcoin: NodeOptions {
        var options = self
        (options.cookieFile, options.esplora) = (nil, false)
        return options
    }
}
