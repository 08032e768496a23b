internal import Amounts
import BitcoinTestSupport
import Encoding
import TestSupport
import Testing

@testable import Bitcoin
@testable import Ethereum
@testable import Wallet

@Suite("Effects of calls, permits and outputs")
struct CallEffectTests {
    private static let own = Sample.address(0x01)
    private static let bob = Sample.address(0xB0)
    private static let token = Sample.token

    private func word(_ address: EthereumAddress) -> [UInt8] {
        [UInt8](repeating: 0, count: 12) + address.bytes
    }
    private func word(_ number: UInt64) -> [UInt8] { UInt256(number).bytes }

    private func effects(_ signature: String, _ words: [[UInt8]], calling contract: EthereumAddress)
        -> [Effect]
    {
        Effect.effects(
            of: ContractFunction.selector(signature) + words.joined(), calling: contract, from: Self.own)
    }

    /// A call with a meaning in Permit2 is unknown in any other contract.
    private func expect(_ effects: [Effect], of signature: String, _ words: [[UInt8]]) {
        let selector = ContractFunction.selector(signature)
        #expect(self.effects(signature, words, calling: Effect.permit2) == effects)
        #expect(
            self.effects(signature, words, calling: Self.token) == [.call(Self.token, selector: selector)]
        )
    }

    @Test(
        "Permit2 moves the tokens that its arguments name; the same bytes elsewhere are an unknown call"
    )
    func permit2Transfers() {
        let (own, bob, token) = (Self.own, Self.bob, Self.token)
        let paid = Effect.payment(.token(token), amount: 5, to: .ethereum(bob))
        expect(
            [paid], of: "transferFrom(address,address,uint160,address)",
            [word(own), word(bob), word(5), word(token)])
        let batch = "transferFrom((address,address,uint160,address)[])"
        let moved = [word(own), word(bob), word(5), word(token)]
        expect([paid, paid], of: batch, [word(32), word(2)] + moved + moved)
        // An empty list has no known effect.
        let nothing = effects(batch, [word(32), word(0)], calling: Effect.permit2)
        #expect(nothing == [.call(Effect.permit2, selector: ContractFunction.selector(batch))])
    }

    @Test("Permit2 moves the permitted tokens from the owner that the call names")
    func permit2PermitTransfer() {
        let (own, bob, token) = (Self.own, Self.bob, Self.token)
        let signature =
            "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)"
        func words(_ owner: EthereumAddress) -> [[UInt8]] {
            [
                word(token), word(9), word(4), word(60), word(bob), word(8), word(owner), word(256),
                word(0),
            ]
        }
        expect([.payment(.token(token), amount: 8, to: .ethereum(bob))], of: signature, words(own))
        expect(
            [.transfer(.token(token), amount: 8, from: .ethereum(token), to: .ethereum(bob))],
            of: signature,
            words(token))
    }

    @Test("a permit is an allowance where its standard applies, and unknown elsewhere")
    func permits() {
        let (own, bob, token) = (Self.own, Self.bob, Self.token)
        let single = "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)"
        expect(
            [.allowance(.token(token), amount: 5, to: .ethereum(bob))], of: single,
            [word(own), word(token), word(5), word(50), word(4), word(bob), word(60), word(256), word(0)])
        // An empty list of tokens allows nothing that is known.
        let batch = "permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)"
        let empty = effects(
            batch, [word(own), word(96), word(224), word(96), word(bob), word(60), word(0), word(0)],
            calling: Effect.permit2)
        #expect(empty == [.call(Effect.permit2, selector: ContractFunction.selector(batch))])
        // Of ERC-2612, Permit2 has none.
        let plain = "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)"
        let words = [word(own), word(bob), word(5), word(60), word(27), word(1), word(1)]
        #expect(
            effects(plain, words, calling: token) == [
                .allowance(.token(token), amount: 5, to: .ethereum(bob))
            ])
        #expect(
            effects(plain, words, calling: Effect.permit2)
                == [.call(Effect.permit2, selector: ContractFunction.selector(plain))])
    }

    @Test(
        "a permit that is bound to an order of somebody's is a statement: its price may be anything")
    func witness() throws {
        func effects(_ witness: String) throws -> [Effect] {
            let extra = witness.isEmpty ? "" : #", {"name": "witness", "type": "Order"}"#
            let order = witness.isEmpty ? "" : #", "Order": [{"name": "x", "type": "uint256"}]"#
            let document = """
                {"types": {"EIP712Domain": [{"name": "verifyingContract", "type": "address"}],
                  "TokenPermissions": [{"name": "token", "type": "address"}, {"name": "amount", "type": "uint256"}],
                  "Permit\(witness)TransferFrom": [{"name": "permitted", "type": "TokenPermissions"},
                    {"name": "spender", "type": "address"}, {"name": "nonce", "type": "uint256"},
                    {"name": "deadline", "type": "uint256"}\(extra)]\(order)},
                 "primaryType": "Permit\(witness)TransferFrom", "domain": {"verifyingContract": "\(Effect.permit2)"},
                 "message": {"permitted": {"token": "\(Self.token)", "amount": 5}, "spender": "\(Self.bob)", "nonce": 4,
                  "deadline": 60\(witness.isEmpty ? "" : #", "witness": {"x": 1}"#)}}
                """
            return Effect.effects(of: try TypedData(decoding: Array(document.utf8)), by: Self.own)
        }
        #expect(try effects("") == [.allowance(.token(Self.token), amount: 5, to: .ethereum(Self.bob))])
        #expect(try effects("Witness").map(\.kind) == [.statement])
    }

    @Test(
        "an increase tells by how much and no total, and one that is beyond all tokens has no limit; a decrease gives nothing"
    )
    func steps() {
        let (bob, token) = (Party.ethereum(Self.bob), Asset.token(Self.token))
        func effects(_ name: String, _ amount: UInt256) -> [Effect] {
            self.effects("\(name)Allowance(address,uint256)", [word(Self.bob), amount.bytes], calling: Self.token)
        }
        #expect(effects("increase", 5) == [.increase(token, by: 5, to: bob)])
        #expect(effects("increase", .maximum) == [.allowance(token, amount: nil, to: bob)])
        #expect(effects("decrease", 5) == [.decrease(token, by: 5, to: bob)])
        #expect(effects("decrease", .maximum) == [.decrease(token, by: .maximum, to: bob)])
        let (more, less) = (Effect.increase(token, by: 5, to: bob), Effect.decrease(token, by: 5, to: bob))
        #expect((more.kind, more.party, more.asset, more.amount, more.given) == (.allowance, bob, token, nil, 5))
        #expect((less.kind, less.party, less.asset, less.amount, less.given) == (.allowance, bob, token, 0, 0))
    }

    @Test("a transfer may be of tokens or of one collectible, and cannot tell which; zero is a payment of nothing")
    func transfer() {
        func effects(_ amount: UInt64) -> [Effect] {
            self.effects("transfer(address,uint256)", [word(Self.bob), word(amount)], calling: Self.token)
        }
        let bob = Party.ethereum(Self.bob)
        #expect(effects(5) == [.payment(.tokenOrItem(Self.token), amount: 5, to: bob)])
        #expect(effects(0) == [.payment(.token(Self.token), amount: 0, to: bob)])
        let nothing = Intent.made(effects(0), fee: 0, chain: Sample.mainnet)
        #expect(nothing.checked(in: Sample.context(known: [bob])).refusals.map(\.name) == ["zero_amount"])
    }

    @Test("a contract that the policy names as a token on this chain is shown as one, and nothing else changes")
    func named() {
        func policy(_ contract: EthereumAddress, on chain: Chain) -> Policy {
            let asset = PolicyAsset(name: "T", chain: chain, asset: .token(contract), decimals: .ether)
            return Policy(rules: [], tokens: [asset])
        }
        let (bob, either, token) = (Sample.friend, Asset.tokenOrItem(Self.token), Asset.token(Self.token))
        let effects: [Effect] = [
            .payment(either, amount: 5, to: bob), .transfer(either, amount: 5, from: bob, to: bob),
            .allowance(either, amount: nil, to: bob), .control(of: Self.token, by: bob, isGiven: true),
        ]
        let intent = Intent.made(effects, fee: 1, chain: Sample.mainnet)
        let named = intent.naming(tokensOf: policy(Self.token, on: Sample.mainnet))
        #expect(
            named.effects == [
                .payment(token, amount: 5, to: bob), .transfer(token, amount: 5, from: bob, to: bob),
                .allowance(token, amount: nil, to: bob), effects[3],
            ])
        #expect((named.digest, named.highestFee, named.chain) == (intent.digest, intent.highestFee, intent.chain))
        for policy in [policy(Self.bob, on: Sample.mainnet), policy(Self.token, on: .ethereum(.sepolia))] {
            #expect(intent.naming(tokensOf: policy) == intent)
        }
    }

    @Test("collectibles are listed one by one; none of them is nothing")
    func items() {
        let (own, bob, token) = (Self.own, Self.bob, Self.token)
        let signature = "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)"
        #expect(
            effects(
                signature,
                [word(own), word(bob), word(160), word(192), word(224), word(0), word(0), word(0)],
                calling: token) == [.nothing])
        #expect(
            effects(
                signature,
                [
                    word(own), word(bob), word(160), word(224), word(288), word(1), word(7), word(1), word(3),
                    word(0),
                ], calling: token) == [.payment(.item(token, id: 7), amount: 3, to: .ethereum(bob))])
    }

    @Test(
        "each output that is not the wallet's is a payment, also one without an address; refusals go along"
    )
    func outputs() throws {
        let odd = ScriptPubKey([0x6A, 0x01, 0x2A])
        let intent = Intent(
            try paymentSummary { draft, _ in draft.outputs.append((odd, 100)) })
        #expect(intent.effects.contains(.payment(.coin, amount: 100, to: .script(odd))))
        let summary = try paymentSummary { draft, _ in draft.outputs[0].satoshis = 61_001 }
        #expect(Intent(summary).refusals.map(\.name) == ["outputs_exceed_inputs"])
    }

    @Test("a party has one valid text")
    func party() throws {
        let address = try EthereumAddress("0x52908400098527886E0F7030069857D2E4169EE7")
        let party = Party.ethereum(address)
        #expect(try Party(json: party.json) == party)
        for text in [
            #"{"type":"ethereum","address":"0x52908400098527886e0f7030069857d2e4169ee7"}"#,
            #"{"type":"ethereum","address":"\#(address)","more":1}"#,
            #"{"address":"\#(address)","type":"ethereum"}"#,
        ] {
            #expect(throws: WalletError.malformed(.unsupported), "\(text)") {
                try Party(json: Encoding.JSON(decoding: text))
            }
        }
    }
}
