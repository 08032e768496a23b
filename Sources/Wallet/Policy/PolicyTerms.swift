internal import Amounts
internal import Bitcoin
internal import Ethereum
internal import HDKeys

/// The meaning of the names in a policy file.
struct PolicyTerms {
    private var assets: [String: PolicyAsset] = [:]
    var tokens: Set<PolicyAsset> { Set(assets.values) }
    private var lists: [String: [Party]] = [:]
    /// The names of the approvers.
    var approvers: Set<String> = []

    init(assets assetNode: PolicyNode?, lists listNode: PolicyNode?) throws(PolicyFault) {
        for (name, node) in try assetNode?.named() ?? [] { assets[name] = try token(name, node) }
        for (name, node) in try listNode?.named() ?? [] {
            guard Self.isName(name) else { throw PolicyFault(node.place, "a name has small letters, digits and -") }
            var list: [Party] = []
            for element in try node.elements() { list += try addresses(element) }
            lists[name] = list
        }
    }

    private func token(_ name: String, _ node: PolicyNode) throws(PolicyFault) -> PolicyAsset {
        guard (1...16).contains(name.utf8.count), name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !["BTC", "SAT", "ETH", "GWEI", "WEI"].contains(name.uppercased())
        else { throw PolicyFault(node.place, "it has to be another short name") }
        let members = try node.members(required: ["chain", "contract", "decimals"], optional: [])
        guard let chainNode = members["chain"], let contractNode = members["contract"], let places = members["decimals"]
        else { throw PolicyFault(node.place, "a token has a chain, a contract and decimals") }
        guard case .ethereum(let id) = try chain(chainNode) else {
            throw PolicyFault(chainNode.place, "tokens are on Ethereum chains")
        }
        guard let contract = try? EthereumAddress(try contractNode.string()) else {
            throw PolicyFault(contractNode.place, "it is not an address")
        }
        guard let decimals = try? Decimals(try places.count()) else {
            throw PolicyFault(places.place, "it has to be from 0 to 36")
        }
        return PolicyAsset(name: name, chain: .ethereum(id), asset: .token(contract), decimals: decimals)
    }

    /// Reads a chain: `bitcoin:mainnet` or `ethereum:1`.
    func chain(_ node: PolicyNode) throws(PolicyFault) -> Chain {
        guard let chain = try Chain(text: node.string()) else {
            throw PolicyFault(node.place, "it has to be a chain like bitcoin:mainnet or ethereum:1")
        }
        return chain
    }

    /// Reads an asset: `BTC` or `ETH` with its chain after an `@`, or the name of a token.
    func asset(_ node: PolicyNode) throws(PolicyFault) -> PolicyAsset { try asset(named: try node.string(), node) }

    private func asset(named name: String, _ node: PolicyNode) throws(PolicyFault) -> PolicyAsset {
        if let asset = assets[name] { return asset }
        let parts = name.split(separator: "@", omittingEmptySubsequences: false)
        if parts.count == 2, let chain = Chain(text: String(parts[1])), chain.currency.symbol == parts[0] {
            return PolicyAsset(name: String(parts[0]), chain: chain, asset: .coin, decimals: chain.currency.decimals)
        }
        throw PolicyFault(
            node.place, "it has to be an asset like BTC@bitcoin:mainnet, ETH@ethereum:1, or a name from 'assets'")
    }

    /// Reads an amount: `0.5 ETH@ethereum:1` or `100 USDC`.
    func amount(_ node: PolicyNode) throws(PolicyFault) -> (UInt256, PolicyAsset) {
        let parts = try node.string().split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw PolicyFault(node.place, "it has to be an amount like '0.5 ETH@ethereum:1' or '100 USDC'")
        }
        let asset = try asset(named: String(parts[1]), node)
        guard let amount = try? DecimalText.read(String(parts[0]), asset.decimals) else {
            throw PolicyFault(node.place, "it has to be a number with at most \(asset.decimals.count) decimals")
        }
        return (amount, asset)
    }

    /// Reads an address, or the name of a list.
    func parties(_ node: PolicyNode) throws(PolicyFault) -> [Party] {
        if let list = lists[try node.string()] { return list }
        return try addresses(node)
    }

    /// Reads an address of any chain; for Bitcoin's test networks, which share a form, one party for each.
    private func addresses(_ node: PolicyNode) throws(PolicyFault) -> [Party] {
        let text = try node.string()
        if let address = try? EthereumAddress(text) { return [.ethereum(address)] }
        let addresses = Network.allCases.compactMap { try? Address<Unchecked>(text).require($0) }
        guard !addresses.isEmpty else {
            throw PolicyFault(node.place, "it is neither an address nor the name of a list")
        }
        return addresses.map(Party.bitcoin)
    }

    private static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}
