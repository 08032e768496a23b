internal import Bitcoin
internal import Ceremonies
public import Custody
public import Ethereum
internal import Threshold
public import Wallet

/// The wallet and the account that sign a payload.
public struct WalletChoice: Sendable {
    /// The wallet that signs.
    public let wallet: WalletRecord
    /// The payload that the wallet signs, with the account.
    public let payload: SigningPayload

    /// Chooses the named wallet, or the only one of the folder that can sign the payload. Damaged wallets are skipped.
    ///
    /// - Parameters:
    ///   - name: the wallet, if the user named it.
    ///   - account: the account on Ethereum, if the user named it.
    ///   - searched: the number of accounts that are searched for the sender of a signed transaction.
    /// - Throws: ``WalletChoiceFault``.
    public init(
        for file: PayloadFile, in home: WalletHome, named name: WalletName?, account: UInt32?,
        searching searched: UInt32
    ) throws(WalletChoiceFault) {
        let search = Search(home: home, name: name, account: account, searched: searched)
        switch file {
        case .bitcoin(let psbt):
            wallet = try search.wallet { search.spends(psbt, $0) }
            payload = .bitcoinTransaction(psbt)
        case .ethereum(let transaction, let sender?):
            wallet = try search.wallet { search.number(of: sender, in: $0) != nil }
            guard let found = search.number(of: sender, in: wallet) else {
                throw .notAnAccount(sender, of: wallet.name, searched: searched)
            }
            payload = .ethereumTransaction(transaction, account: found)
        case .ethereum(let transaction, nil):
            wallet = try search.wallet { _ in true }
            payload = .ethereumTransaction(transaction, account: account ?? 0)
        case .typedData(let data, let document):
            wallet = try search.wallet { _ in true }
            payload = .typedData(data, document: document, account: account ?? 0)
        case .proposal(let proposal):
            wallet = try search.wallet { proposal.isOf($0) }
            guard proposal.isOf(wallet) else { throw .foreignProposal(of: wallet.name) }
            payload = proposal.payload
        }
    }

    private struct Search {
        let home: WalletHome
        let name: WalletName?
        let account: UInt32?
        let searched: UInt32

        func wallet(_ fits: (WalletRecord) -> Bool) throws(WalletChoiceFault) -> WalletRecord {
            if let name {
                do { return try home.wallet(name) } catch { throw .custody(error) }
            }
            let found = home.names().compactMap { try? home.wallet($0) }.filter(fits)
            guard let first = found.first, found.count == 1 else { throw found.isEmpty ? .noneFits : .severalFit }
            return first
        }

        func spends(_ psbt: PSBT, _ wallet: WalletRecord) -> Bool {
            guard let accounts = try? wallet.accounts, let ownership = try? Ownership(of: accounts) else {
                return false
            }
            return SpendSummary(of: psbt, for: ownership).inputs.contains { $0.path != nil }
        }

        /// Returns the number of an account; nil if it is not the wallet's.
        func number(of account: EthereumAddress, in wallet: WalletRecord) -> UInt32? {
            let numbers = self.account.map { [$0] } ?? Array(0..<searched)
            return (try? wallet.number(of: account, among: numbers)) ?? nil
        }
    }
}

/// The reason why no wallet was chosen.
public enum WalletChoiceFault: Error, Equatable, Sendable {
    /// No wallet of the folder can sign the payload.
    case noneFits
    /// Several wallets of the folder can sign the payload.
    case severalFit
    /// The account that signed the transaction is not among the first ones of the wallet.
    case notAnAccount(EthereumAddress, of: WalletName, searched: UInt32)
    /// The proposal is for other keys than the wallet's.
    case foreignProposal(of: WalletName)
    /// The named wallet cannot be read.
    case custody(CustodyError)
}

extension ProposalFile {
    /// Returns whether the file names this wallet's keys.
    public func isOf(_ wallet: WalletRecord) -> Bool {
        if case .file(let file) = payload, file.key != wallet.minisignKey { return false }
        return network == wallet.network && schnorr == wallet.keys.schnorr.publicKey
            && ecdsa == wallet.keys.ecdsa.publicKey
    }
}
