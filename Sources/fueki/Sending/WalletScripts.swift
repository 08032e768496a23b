internal import Custody
internal import Wallet

/// The scripts of all addresses of a wallet, up to an index, and whose they are.
struct WalletScripts {
    /// Those of one type, to receive or for change, in their order.
    struct Row {
        let kind: WalletAddress.Kind
        let branch: AddressPath.Chain
        let keys: [DerivedKey]
    }

    let rows: [Row]

    init(of accounts: Accounts, count: UInt32) throws(Failure) {
        do throws(WalletError) {
            var rows: [Row] = []
            for branch in AddressPath.Chain.allCases {
                var (taproot, segwit): ([DerivedKey], [DerivedKey]) = ([], [])
                for index in 0..<count {
                    let path = try AddressPath(branch, index: index)
                    taproot.append(.taproot(try accounts.taproot.key(at: path)))
                    if let account = accounts.segwit { segwit.append(.segwit(try account.key(at: path))) }
                }
                rows += [Row(kind: .taproot, branch: branch, keys: taproot)]
                rows += segwit.isEmpty ? [] : [Row(kind: .segwit, branch: branch, keys: segwit)]
            }
            self.rows = rows
        } catch { throw error.failure }
    }

    var all: [ScriptPubKey] { rows.flatMap { $0.keys.map(\.scriptPubKey) } }

    /// Behind the last address for change of this type that was used; nil if there is none left.
    func freshChange(_ kind: WalletAddress.Kind, used: Set<ScriptPubKey>) -> DerivedKey? {
        guard let row = rows.first(where: { $0.kind == kind && $0.branch == .change }) else { return nil }
        let last = row.keys.lastIndex { used.contains($0.scriptPubKey) }
        return row.keys.dropFirst(last.map { $0 + 1 } ?? 0).first
    }
}
