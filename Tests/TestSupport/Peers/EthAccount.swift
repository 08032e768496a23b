/// eth-account, and what it is built from: says what is right on Ethereum. Needs ``Peer/python``.
public enum EthAccount {
    /// The addresses of the accounts at these paths below a group's key, as embit derives them and eth-keys names them.
    ///
    /// - Parameter groupKey: 33 bytes in hexadecimal.
    public static func addresses(ofGroupKey groupKey: String, at paths: [String]) throws -> [String] {
        struct Question: Encodable {
            let group_point: String
            let paths: [String]
        }
        return try Python.ask("ethereum.py", command: "accounts", Question(group_point: groupKey, paths: paths))
    }

    /// Who signed each of these transactions, given as a node takes them, in hexadecimal without `0x`.
    public static func senders(of transactions: [String]) throws -> [String] {
        struct Question: Encodable { let raw: [String] }
        return try Python.ask("ethereum.py", command: "recover", Question(raw: transactions))
    }
}
