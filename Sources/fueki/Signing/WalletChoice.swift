internal import Bitcoin
internal import Ceremonies
internal import Custody
internal import Ethereum
internal import Payments
internal import Terminal
internal import Threshold
internal import Wallet

/// Finds the wallet and the account that something is for.
struct WalletChoice {
    private let home: WalletHome
    private let name: String?
    private let account: UInt32?

    /// - Parameters:
    ///   - name: the wallet, where it was said.
    ///   - account: the account on Ethereum, where it was said.
    init(_ home: WalletHome, named name: String?, account: UInt32?) {
        self.home = home
        self.name = name
        self.account = account
    }

    func choose(for file: PayloadFile) throws(Failure) -> (WalletRecord, SigningPayload) {
        switch file {
        case .bitcoin(let psbt):
            let wallet = try wallet { (wallet) throws(CustodyError) in
                do {
                    return SpendSummary(of: psbt, for: try Ownership(of: try wallet.accounts)).inputs
                        .contains { $0.path != nil }
                } catch let error as CustodyError { throw error } catch { return false }
            }
            return (wallet, .bitcoinTransaction(psbt))
        case .ethereum(let transaction, let sender?):
            let wallet = try wallet { (wallet) throws(CustodyError) in try number(of: sender, in: wallet) != nil }
            let found = try attempt { () throws(CustodyError) in try number(of: sender, in: wallet) }
            guard let found else {
                throw .usage(
                    "this was signed by \(sender), which is no account of '\(wallet.name)'",
                    hint: "the first \(PaymentLimits.accounts) are looked at; --account names another one")
            }
            return (wallet, .ethereumTransaction(transaction, account: found))
        case .ethereum(let transaction, nil):
            return (try wallet { _ in true }, .ethereumTransaction(transaction, account: account ?? 0))
        case .typedData(let data, let document):
            return (try wallet { _ in true }, .typedData(data, document: document, account: account ?? 0))
        case .proposal(let proposal):
            let wallet = try wallet { proposal.isOf($0) }
            guard proposal.isOf(wallet) else {
                throw Failure(
                    code: .refused, name: "foreign_proposal",
                    message: "this proposal is for other keys than those of '\(wallet.name)'")
            }
            return (wallet, proposal.payload)
        }
    }

    /// The wallet that was named, or the only one that fits.
    private func wallet(_ fits: (WalletRecord) throws(CustodyError) -> Bool) throws(Failure) -> WalletRecord {
        if let name { return try attempt { () throws(CustodyError) in try home.wallet(try WalletName(name)) } }
        // A damaged one is in nobody's way.
        let found = home.names().compactMap { try? home.wallet($0) }.filter { (try? fits($0)) == true }
        guard let first = found.first, found.count == 1 else {
            throw .usage(
                found.isEmpty
                    ? "none of your wallets is the one that signs this" : "several of your wallets could sign this",
                hint: "name it with --wallet")
        }
        return first
    }

    /// The number of an account, if it is the wallet's.
    private func number(of account: EthereumAddress, in wallet: WalletRecord) throws(CustodyError) -> UInt32? {
        guard let accounts = try wallet.accounts.ethereum else { return nil }
        let numbers = self.account.map { [$0] } ?? Array(0..<PaymentLimits.accounts)
        return numbers.first { (try? accounts.key(at: $0))?.address == account }
    }
}

extension ProposalFile {
    /// Whether it says that it is for this wallet's keys.
    func isOf(_ wallet: WalletRecord) -> Bool {
        network == wallet.network && schnorr == wallet.keys.schnorr.publicKey && ecdsa == wallet.keys.ecdsa.publicKey
    }
}
