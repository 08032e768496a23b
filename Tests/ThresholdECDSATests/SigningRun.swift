import Curves
import Secrets
import TestSupport
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// A key from a dealer who knows all of it, with the participants' pairs: for tests of signing alone.
struct DealtKey {
    let group: GroupKey<Secp256k1>
    let shares: [ParticipantIndex: Box<ECDSA.KeyShare>]

    init(_ threshold: Int, of total: Int, epoch: Int = 0, random: some RandomSource) throws {
        let parameters = try ThresholdParameters(threshold: threshold, total: total)
        let dealer = try TrustedDealerForTesting<Secp256k1>(parameters: parameters, random: random)
        let setup = random.publicBytes(count: 32)
        var pairs: [ParticipantIndex: [ECDSA.Pair]] = [:]
        for one in parameters.indices {
            for other in parameters.indices where one < other {
                let pair = DealtPair(between: one, and: other, random: random)
                pairs[one, default: []].append(pair.first)
                pairs[other, default: []].append(pair.second)
            }
        }
        var shares: [ParticipantIndex: Box<ECDSA.KeyShare>] = [:]
        for index in parameters.indices {
            shares[index] = Box(
                try ECDSA.KeyShare(
                    key: dealer.share(of: index), epoch: epoch, setup: setup, pairs: pairs[index, default: []]))
        }
        group = dealer.group
        self.shares = shares
    }

    func share(_ index: ParticipantIndex) -> Box<ECDSA.KeyShare> {
        guard let share = shares[index] else { preconditionFailure("no such share") }
        return share
    }
}

/// A session of all its signers, whose messages a test can change in transit.
struct SigningRun {
    /// The kinds of messages: the first and the last go to all.
    enum Step: Int, CaseIterable, Sendable { case commitment = 1, transfer, multiplication, part }

    /// The error of a signer that made no part of a signature.
    struct Failure: Error, Equatable {
        let signer: ParticipantIndex
        let error: ThresholdError
    }

    typealias Interception = (Step, _ from: ParticipantIndex, _ to: ParticipantIndex, inout [UInt8]) -> Void

    let request: ECDSA.SigningRequest
    let group: GroupKey<Secp256k1>
    /// The application's identifier of the session.
    let session: [UInt8]
    /// All messages as delivered, in order.
    var delivered: [(step: Step, from: ParticipantIndex, to: ParticipantIndex, bytes: [UInt8])] = []

    /// Runs all rounds and combines.
    ///
    /// - Throws: ``Failure`` of the first signer that ends, and the errors of combining.
    static func sign(
        _ key: DealtKey, _ request: ECDSA.SigningRequest, message: [UInt8]? = nil, random: some RandomSource,
        intercept: Interception = { _, _, _, _ in }
    ) throws -> ECDSA.RecoverableSignature {
        var run = SigningRun(request: request, group: key.group)
        return try run.sign(key, message: message, random: random, intercept: intercept)
    }

    init(request: ECDSA.SigningRequest, group: GroupKey<Secp256k1>, session: [UInt8] = [4, 2]) {
        self.session = session
        self.request = request
        self.group = group
    }

    mutating func sign(
        _ key: DealtKey, message: [UInt8]? = nil, random: some RandomSource,
        intercept: Interception = { _, _, _, _ in }
    ) throws -> ECDSA.RecoverableSignature {
        let presignatures = try presign(key, random: random, intercept: intercept)
        let session = presignatures[0].borrow { $0.id }
        let message = message ?? request.message ?? []
        var parts: [ECDSA.PartialSignature] = []
        for (index, presignature) in zip(request.signers, presignatures) {
            var bytes = try at(index) { () throws(ThresholdError) in try presignature.take().sign(message).encoded }
            intercept(.part, index, index, &bytes)
            delivered.append((.part, index, index, bytes))
            parts.append(try ECDSA.PartialSignature(decoding: bytes))
        }
        return try ECDSA.combine(parts, of: request, in: session, message: message, for: group)
    }

    /// Runs the three rounds that need no message.
    mutating func presign(
        _ key: DealtKey, random: some RandomSource, intercept: Interception = { _, _, _, _ in }
    ) throws -> [Box<ECDSA.Presignature>] {
        var first: [Box<ECDSA.Round1>] = []
        for index in request.signers {
            first.append(
                Box(
                    try at(index) { () throws(ThresholdError) in
                        try key.share(index).borrow { share throws(ThresholdError) in
                            Box(try ECDSA.Round1(share, request, in: session, random: random))
                        }
                    }.take()))
        }
        let commitments = first.map { $0.borrow { $0.message } }
        var second: [Box<ECDSA.Round2>] = []
        for (index, round) in zip(request.signers, first) {
            var received: [ParticipantIndex: [UInt8]] = [:]
            for (sender, bytes) in zip(request.signers, commitments) {
                received[sender] = deliver(.commitment, bytes, from: sender, to: index, intercept)
            }
            second.append(try at(index) { () throws(ThresholdError) in Box(try round.take().receive(received)) })
        }
        let transfers = second.map { $0.borrow { $0.messages } }
        var third: [Box<ECDSA.Round3>] = []
        for (index, round) in zip(request.signers, second) {
            let received = route(.transfer, transfers, to: index, intercept)
            third.append(try at(index) { () throws(ThresholdError) in Box(try round.take().receive(received)) })
        }
        let multiplications = third.map { $0.borrow { $0.messages } }
        var presignatures: [Box<ECDSA.Presignature>] = []
        for (index, round) in zip(request.signers, third) {
            let received = route(.multiplication, multiplications, to: index, intercept)
            presignatures.append(try at(index) { () throws(ThresholdError) in Box(try round.take().receive(received)) })
        }
        return presignatures
    }

    private mutating func route(
        _ step: Step, _ messages: [[ParticipantIndex: [UInt8]]], to index: ParticipantIndex, _ intercept: Interception
    ) -> [ParticipantIndex: [UInt8]] {
        var received: [ParticipantIndex: [UInt8]] = [:]
        for (sender, messages) in zip(request.signers, messages) where sender != index {
            received[sender] = deliver(step, messages[index] ?? [], from: sender, to: index, intercept)
        }
        return received
    }

    private mutating func deliver(
        _ step: Step, _ bytes: [UInt8], from sender: ParticipantIndex, to recipient: ParticipantIndex,
        _ intercept: Interception
    ) -> [UInt8] {
        var bytes = bytes
        intercept(step, sender, recipient, &bytes)
        delivered.append((step, sender, recipient, bytes))
        return bytes
    }

    private func at<Result: ~Copyable>(
        _ signer: ParticipantIndex, _ body: () throws(ThresholdError) -> Result
    ) throws(Failure) -> Result {
        do { return try body() } catch { throw Failure(signer: signer, error: error) }
    }
}
