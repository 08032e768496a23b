internal import Foundation
import TestSupport
import Testing

/// The main use on real parts: embit's PSBT, Bitcoin Core's engine, and a real node.
@Suite(
    "A payment, from the wallet to the block",
    .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)),
    .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
struct PaymentTests {
    @Test("each of the three pairs of shares signs embit's PSBT; Bitcoin Core's engine accepts it, a node mines it")
    func threePairs() throws {
        let node = try Node()
        let wallet = try TestWallet()
        for (number, pair) in ["device,backup", "device,recovery", "backup,recovery"].enumerated() {
            let address = try wallet.address(number)
            let coin = try node.fund(scriptPubKey: address.script_pubkey)
            let change = try wallet.address(number, change: true)
            try wallet.fueki.folder.write(
                Embit.psbt(
                    inputs: [.init(coin, key: wallet.key(of: address))],
                    outputs: [
                        .init(value: 1_234_500_000, scriptPubKey: Bob.scriptPubKey),
                        .init(
                            value: coin.value - 1_234_510_000, scriptPubKey: change.script_pubkey,
                            key: wallet.key(of: change)),
                    ]), to: "payment.psbt")
            let transaction = try wallet.transaction(signedWith: pair)
            #expect(try Kernel.verdicts(on: transaction, spending: [coin]) == [true], "\(pair)")
            #expect(try node.refusal(of: transaction) == nil, "\(pair)")
            #expect(try node.mine(transaction) == 1, "\(pair)")
        }
    }

    @Test("coins at receive and change addresses are spent together, and the change is recognised")
    func severalInputs() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let spent = [
            try wallet.address(0), try wallet.address(7), try wallet.address(2, change: true),
            // Beyond the search without a claim: the PSBT's claim leads there.
            try wallet.address(2_000),
        ]
        let coins = try spent.map { try node.fund(scriptPubKey: $0.script_pubkey) }
        let change = try wallet.address(3, change: true)
        let total = coins.reduce(0) { $0 + $1.value }
        try wallet.fueki.folder.write(
            Embit.psbt(
                inputs: zip(coins, spent).map { .init($0, key: wallet.key(of: $1)) },
                outputs: [
                    .init(value: total - 30_000_000, scriptPubKey: change.script_pubkey, key: wallet.key(of: change)),
                    .init(value: 29_990_000, scriptPubKey: Bob.scriptPubKey),
                ]), to: "payment.psbt")

        let seen = try wallet.fueki.json("psbt", "inspect", "payment.psbt", as: Inspection.self)
        #expect(seen.inputs.map(\.path) == ["m/0/0", "m/0/7", "m/1/2", "m/0/2000"])
        #expect(seen.outputs.map(\.path) == ["m/1/3", nil])
        #expect(seen.outputs.map(\.address) == [change.address, Bob.address])
        #expect(seen.fee == 10_000 && seen.paid == 29_990_000 && seen.change == total - 30_000_000)
        #expect(seen.refusals.isEmpty)

        let transaction = try wallet.transaction(signedWith: "device,recovery")
        #expect(try Kernel.verdicts(on: transaction, spending: coins) == [true, true, true, true])
        #expect(try node.mine(transaction) == 1)
    }

    @Test(
        "each of the three pairs signs by ECDSA what embit wrote, beside taproot; the engine accepts it, a node mines it"
    )
    func threePairsSegwit() throws {
        let node = try Node()
        let wallet = try TestWallet()
        let segwits = try (0..<3).map { try wallet.address($0, type: "segwit") }
        let taproots = try (0..<3).map { try wallet.address($0) }
        let coins = try node.fund(scriptPubKeys: (segwits + taproots).map(\.script_pubkey))
        for (number, pair) in ["device,backup", "device,recovery", "backup,recovery"].enumerated() {
            let (segwit, taproot) = (segwits[number], taproots[number])
            let change = try wallet.address(number, change: true, type: "segwit")
            let ((coin, previous), (other, otherPrevious)) = (coins[number], coins[number + 3])
            try wallet.fueki.folder.write(
                Embit.psbt(
                    inputs: [
                        .init(coin, key: wallet.segwitKey(of: segwit), previousTransaction: previous),
                        .init(other, key: wallet.key(of: taproot), previousTransaction: otherPrevious),
                    ],
                    outputs: [
                        .init(value: 1_234_500_000, scriptPubKey: Bob.scriptPubKey),
                        .init(
                            value: coin.value + other.value - 1_234_520_000, scriptPubKey: change.script_pubkey,
                            key: wallet.segwitKey(of: change)),
                    ]), to: "payment.psbt")

            let seen = try wallet.fueki.json("psbt", "inspect", "payment.psbt", as: Inspection.self)
            #expect(seen.inputs.map(\.path) == ["m/0/\(number)", "m/0/\(number)"])
            #expect(seen.outputs.map(\.path) == [nil, "m/1/\(number)"])
            #expect(seen.fee == 20_000 && seen.refusals.isEmpty)

            let transaction = try wallet.transaction(signedWith: pair)
            #expect(try Kernel.verdicts(on: transaction, spending: [coin, other]) == [true, true], "\(pair)")
            #expect(try node.refusal(of: transaction) == nil, "\(pair)")
            #expect(try node.mine(transaction) == 1, "\(pair)")
        }
    }

    @Test("an unproven amount is refused where ECDSA would not detect it")
    func unprovenAmount() throws {
        let wallet = try TestWallet()
        let address = try wallet.address(type: "segwit")
        try wallet.fueki.folder.write(
            Embit.psbt(
                inputs: [.init(wallet.inventedCoin(at: address), key: wallet.segwitKey(of: address))],
                outputs: [.init(value: 1_000_000, scriptPubKey: Bob.scriptPubKey)]), to: "payment.psbt")
        let outcome = try wallet.sign(with: "device,backup")
        wallet.expectNothingSigned(outcome, status: 2, says: "its amount may be a lie about the fee")
    }

    @Test("a wallet of 3 of 5 shares signs with any three of them")
    func threeOfFive() throws {
        let node = try Node()
        let wallet = try TestWallet(threshold: 3, shares: 5)
        #expect(wallet.description.shares.map(\.location) == ["device", "backup", "recovery", "share-4", "share-5"])
        for shares in ["device,backup,recovery", "share-5,backup,share-4"] {
            let address = try wallet.address()
            let coin = try node.fund(scriptPubKey: address.script_pubkey)
            try wallet.fueki.folder.write(
                Embit.psbt(
                    inputs: [.init(coin, key: wallet.key(of: address))],
                    outputs: [.init(value: coin.value - 10_000, scriptPubKey: Bob.scriptPubKey)]), to: "payment.psbt")
            let transaction = try wallet.transaction(signedWith: shares)
            #expect(try Kernel.verdicts(on: transaction, spending: [coin]) == [true], "\(shares)")
            #expect(try node.mine(transaction) == 1, "\(shares)")
        }
        let tooFew = try wallet.sign(with: "device,backup", to: "two.psbt")
        #expect(tooFew.status == 2)
        #expect(tooFew.errors.contains("signing needs 3 different shares, and 2 were named"))
        #expect(!wallet.files.contains("two.psbt"))
    }
}

/// The part of `fueki psbt inspect --json` that these tests read.
struct Inspection: Decodable {
    struct Input: Decodable { let path: String? }
    struct Output: Decodable {
        let address: String?
        @SmallestUnit var amount: Int64
        let ours: Bool
        let path: String?
    }
    let inputs: [Input]
    let outputs: [Output]
    private let feeText: String?
    @SmallestUnit var paid: Int64
    @SmallestUnit var change: Int64
    let warnings: [String]
    let refusals: [String]
    let digest: String

    /// The amount in satoshi.
    var fee: Int64? { feeText.flatMap { Int64($0) } }

    enum CodingKeys: String, CodingKey {
        case feeText = "fee"
        case inputs, outputs, paid, change, warnings, refusals, digest
    }
}
