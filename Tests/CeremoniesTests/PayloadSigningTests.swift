internal import Amounts
internal import Bitcoin
internal import Ethereum
internal import HDKeys
import Secrets
import Synchronization
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport

@Suite("Signing other payloads than Bitcoin transactions")
struct PayloadSigningTests {
    private static let pairs = [(1, 2), (1, 3), (2, 3)]
    private static let fees = try? EthereumTransaction.Fees(
        maxPriorityFeePerGas: Wei("1gwei"), maxFeePerGas: Wei("30gwei"))

    private static func transfer(data: [UInt8] = []) throws -> EthereumTransaction {
        try EthereumTransaction(
            chainID: .ethereum, nonce: 7, gasLimit: 100_000,
            to: EthereumAddress("0x52908400098527886E0F7030069857D2E4169EE7"), value: Wei("0.1eth"), data: data,
            kind: .dynamicFee(try #require(fees), []))
    }

    private func signed(
        _ payload: SigningPayload, by wallet: MadeWallet, _ pair: (Int, Int)
    ) async throws -> SigningProduct {
        let proposed = try ProposedPayload(payload, from: wallet.keys)
        let confirmed = try proposed.confirmed(proposed.intent.digest, accepting: [])
        return try await confirmed.sign(
            with: [
                try wallet.participant(pair.0, of: confirmed, ledger: MemoryLedger()),
                try wallet.participant(pair.1, of: confirmed, ledger: MemoryLedger()),
            ], random: SystemRandom()
        ).product
    }

    @Test("each pair signs an Ethereum transaction whose sender is the requested account")
    func transaction() async throws {
        let wallet = try await MadeWallet()
        let accounts = try #require(try wallet.keys.accounts.ethereum)
        for (account, pair) in Self.pairs.enumerated() {
            let payload = SigningPayload.ethereumTransaction(try Self.transfer(), account: UInt32(account))
            guard case .ethereumTransaction(let made) = try await signed(payload, by: wallet, pair) else {
                Issue.record("it is something else")
                continue
            }
            #expect(made.transaction == (try Self.transfer()))
            #expect(
                try SignedEthereumTransaction(decoding: made.encoded).sender
                    == accounts.key(at: UInt32(account)).address)
        }
    }

    @Test("each pair signs messages of both chains, and typed data, valid for the requested address")
    func messages() async throws {
        let wallet = try await MadeWallet()
        let accounts = try wallet.keys.accounts
        let address = try #require(accounts.ethereum).key(at: 0).address
        let text = Array("I hold this address".utf8)
        let document = Array(
            """
            {"types": {"EIP712Domain": [{"name": "chainId", "type": "uint256"}],
              "Permit": [{"name": "owner", "type": "address"}, {"name": "spender", "type": "address"},
                {"name": "value", "type": "uint256"}, {"name": "nonce", "type": "uint256"},
                {"name": "deadline", "type": "uint256"}]},
             "primaryType": "Permit", "domain": {"chainId": 11155111},
             "message": {"owner": "\(address)", "spender": "0x52908400098527886E0F7030069857D2E4169EE7", "value": 5,
               "nonce": 0, "deadline": 9}}
            """.utf8)
        for pair in Self.pairs {
            let message = try PersonalMessage(bytes: text)
            guard
                case .ethereumMessage(let personal) = try await signed(
                    .personalMessage(message, account: 0), by: wallet, pair)
            else { throw CeremonyError.malformedMessage }
            #expect(message.isSigned(by: address, personal))

            for kind in AddressLabel.Kind.allCases {
                let label = AddressLabel(kind, at: try AddressPath(.receive, index: 3))
                guard
                    case .bitcoinMessage(let signature) = try await signed(
                        .bitcoinMessage(text, by: label), by: wallet, pair)
                else { throw CeremonyError.malformedMessage }
                let script = try accounts.key(of: label).scriptPubKey
                let participant = try #require(Address(script, on: wallet.keys.network))
                #expect(signature.verdict(on: text, by: participant) == .valid)
                #expect(signature.verdict(on: text + [0], by: participant) == .invalid)
            }
        }
        let data = try TypedData(decoding: document)
        // Its meaning is unknown, as the domain names no contract: the default policy does not allow it.
        let payload = SigningPayload.typedData(data, document: document, account: 0)
        let proposed = try ProposedPayload(payload, from: wallet.keys)
        #expect(proposed.decision.verdict == .denied)
        #expect(throws: CeremonyError.forbidden(proposed.decision)) {
            try proposed.confirmed(proposed.intent.digest, accepting: [])
        }
        // Under a policy that allows it, the participants' authorizers still ask theirs.
        let free = Policy(rules: [PolicyRule(name: "all", conditions: [], outcome: .allow)])
        let allowed = try ProposedPayload(payload, from: wallet.keys, under: free)
        let costs = allowed.intent.costs(besides: [])
        #expect(costs.map(\.name) == ["unknown_statement"])
        #expect(throws: CeremonyError.notAccepted(costs)) {
            try allowed.confirmed(allowed.intent.digest, accepting: ["high_fee", "unknown_call"])
        }
        let confirmed = try allowed.confirmed(allowed.intent.digest, accepting: ["unknown_statement", "high_fee"])
        let (one, other) = (MemoryLedger(), MemoryLedger())
        let wary = [
            try wallet.participant(1, of: confirmed, ledger: one),
            try wallet.participant(2, of: confirmed, ledger: other),
        ]
        let failure = await failure { () async throws(CeremonyError) in
            try await confirmed.sign(with: wary, random: SystemRandom())
        }
        #expect(failure == .forbidden(proposed.decision))
        // Nothing had begun.
        #expect(one.entries.isEmpty && other.entries.isEmpty)

        let participants = try [1, 2].map { index in
            try wallet.participant(
                index, of: confirmed, ledger: MemoryLedger(), authorizer: PolicyAuthorizer(free, now: 0))
        }
        guard
            case .ethereumMessage(let signature) = try await confirmed.sign(with: participants, random: SystemRandom())
                .product
        else { throw CeremonyError.malformedMessage }
        #expect(signature.signer(ofHash: data.hash) == address)
    }

    @Test("each participant asks its own authorizer, with an intent that it decoded itself")
    func authorizers() async throws {
        let wallet = try await MadeWallet()
        let payload = SigningPayload.ethereumTransaction(try Self.transfer(), account: 0)
        let proposed = try ProposedPayload(payload, from: wallet.keys)
        let confirmed = try proposed.confirmed(proposed.intent.digest, accepting: [])
        let (open, shut) = (NotingAuthorizer(), NotingAuthorizer(refusing: .forbidden(proposed.decision)))
        let ledgers = [MemoryLedger(), MemoryLedger()]
        let participants = [
            try wallet.participant(1, of: confirmed, ledger: ledgers[0], authorizer: open),
            try wallet.participant(3, of: confirmed, ledger: ledgers[1], authorizer: shut),
        ]
        let failure = await failure { () async throws(CeremonyError) in
            try await confirmed.sign(with: participants, random: SystemRandom())
        }
        #expect(failure == .forbidden(proposed.decision))
        #expect(open.asked.map(\.payload) == [payload] && shut.asked.map(\.payload) == [payload])
        #expect(open.asked.map(\.intent.digest) == [proposed.intent.digest])
        #expect(open.asked.map(\.intent.effects) == [proposed.intent.effects])
        #expect(ledgers[1].entries.isEmpty)
    }
}
