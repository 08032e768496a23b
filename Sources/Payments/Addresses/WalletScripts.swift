package import Bitcoin
internal import Custody
internal import HDKeys
package import Wallet

/// The scripts of all searched addresses of a wallet, and their keys.
package struct WalletScripts {
    /// The addresses of one kind, receiving or change, in order.
    struct Row {
        let place: ShownAddresses.Row
        /// The keys from the first address on.
        let keys: [DerivedKey]
        /// The keys at additional indices.
        let further: [DerivedKey]
    }

    let rows: [Row]
    /// The ownership that recognises each of the scripts as the wallet's.
    package let ownership: Ownership

    package init(of accounts: Accounts, _ reach: AddressReach) throws(PaymentError) {
        do throws(HDKeyError) {
            var rows: [Row] = []
            var paths: Set<AddressPath> = []
            for branch in AddressPath.Chain.allCases {
                for kind in [WalletAddress.Kind.taproot, .segwit] {
                    func key(_ index: UInt32) throws(HDKeyError) -> DerivedKey? {
                        let path = try AddressPath(branch, index: index)
                        if index >= reach.least { paths.insert(path) }
                        guard kind == .segwit else { return .taproot(try accounts.taproot.key(at: path)) }
                        guard let account = accounts.segwit else { return nil }
                        return .segwit(try account.key(at: path))
                    }
                    let place = ShownAddresses.Row(kind, branch)
                    let count = reach.count(of: place)
                    var (keys, further): ([DerivedKey], [DerivedKey]) = ([], [])
                    for index in 0..<count { if let key = try key(index) { keys.append(key) } }
                    for index in reach.further(beyond: count) { if let key = try key(index) { further.append(key) } }
                    if !keys.isEmpty { rows.append(Row(place: place, keys: keys, further: further)) }
                }
            }
            self.rows = rows
            let sorted = paths.sorted { ($0.chain.rawValue, $0.index) < ($1.chain.rawValue, $1.index) }
            ownership = try Ownership(of: accounts, scanning: reach.least, and: sorted)
        } catch { throw error.asPaymentError }
    }

    package var all: [ScriptPubKey] { rows.flatMap { ($0.keys + $0.further).map(\.scriptPubKey) } }

    /// Returns the key after the last used change address of this type; nil if none is left.
    func freshChange(_ kind: WalletAddress.Kind, used: Set<ScriptPubKey>) -> DerivedKey? {
        guard let row = rows.first(where: { $0.place.type == kind && $0.place.chain == .change }) else { return nil }
        let last = row.keys.lastIndex { used.contains($0.scriptPubKey) }
        return row.keys.dropFirst(last.map { $0 + 1 } ?? 0).first
    }
}
