internal import Foundation
import TestSupport
import Testing

/// The result of a payment does not reach the reader of standard output. The command fails, and the same order answers
/// with the payment instead of paying again.
@Suite("A payment whose result could not be printed", .timeLimit(.minutes(20)))
struct UnprintedResultTests {
    /// A standard output that accepts nothing.
    enum Sink {
        case closedPipe
        case fullDisk
        case closedDescriptor

        /// A script that runs its arguments with this standard output.
        fileprivate var script: String {
            switch self {
            // The reader opens the pipe and ends before the command starts.
            case .closedPipe: #"mkfifo pipe && { : <pipe & exec 3>pipe; wait; rm pipe; exec "$@" >&3 3>&-; }"#
            case .fullDisk: #"exec "$@" >/dev/full"#
            case .closedDescriptor: #"exec "$@" >&-"#
            }
        }
    }

    /// The output, and the options that are added to the order.
    private static let cases: [(sink: Sink, options: [String])] = [
        (.closedPipe, []), (.closedPipe, ["--json", "--wait"]), (.fullDisk, ["--json"]),
        (.fullDisk, ["--wait"]), (.closedDescriptor, ["--json"]), (.closedDescriptor, ["--wait"]),
    ]

    @Test(
        "on Bitcoin, the command ends with 74 and names the transaction, and the same order answers with it",
        .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
    func bitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKeys: (0..<12).map { try wallet.address($0).script_pubkey })
        let options = try wallet.options(node)
        let relay = try LyingNode.before(node.rpc().port, ["getmempoolentry": .mines])
        let mining = try wallet.options(relay, before: node)
        var amounts: [Int64] = []
        for (index, (sink, more)) in Self.cases.enumerated() {
            let satoshis = Int64(100_000_000 + index)
            amounts.append(satoshis)
            let isAwaited = more.contains("--wait")
            let lost = try wallet.run(
                wallet.order("\(satoshis)sat", isAwaited ? mining : options, more), to: sink)
            if !isAwaited, index > 0 { try node.mineBlocks(1, to: "51") }
            let answer = try wallet.fueki.json(wallet.order("\(satoshis)sat", options), as: SentBitcoin.self)
            #expect(answer.earlier && answer.state == (index > 0 ? "mined" : "sent"), "\(sink), \(more)")
            expectUnprinted(lost, of: answer.txid, isJSON: more.contains("--json"))
        }
        // The relay ends with its object.
        withExtendedLifetime(relay) {}
        try node.mineBlocks(1, to: "51")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey).sorted() == amounts)
    }

    @Test(
        "on Ethereum, the command ends with 74 and names the transaction, and the same order answers with it",
        .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
    func ethereum() throws {
        let bench = try EthereumBench()
        var total = Decimal(0)
        for (index, (sink, more)) in Self.cases.enumerated() {
            let amount = "0.0\(100 + index)"
            total += EthereumBench.ether(amount)
            let isMined = index > 0
            if isMined { try bench.node.tell("evm_automine", "0") }
            let order = ["send", bench.wallet.name, "--to", EthereumBench.bob, "--amount", "\(amount)eth"]
            let lost = try bench.wallet.run(
                bench.words(order + more.filter { $0 != "--json" }).filter {
                    $0 != "--json" || more.contains("--json")
                }, to: sink)
            let answer = try bench.sent("\(amount)eth")
            #expect(answer.earlier && answer.state == (isMined ? "mined" : "sent"), "\(sink), \(more)")
            expectUnprinted(lost, of: answer.hash, isJSON: more.contains("--json"))
        }
        try bench.mine()
        #expect(try bench.balance(of: EthereumBench.bob) == total)
    }

    @Test(
        "on Bitcoin, resume shows it until its list was printed, and then the same order still answers with it, paid once",
        .enabled(if: Peer.node.isExpected, Comment(rawValue: Peer.node.absence)))
    func resumedOnBitcoin() throws {
        let node = try Node()
        let wallet = try TestWallet()
        _ = try node.fund(scriptPubKeys: (0..<3).map { try wallet.address($0).script_pubkey })
        let options = try wallet.options(node)
        let lost = try wallet.run(wallet.order("1.5btc", options), to: .closedPipe)
        #expect(lost.status == 74, "\(lost.errors)")
        try wallet.expectResumed(options)
        try node.mineBlocks(1, to: "51")
        let answer = try wallet.fueki.json(wallet.order("1.5btc", options), as: SentBitcoin.self)
        #expect(answer.earlier && answer.state == "mined")
        #expect(try node.amounts(paidTo: Bob.scriptPubKey) == [150_000_000])
        let further = try wallet.fueki.json(wallet.order("1.5btc", options), as: SentBitcoin.self)
        #expect(!further.earlier && further.txid != answer.txid)
    }

    @Test(
        "on Ethereum, resume shows it until its list was printed, and then the same order still answers with it, paid once",
        .enabled(if: Peer.python.isExpected, Comment(rawValue: Peer.python.absence)))
    func resumedOnEthereum() throws {
        let bench = try EthereumBench()
        let order = ["send", bench.wallet.name, "--to", EthereumBench.bob, "--amount", "0.1eth"]
        let lost = try bench.wallet.run(bench.words(order), to: .closedPipe)
        #expect(lost.status == 74, "\(lost.errors)")
        try bench.wallet.expectResumed(["--chain", EthereumBench.chain, "--node", bench.node.url])
        try bench.mine()
        let answer = try bench.sent("0.1eth")
        #expect(answer.earlier && answer.state == "mined")
        #expect(try bench.balance(of: EthereumBench.bob) == EthereumBench.ether("0.1"))
    }

    private func expectUnprinted(
        _ lost: Program.Outcome, of id: String, isJSON: Bool, _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(lost.status == 74, "\(lost.errors)", sourceLocation: location)
        #expect(
            lost.errors.contains("transaction \(id): it is done, but its result could not be written"),
            "\(lost.errors)", sourceLocation: location)
        guard isJSON else { return }
        #expect(lost.errors.contains(#""code" : "result_not_written""#), "\(lost.errors)", sourceLocation: location)
        #expect(lost.errors.contains(#""id" : "\#(id)""#), "\(lost.errors)", sourceLocation: location)
    }
}

extension TestWallet {
    /// Runs `fueki` with a standard output that accepts nothing.
    borrowing func run(_ arguments: [String], to sink: UnprintedResultTests.Sink) throws -> Program.Outcome {
        try Program.run(
            "/bin/sh", ["-c", sink.script, "sh", "\(FuekiCommand.binaries)/fueki"] + arguments,
            environment: ["FUEKI_HOME": "\(folder)/home"], in: folder)
    }

    /// Expects that `fueki resume` shows one payment again until its list was printed, and then no longer.
    fileprivate borrowing func expectResumed(_ node: [String]) throws {
        struct Resumed: Decodable {
            struct Payment: Decodable { let state: String }
            let payments: [Payment]
        }
        let resume = ["resume", name, "--passphrase-file", "passphrase"] + node
        for sink in [UnprintedResultTests.Sink.closedPipe, .fullDisk] {
            let unseen = try run(resume + ["--json"], to: sink)
            #expect(unseen.status == 74, "\(unseen.errors)")
        }
        #expect(try fueki.json(resume, as: Resumed.self).payments.map(\.state) == ["sent"])
        #expect(try fueki.json(resume, as: Resumed.self).payments.isEmpty)
    }
}
