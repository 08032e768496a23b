internal import Bitcoin
internal import Custody
internal import HDKeys
internal import Nodes
internal import Wallet

/// The addresses of a wallet to receive, of one type: one is searched that was not shown and not paid.
struct ReceivingAddresses {
    /// An address that may be given out, or paid.
    struct Found {
        let index: UInt32
        /// Whether this machine has shown it: so have been all others that were not paid.
        let wasShown: Bool
    }

    let row: ShownAddresses.Row
    /// Those that this machine has not shown, and those that it has.
    private let free: [UInt32]
    private let shown: [UInt32]
    private let accounts: Accounts
    /// Behind the last one that is looked at.
    private let reach: UInt32

    init(_ type: WalletAddress.Kind, of wallet: WalletRecord, in home: WalletHome) throws(Failure) {
        let row = ShownAddresses.Row(type, .receive)
        self.row = row
        accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        // Who writes to the home can have all of them count as shown. That must keep nobody from an address that was not paid.
        let memory = home.shownAddresses(of: wallet)
        let reach = min(ShownAddresses.bound, max(memory.end(of: row), 1) + Self.span)
        self.reach = reach
        free = memory.free(Int(ShownAddresses.bound), in: row).filter { $0 < reach }
        shown = (0..<reach).filter { memory.contains($0, in: row) }
    }

    /// The first ones, to be asked for with other coins: nothing for a node that tells which addresses were paid.
    func scripts(for chain: any BitcoinChain) async throws(NodeError) -> [ScriptPubKey] {
        guard try await chain.used([]) == nil else { return [] }
        return free.prefix(Self.first).compactMap { Self.script(row.type, accounts, $0) }
    }

    private static let first = 100
    /// How far behind the last one that was shown an address may lie: no node's word makes a wallet receive at a place where no
    /// other machine looks.
    private static let span: UInt32 = 1_000
    /// Commands look at so many addresses without being told, beside those that this machine has shown.
    static let common: UInt32 = 200

    /// The warning that only this machine looks at an address by itself.
    static func warning(of index: UInt32) -> String? {
        guard index >= common, index < ShownAddresses.bound else { return nil }
        return
            "address number \(index) lies behind the first \(common), at which commands look: another machine finds its coins "
            + "only with --addresses \(index + 1)"
    }

    /// One that was never paid, as far as the node tells.
    ///
    /// - Parameter found: what the node shows at ``scripts(for:)``.
    /// - Throws: `no_fresh_address`.
    func unused(by chain: any BitcoinChain, _ found: CoinList) async throws(Failure) -> Found {
        let paid = Set(found.coins.map(\.output.scriptPubKey))
        do throws(NodeError) {
            // A node that keeps no record was asked already. What it was not looked at for may be at these addresses, too.
            if found.isComplete, try await chain.used([]) == nil {
                for index in free.prefix(Self.first) {
                    if let script = Self.script(row.type, accounts, index), !paid.contains(script) {
                        return Found(index: index, wasShown: false)
                    }
                }
            }
            for (indices, wasShown) in [(free, false), (shown, true)] {
                let search = UnpaidSearch(among: indices.count) { [type = row.type, accounts] number in
                    Self.script(type, accounts, indices[number])
                }
                switch try await search.run(by: chain, besides: paid) {
                case .unpaid(let number), .empty(let number): return Found(index: indices[number], wasShown: wasShown)
                case .none: continue
                }
            }
        } catch { throw error.failure }
        throw Failure(
            code: .refused, name: "no_fresh_address",
            message:
                "every address of the wallet up to number \(reach - 1) was paid before, as the node says",
            hint: reach < ShownAddresses.bound
                ? "if that is so, show a later one, 'fueki address' with --index \(reach): then those behind it are looked at"
                : "make another wallet with 'fueki wallet create'; 'fueki address' with --index shows any address of this one"
        )
    }

    private static func script(
        _ type: WalletAddress.Kind, _ accounts: Accounts, _ index: UInt32
    ) -> ScriptPubKey? {
        guard let path = try? AddressPath(.receive, index: index) else { return nil }
        return type == .segwit
            ? try? accounts.segwit?.key(at: path).scriptPubKey : try? accounts.taproot.key(at: path).scriptPubKey
    }
}
