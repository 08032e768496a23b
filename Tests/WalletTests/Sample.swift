internal import Amounts
import EthereumTestSupport

@testable import Bitcoin
@testable import Ethereum
@testable import Wallet

/// Intents and situations for policies, made by hand.
enum Sample {
    static let friend = Party.ethereum(address(0x52))
    static let stranger = Party.ethereum(address(0xDE))
    static let token = address(0xA0)
    static func address(_ byte: UInt8) -> EthereumAddress { .repeating(byte) }

    static let mainnet = Chain.ethereum(.ethereum)
    static let ether = UInt256(1_000_000_000_000_000_000)

    static func intent(_ effects: Effect..., fee: UInt256? = 0, chain: Chain? = mainnet, findings: [Finding] = [])
        -> Intent
    {
        Intent(
            chain: chain, effects: effects, highestFee: fee, findings: findings,
            digest: [UInt8](repeating: 7, count: 32))
    }

    static func payment(_ amount: UInt256, to party: Party = friend, of asset: Asset = .coin) -> Effect {
        .payment(asset, amount: amount, to: party)
    }

    static func context(
        now: UInt64 = 1_000_000, history: [SignedEffect] = [], known: Set<Party>? = [friend], chosen: Set<Party> = [],
        proposed: UInt64? = nil, approvers: Set<String> = [], node: NodeView? = nil
    ) -> PolicyContext {
        PolicyContext(
            now: now, history: history, known: known, chosen: chosen, proposed: proposed, approvers: approvers,
            node: node)
    }
}

extension Intent {
    static func made(_ effects: [Effect], fee: UInt256?, chain: Chain?) -> Intent {
        Intent(chain: chain, effects: effects, highestFee: fee, findings: [], digest: [UInt8](repeating: 7, count: 32))
    }
}
