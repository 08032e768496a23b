/// eth-account and its parts, the reference for Ethereum. Needs ``Peer/python``.
public enum EthAccount {
    /// Returns the addresses of the accounts at these paths below a group key, as embit derives them and eth-keys
    /// computes them.
    ///
    /// - Parameter groupKey: 33 bytes in hexadecimal.
    public static func addresses(ofGroupKey groupKey: String, at paths: [String]) throws -> [String] {
        struct Question: Encodable {
            let group_point: String
            let paths: [String]
        }
        return try Python.ask("ethereum.py", command: "accounts", Question(group_point: groupKey, paths: paths))
    }

    /// Returns the signer of each of these transactions, given as for a node, in hexadecimal without `0x`.
    public static func senders(of transactions: [String]) throws -> [String] {
        struct Question: Encodable { let raw: [String] }
        return try Python.ask("ethereum.py", command: "recover", Question(raw: transactions))
    }
}
