internal import DisplayText
internal import HDKeys

/// The hashes of first blocks, which distinguish chains that have the same name.
enum Genesis {
    /// The hashes as displayed.
    private static let known: [(network: Network, hash: String)] = [
        (.mainnet, "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"),
        // The third test network, and the fourth.
        (.testnet, "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943"),
        (.testnet, "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043"),
        (.signet, "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6"),
    ]

    /// Compares the first block's hash with the network's. A test chain may begin with any block, except those of other
    /// networks.
    ///
    /// - Throws: ``NodeError/wrongChain(expected:found:)``.
    static func check(_ hash: String, for network: Network) throws(NodeError) {
        let found = known.first { $0.hash == hash }?.network
        guard found == network || (found == nil && network == .regtest) else {
            throw .wrongChain(
                expected: network.name, found: SanitizedText(ofNode: found?.name ?? "a chain from \(hash)"))
        }
    }
}
