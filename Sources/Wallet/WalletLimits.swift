public import Amounts
internal import Bitcoin
internal import Ethereum

/// The limits of this module, each with its why.
public enum WalletLimits {
    /// Bytes of a message that is signed, on each chain.
    public static let messageBytes = EthereumLimits.messageBytes

    /// Bytes of a policy file: a thousand rules, or twenty thousand addresses.
    public static let policyBytes = 1 << 20

    /// Characters of a rule's name, which stands in every decision.
    public static let policyNameCharacters = 64

    /// A fee this many times as high as the node's estimate is pointed out. Estimates double within minutes in a congestion.
    public static let feeMultiple: UInt256 = 5

    /// A fee of this much of what is paid, in per cent, and above ``smallFee(on:)``, takes a yes of its own.
    static let largeFeePercent: UInt256 = 25

    /// A fee up to this harms little, however little is paid, in the smallest unit: 10,000 satoshi, 0.001 ether, and on other chains
    /// a twentieth of what a fee may be there by default. A payment of some satoshi costs more than it is worth whenever blocks are
    /// full.
    static func smallFee(on chain: Chain) -> UInt256 {
        switch chain {
        case .bitcoin: 10_000
        case .ethereum(let id): (try? id.usualFee.value.divided(by: 20).quotient) ?? .zero
        }
    }

    /// A fee above this takes a yes of its own, however much is paid and whatever a node expects, in the smallest unit: 100,000
    /// satoshi, 0.005 ether, and on other chains a quarter of what a fee may be there by default. It pays for 200 satoshi a virtual
    /// byte of a transaction with five inputs, and for a transfer of tokens at 80 gwei, which few days ever asked for.
    static func largeFee(on chain: Chain) -> UInt256 {
        switch chain {
        case .bitcoin: 100_000
        case .ethereum(let id): (try? id.usualFee.value.divided(by: 4).quotient) ?? .zero
        }
    }

    /// Characters in all lines of typed data: the largest in use, orders of many things, have some tens of thousands.
    static let shownDataCharacters = 65_536
}
