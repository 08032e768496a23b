internal import Custody
internal import Nodes
internal import Wallet

/// The next addresses of a wallet that this machine has shown to nobody: one of them is paid, if nobody has paid it before.
struct ReceivingAddresses {
    static let row = ShownAddresses.Row(.taproot, .receive)

    private let candidates: [(index: UInt32, address: Address<Checked>)]

    init(of wallet: WalletRecord, in home: WalletHome) throws(Failure) {
        let accounts = try attempt { () throws(CustodyError) in try wallet.accounts }
        var candidates: [(UInt32, Address<Checked>)] = []
        for index in home.shownAddresses(of: wallet).free(Self.most, in: Self.row) {
            candidates.append(
                (
                    index,
                    try attempt { () throws(WalletError) in
                        try accounts.taproot.address(at: AddressPath(.receive, index: index))
                    }
                ))
        }
        self.candidates = candidates
    }

    /// A node is asked for all of them at once; somebody who pays more than that is told.
    private static let most = 100

    var scripts: [ScriptPubKey] { candidates.map(\.address.scriptPubKey) }

    /// The first that nobody has paid, as far as the node tells.
    ///
    /// - Parameter found: the scripts at which it shows coins.
    func unused(
        by chain: any BitcoinChain, _ found: [ScriptPubKey]
    ) async throws(Failure) -> (Address<Checked>, UInt32) {
        let paid = Set(found)
        for candidate in candidates where !paid.contains(candidate.address.scriptPubKey) {
            let used = try await attempt { () async throws(NodeError) in
                try await chain.used([candidate.address.scriptPubKey])
            }
            if used?.isEmpty ?? true { return (candidate.address, candidate.index) }
        }
        throw Failure(
            code: .refused, name: "no_fresh_address",
            message: "the next \(candidates.count) addresses of the wallet were paid before, or all of them were shown",
            hint: "show a later one with 'fueki address' and --index, and give the same command again")
    }
}
