package import Bitcoin
internal import Encoding
package import Ethereum
package import HDKeys
package import Texts
package import Wallet
package import WalletBooks

extension NamedChoice where Item == PendingProposal {
    /// The proposal that the person named.
    ///
    /// - Throws: the failure of a text that names no proposal, or several.
    package var proposal: PendingProposal {
        get throws(Failure) {
            switch self {
            case .one(let proposal): return proposal
            case .none:
                throw Failure(
                    code: .usage, name: "no_such_proposal", message: "no pending proposal's digest begins like this",
                    hint: "'fueki pending list' lists them; give \(ShortID.fewestDigits) digits or more")
            case .several(let proposals):
                throw Failure(
                    code: .usage, name: "ambiguous_id",
                    message: "several digests begin like this: "
                        + "\(proposals.map { String(Hex.encode($0.digest).prefix(16)) }.joined(separator: ", "))",
                    hint: "give more digits")
            }
        }
    }
}

extension ShortID {
    /// Reads the beginning of a transaction's identifier on this chain.
    ///
    /// - Throws: the failure of a text that is not the beginning of an identifier.
    package static func read(_ text: String, on chain: ChainName) throws(Failure) -> ShortID {
        if let id = ShortID(text, on: chain) { return id }
        throw switch chain {
        case .bitcoin:
            .usage(
                "'\(text)' is not the identifier of a transaction: that has 64 digits, and the first "
                    + "\(fewestDigits) or more are enough")
        case .ethereum:
            .usage(
                "a transaction of Ethereum is named by its hash, 0x and 64 hexadecimal digits, or by the first "
                    + "\(fewestDigits) or more of them",
                hint: "one of Bitcoin has 64 digits without 0x, and takes no --chain")
        }
    }
}

extension WalletBook {
    /// The identifier of the Bitcoin transaction that a person named.
    ///
    /// - Throws: the failure of a text that names no transaction, or several.
    package func transaction(named id: ShortID, as text: String, on network: Network) throws(Failure) -> TransactionID {
        let named = try transaction(named: id, as: text, on: .bitcoin(network))
        guard let id = try? TransactionID(named) else { throw HistoryView.unknown(text) }
        return id
    }

    /// The hash of the Ethereum transaction that a person named.
    ///
    /// - Throws: the failure of a text that names no transaction, or several.
    package func transaction(named id: ShortID, as text: String, on chain: ChainID) throws(Failure) -> [UInt8] {
        let named = try transaction(named: id, as: text, on: .ethereum(chain))
        guard let hash = try? Hex.decode(String(named.dropFirst(2))) else { throw HistoryView.unknown(text) }
        return hash
    }

    private func transaction(named id: ShortID, as text: String, on chain: Chain) throws(Failure) -> String {
        switch id.transaction(in: history(), on: chain) {
        case .one(let transaction): return transaction.id
        case .none: throw HistoryView.unknown(text)
        case .several(let found):
            throw HistoryView.ambiguous(text, found.compactMap(\.entry), contacts: contacts())
        }
    }
}
