internal import Curves
internal import Secrets

@testable internal import ThresholdECDSA

extension FuzzEntry {
    /// The opened messages of a peer that sets up a pair: a malicious peer can send anything. Sizes are fixed, so that
    /// only the content of a seed is worth changing, and each execution computes with all of it.
    static let pairSetup: [FuzzEntry] = [
        FuzzEntry("ecdsa-setup-1", seeds: [try SeedPairSetup.made.value.opened[0].body]) { input in
            _ = try SeedPairSetup.made.value.send(SeedPairSetup.made.value.with(input, at: 0))
            return input
        },
        FuzzEntry("ecdsa-setup-2", seeds: [try SeedPairSetup.made.value.opened[1].body]) { input in
            let made = try SeedPairSetup.made.value
            _ = try made.receiving.receive(made.with(input, at: 1), random: made.random)
            return input
        },
        FuzzEntry("ecdsa-setup-3", seeds: [try SeedPairSetup.made.value.opened[2].body]) { input in
            let made = try SeedPairSetup.made.value
            _ = try made.sending.receive(made.with(input, at: 2), random: made.random)
            return input
        },
        FuzzEntry("ecdsa-setup-4", seeds: [try SeedPairSetup.made.value.opened[3].body]) { input in
            let made = try SeedPairSetup.made.value
            _ = try made.grown.finish(made.with(input, at: 3))
            return input
        },
    ]
}

/// The state of both sides of one pair after each of their messages.
struct SeedPairSetup: Sendable {
    static let made = Once { try SeedPairSetup() }

    private let pair = ECDSA.PairSetup.PairSession(
        session: SeedECDSA.name, sender: SeedECDSA.first, receiver: SeedECDSA.second)
    let random: ECDSA.PairSetup.SetupRandom
    let receiving: ECDSA.PairSetup.ReceivingSide
    let sending: ECDSA.PairSetup.SendingSide
    let grown: ECDSA.PairSetup.GrownReceivingSide
    let opened: [ECDSA.PairSetup.OpenedMessage]

    private init() throws {
        random = ECDSA.PairSetup.SetupRandom(
            fresh: SeedECDSA.key(), share: SecretScalar(Scalar(7)), seed: SeedECDSA.key(), of: SeedECDSA.second,
            answering: SeedECDSA.name)
        receiving = ECDSA.PairSetup.ReceivingSide(pair, seed: SeedECDSA.key(), random: SeedRandom(1))
        let first = try pair.message(.first, after: []).open(receiving.message, seed: SeedECDSA.key())
        sending = try ECDSA.PairSetup.SendingSide(
            pair, answering: first, seed: SeedECDSA.key(), random: SeedRandom(2))
        let second = try receiving.open(sending.message)
        grown = try receiving.receive(second, random: random)
        let third = try sending.open(grown.message)
        let last = try sending.receive(third, random: SeedRandom(3))
        opened = [first, second, third, try grown.open(last.message.required())]
    }

    /// Returns a message with another body.
    func with(_ body: [UInt8], at number: Int) -> ECDSA.PairSetup.OpenedMessage {
        ECDSA.PairSetup.OpenedMessage(bytes: opened[number].bytes, body: body)
    }

    /// Returns the answer to the first message.
    func send(_ first: ECDSA.PairSetup.OpenedMessage) throws -> ECDSA.PairSetup.SendingSide {
        try ECDSA.PairSetup.SendingSide(pair, answering: first, seed: SeedECDSA.key(), random: SeedRandom(2))
    }
}
