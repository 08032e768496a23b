internal import Bitcoin
internal import DisplayText
internal import Encoding
internal import Ethereum
package import Wallet

/// The details of a payload beside its effects: the signer, the numbers of a transaction, and the contents of data that
/// no effect describes.
package struct PayloadDetails {
    /// The address that signs, or the minisign key that signs a file; nil for a Bitcoin transaction, which the address of
    /// each input signs.
    package let signer: String?
    /// The account on Ethereum.
    let account: UInt32?
    let transaction: EthereumTransaction?
    /// The typed data or the call, member by member.
    let contents: [SanitizedLine]
    /// The data of an Ethereum transaction, in hexadecimal.
    let data: String?
    /// The function that a transaction calls, if it is known, and its arguments.
    let call: CalledFunction?
    /// The domain and the message of typed data.
    let typedData: JSON?

    package init(_ payload: SigningPayload, for accounts: Accounts) {
        func ethereum(_ account: UInt32) -> String? { (try? accounts.ethereum?.key(at: account))?.address.description }
        var (data, call, typedData): (String?, CalledFunction?, JSON?)
        switch payload {
        case .bitcoinTransaction: (signer, account, transaction, contents) = (nil, nil, nil, [])
        case .bitcoinMessage(_, let label):
            let script = (try? accounts.key(of: label))?.scriptPubKey
            signer = script.flatMap { Address($0, on: accounts.network)?.description }
            (account, transaction, contents) = (nil, nil, [])
        case .file(let file): (signer, account, transaction, contents) = (file.key.text, nil, nil, [])
        case .personalMessage(_, let account):
            (signer, self.account, transaction, contents) = (ethereum(account), account, nil, [])
        case .ethereumTransaction(let transaction, let account):
            (signer, self.account, self.transaction) = (ethereum(account), account, transaction)
            contents = transaction.contents
            if !transaction.data.isEmpty { data = "0x" + Hex.encode(transaction.data) }
            if transaction.to != nil { call = CalledFunction(decoding: transaction.data) }
        case .typedData(let document, _, let account):
            (signer, self.account, transaction) = (ethereum(account), account, nil)
            contents = document.lines
            typedData = document.json
        }
        (self.data, self.call, self.typedData) = (data, call, typedData)
    }

    var rows: [[String]] {
        var rows: [[String]] = []
        if let signer { rows.append(["signed by", signer + (account.map { " (account \($0))" } ?? "")]) }
        if let transaction {
            rows.append(["nonce", "\(transaction.nonce)"])
            rows.append(["gas limit", "\(transaction.gasLimit)"])
        }
        return rows
    }
}
