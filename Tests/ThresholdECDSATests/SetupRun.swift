import Curves
import Secrets
import TestSupport
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// Participants of a key and their host keys, and set-ups of their pairs whose messages a test can change in transit.
struct SetupRun {
    /// The steps in the order of the messages; the last two are the confirmation, and the certificate.
    enum Step: Int, CaseIterable, Sendable { case first = 1, second, third, fourth, confirmation, certificate }

    /// The participant that did not continue, and its error.
    struct Failure: Error, Equatable {
        let participant: ParticipantIndex
        let error: ThresholdError
    }

    typealias Interception = (Step, _ from: ParticipantIndex, _ to: ParticipantIndex, inout [UInt8]) -> Void

    let group: GroupKey<Secp256k1>
    let hostKeys: [KnownHostKey]
    let shares: [SecretBytesBox]
    var session: ECDSA.PairSetup.Session
    let random: SeededRandom
    /// The random sources of the participants.
    var source: any RandomSource

    init(_ threshold: Int, of total: Int, seed: UInt64 = 50, identifier: UInt8 = 1) throws {
        random = SeededRandom(seed: seed)
        source = random
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        let dealer = try TrustedDealerForTesting<Secp256k1>(parameters: parameters, random: random)
        group = dealer.group
        var shares: [SecretBytesBox] = []
        var hostKeys: [KnownHostKey] = []
        for index in parameters.indices {
            shares.append(SecretBytesBox(try dealer.share(of: index).encoded()))
            hostKeys.append(KnownHostKey(Sharing.HostKey(from: random)))
        }
        self.shares = shares
        self.hostKeys = hostKeys
        session = try ECDSA.PairSetup.Session(
            group: dealer.group, epoch: 0, identifier: [UInt8](repeating: identifier, count: 32),
            hostKeys: hostKeys.map { $0.key.publicKey.encoded })
    }

    func begin(_ index: ParticipantIndex) throws(ThresholdError) -> ECDSA.PairSetup.Round1 {
        try ECDSA.PairSetup.Round1(
            session, share: try KeyShare(decoding: shares[index.value - 1].bytes),
            hostKey: hostKeys[index.value - 1].key,
            random: source)
    }

    /// The key with which two participants seal their messages.
    func seed(_ one: ParticipantIndex, _ other: ParticipantIndex) -> SecretBytes {
        ECDSA.PairSetup.seed(of: one, and: other, in: session, hostKey: hostKeys[one.value - 1].key)
    }

    func secretShare(of index: ParticipantIndex) throws(ThresholdError) -> SecretScalar<Secp256k1> {
        try KeyShare<Secp256k1>(decoding: shares[index.value - 1].bytes).secret.clone()
    }

    /// The random source of a participant's secrets for one pair.
    func randomness(
        of index: ParticipantIndex, with peer: ParticipantIndex, fresh: [UInt8], answering name: [UInt8] = []
    ) throws(ThresholdError) -> ECDSA.PairSetup.SetupRandom {
        ECDSA.PairSetup.SetupRandom(
            fresh: secret(fresh), share: try secretShare(of: index), seed: seed(index, peer), of: index,
            answering: name)
    }

    /// The set-up with all rounds.
    func run(_ intercept: Interception = { _, _, _, _ in }) throws -> [Box<ECDSA.KeyShare>] {
        let indices = group.parameters.indices
        var first: [Box<ECDSA.PairSetup.Round1>] = []
        for index in indices { first.append(try at(index) { () throws(ThresholdError) in Box(try begin(index)) }) }
        let firstMessages = route(.first, first.map { $0.borrow { $0.messages } }, intercept)
        var second: [Box<ECDSA.PairSetup.Round2>] = []
        for (index, round) in zip(indices, first) {
            second.append(
                try at(index) { () throws(ThresholdError) in
                    Box(try round.take().receive(firstMessages[index.value - 1], random: source))
                })
        }
        let secondMessages = route(.second, second.map { $0.borrow { $0.messages } }, intercept)
        var third: [Box<ECDSA.PairSetup.Round3>] = []
        for (index, round) in zip(indices, second) {
            third.append(
                try at(index) { () throws(ThresholdError) in
                    Box(try round.take().receive(secondMessages[index.value - 1], random: source))
                })
        }
        let thirdMessages = route(.third, third.map { $0.borrow { $0.messages } }, intercept)
        var fourth: [Box<ECDSA.PairSetup.Round4>] = []
        for (index, round) in zip(indices, third) {
            fourth.append(
                try at(index) { () throws(ThresholdError) in
                    Box(try round.take().receive(thirdMessages[index.value - 1], random: source))
                })
        }
        let fourthMessages = route(.fourth, fourth.map { $0.borrow { $0.messages } }, intercept)
        var pending: [Box<ECDSA.PairSetup.Pending>] = []
        for (index, round) in zip(indices, fourth) {
            pending.append(
                try at(index) { () throws(ThresholdError) in
                    Box(
                        try round.take().receive(
                            fourthMessages[index.value - 1], hostKey: hostKeys[index.value - 1].key, random: source))
                })
        }
        var confirmations: [ParticipantIndex: [UInt8]] = [:]
        for (index, pending) in zip(indices, pending) {
            var message = pending.borrow { $0.message }
            intercept(.confirmation, index, index, &message)
            confirmations[index] = message
        }
        let certificate = try session.certify(confirmations)
        var result: [Box<ECDSA.KeyShare>] = []
        for (index, pending) in zip(indices, pending) {
            var certificate = certificate
            intercept(.certificate, index, index, &certificate)
            result.append(
                try at(index) { () throws(ThresholdError) in Box(try pending.take().activate(certificate)) })
        }
        return result
    }

    /// Returns messages by recipient and sender, given those by sender and recipient.
    private func route(
        _ step: Step, _ messages: [[ParticipantIndex: [UInt8]]], _ intercept: Interception
    ) -> [[ParticipantIndex: [UInt8]]] {
        var routed = [[ParticipantIndex: [UInt8]]](repeating: [:], count: messages.count)
        for (sender, messages) in zip(group.parameters.indices, messages) {
            for (recipient, message) in messages.sorted(by: { $0.key < $1.key }) {
                var message = message
                intercept(step, sender, recipient, &message)
                routed[recipient.value - 1][sender] = message
            }
        }
        return routed
    }

    private func at<Result: ~Copyable>(
        _ participant: ParticipantIndex, _ body: () throws(ThresholdError) -> Result
    ) throws(Failure) -> Result {
        do { return try body() } catch { throw Failure(participant: participant, error: error) }
    }
}

/// A host key that several runs use.
final class KnownHostKey: Sendable {
    let key: Sharing.HostKey<Sharing.ECDSA>

    init(_ key: consuming Sharing.HostKey<Sharing.ECDSA>) { self.key = key }
}

/// A secret that several runs use.
final class SecretBytesBox: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }
}

extension DealtKey {
    /// The key of shares whose pairs were set up.
    init(group: GroupKey<Secp256k1>, shares: [Box<ECDSA.KeyShare>]) {
        self.group = group
        self.shares = Dictionary(uniqueKeysWithValues: zip(group.parameters.indices, shares))
    }
}
