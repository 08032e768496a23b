public import Bitcoin
public import Custody
internal import HDKeys
public import Nodes
internal import Wallet

/// The receiving addresses of a wallet, of one type: a search for one that was neither shown nor paid.
public struct ReceivingAddresses {
    /// A receiving address that may be given out, or paid to.
    public struct Found: Sendable {
        /// The index of the address.
        public let index: UInt32
        /// Whether this machine has shown it: then every other unpaid address has been shown, too.
        public let wasShown: Bool
    }

    /// The kind of the addresses.
    public let row: ShownAddresses.Row
    /// The indices that this machine has not shown, and those that it has.
    private let free: [UInt32]
    private let shown: [UInt32]
    private let accounts: Accounts
    /// The first index after the search.
    private let reach: UInt32

    /// Reads the addresses that this machine has shown.
    ///
    /// - Throws: ``PaymentError/custody(_:)``.
    public init(_ type: WalletAddress.Kind, of wallet: WalletRecord, in home: WalletHome) throws(PaymentError) {
        let row = ShownAddresses.Row(type, .receive)
        self.row = row
        accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        // An attacker who can write to the home can make all of them count as shown. An unpaid address must be found
        // nevertheless.
        let memory = home.shownAddresses(of: wallet)
        let reach = min(ShownAddresses.bound, max(memory.end(of: row), 1) + PaymentLimits.freshAddressSpan)
        self.reach = reach
        free = memory.free(Int(ShownAddresses.bound), in: row).filter { $0 < reach }
        shown = (0..<reach).filter { memory.contains($0, in: row) }
    }

    /// Returns the first scripts, to be requested together with other coins: empty for a node that reports which
    /// addresses were paid.
    public func scripts(for chain: any BitcoinChain) async throws(NodeError) -> [ScriptPubKey] {
        guard try await chain.used([]) == nil else { return [] }
        return free.prefix(PaymentLimits.freshAddresses).compactMap { Self.script(row.type, accounts, $0) }
    }

    /// Returns whether only this machine searches an address by default: others find its coins if they are told to
    /// search that far.
    public static func isFar(_ index: UInt32) -> Bool {
        index >= PaymentLimits.commonAddresses && index < ShownAddresses.bound
    }

    /// Returns an address that was never paid, as far as the node reports.
    ///
    /// - Parameter found: the coins that the node lists at ``scripts(for:)``.
    /// - Throws: ``PaymentError/address(_:)`` with ``AddressFault/allPaid(below:)``; ``PaymentError/node(_:)``.
    public func unused(by chain: any BitcoinChain, _ found: CoinList) async throws(PaymentError) -> Found {
        let paid = Set(found.coins.map(\.output.scriptPubKey))
        do throws(NodeError) {
            // A node without address records was asked already. Coins that it skipped may be at these addresses, too.
            if found.isComplete, try await chain.used([]) == nil {
                for index in free.prefix(PaymentLimits.freshAddresses) {
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
        } catch { throw .node(error) }
        throw .address(.allPaid(below: reach))
    }

    private static func script(
        _ type: WalletAddress.Kind, _ accounts: Accounts, _ index: UInt32
    ) -> ScriptPubKey? {
        guard let path = try? AddressPath(.receive, index: index) else { return nil }
        return type == .segwit
            ? try? accounts.segwit?.key(at: path).scriptPubKey : try? accounts.taproot.key(at: path).scriptPubKey
    }
}
