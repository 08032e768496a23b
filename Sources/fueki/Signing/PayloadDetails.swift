internal import Encoding
internal import Wallet

/// What stands in a payload beside its effects: who signs, the numbers of a transaction, and the contents of data that has no other
/// words.
struct PayloadDetails {
    /// The address that stands for it; nothing for a Bitcoin transaction, which each input's address signs.
    let signer: String?
    /// Of Ethereum.
    let account: UInt32?
    let transaction: EthereumTransaction?
    /// Typed data and unknown calls, line by line.
    let contents: [String]

    init(_ payload: SigningPayload, for accounts: Accounts) {
        func ethereum(_ account: UInt32) -> String? { (try? accounts.ethereum?.key(at: account))?.address.description }
        switch payload {
        case .bitcoinTransaction: (signer, account, transaction, contents) = (nil, nil, nil, [])
        case .bitcoinMessage(_, let label):
            let script = (try? accounts.key(of: label))?.scriptPubKey
            signer = script.flatMap { Address($0, on: accounts.network)?.description }
            (account, transaction, contents) = (nil, nil, [])
        case .personalMessage(_, let account):
            (signer, self.account, transaction, contents) = (ethereum(account), account, nil, [])
        case .ethereumTransaction(let transaction, let account):
            (signer, self.account, self.transaction) = (ethereum(account), account, transaction)
            if case .unknown = ContractCall(decoding: transaction.data) {
                contents = ["data of \(transaction.data.count) bytes: 0x" + Hex.encode(transaction.data)]
            } else {
                contents = []
            }
        case .typedData(let data, _, let account):
            (signer, self.account, transaction) = (ethereum(account), account, nil)
            contents = Self.lines(data.message, indent: "") + Self.domain(data.domain)
        }
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

    private static func domain(_ domain: TypedData.Domain) -> [String] {
        var lines = ["for:"]
        if let name = domain.name { lines.append("  name: \(shown(name))") }
        if let version = domain.version { lines.append("  version: \(shown(version))") }
        if let chain = domain.chainID { lines.append("  chain: \(chain)") }
        if let contract = domain.verifyingContract { lines.append("  contract: \(contract)") }
        return lines
    }

    private static func lines(_ structure: TypedData.Structure, indent: String) -> [String] {
        ["\(indent)\(shown(structure.name)):"]
            + structure.members.flatMap { lines("\(shown($0.name))", $0.value, indent: indent + "  ") }
    }

    private static func lines(_ name: String, _ value: TypedData.Value, indent: String) -> [String] {
        switch value {
        case .uint(let number): ["\(indent)\(name): \(number)"]
        case .int(let number): ["\(indent)\(name): \(number)"]
        case .bool(let flag): ["\(indent)\(name): \(flag)"]
        case .address(let address): ["\(indent)\(name): \(address)"]
        case .bytes(let bytes): ["\(indent)\(name): 0x\(Hex.encode(bytes))"]
        case .string(let text): ["\(indent)\(name): '\(shown(text))'"]
        case .array(let values):
            ["\(indent)\(name): a list of \(values.count)"]
                + values.enumerated().flatMap { lines("\($0)", $1, indent: indent + "  ") }
        case .structure(let structure):
            ["\(indent)\(name):"] + lines(structure, indent: indent + "  ")
        }
    }

    private static func shown(_ text: String) -> String { ShownText(text, limit: 4_096, lines: .one).text }
}
