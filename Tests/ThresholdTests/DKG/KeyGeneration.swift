import Curves
import Secrets
import TestSupport
import Testing
import Threshold

/// A suite under test, with signing under its keys.
protocol SuiteUnderTest: Sendable {
    associatedtype Suite: DKG.Ciphersuite
    associatedtype Scheme: SigningProtocol where Scheme.Group == Suite.Group
}

enum BIP340Generation: SuiteUnderTest {
    typealias Suite = DKG.BIP340
    typealias Scheme = BIP340UnderTest
}

enum Ed25519Generation: SuiteUnderTest {
    typealias Suite = DKG.Ed25519
    typealias Scheme = Ed25519UnderTest
}

/// One participant, who keeps its states.
final class Party<Suite: DKG.Ciphersuite> {
    let hostKey: DKG.HostKey<Suite>
    let random: SeededRandom
    var contribution: DKG.Contribution<Suite>?
    var pending: DKG.PendingShare<Suite>?

    init(_ number: Int, seed: UInt64) {
        random = SeededRandom(seed: seed &* 1_000 &+ UInt64(number))
        hostKey = DKG.HostKey(from: random)
    }

    func contribute(to session: DKG.Session<Suite>) throws -> [UInt8] {
        let made = try DKG.Contribution(hostKey: hostKey, session: session, random: random)
        let message = made.message
        contribution = consume made
        return message
    }

    func receive(_ message: [UInt8], withKeyOf other: Party? = nil) throws -> DKG.Reception<Suite> {
        guard let contribution = contribution.take() else { preconditionFailure("step 2 before step 1") }
        return try contribution.receive(message, hostKey: (other ?? self).hostKey, random: random)
    }

    /// Runs step 2, which has to succeed.
    func sign(_ message: [UInt8]) throws -> [UInt8] {
        let share = try receive(message).share()
        let message = share.message
        pending = consume share
        return message
    }

    func activate(_ message: [UInt8]) throws -> DKG.Output<Suite> {
        guard let pending = pending.take() else { preconditionFailure("step 3 before step 2") }
        return try pending.activate(message)
    }

    /// Runs step 2, which has to fail, and returns the culprit by the coordinator's investigation data.
    func verdict(
        after message: [UInt8], investigation: (ParticipantIndex) throws -> [UInt8], as index: ParticipantIndex
    ) throws -> DKG.Fault? {
        switch try receive(message) {
        case .pending: return nil
        case .wrongShare(let found): return try found.verdict(on: try investigation(index), hostKey: hostKey)
        }
    }
}

/// A session in which each message can be changed in transit.
final class KeyGeneration<Suite: DKG.Ciphersuite> {
    let session: DKG.Session<Suite>
    let parties: [Party<Suite>]

    init(_ threshold: Int, of total: Int, seed: UInt64 = 70) throws {
        parties = (1...total).map { Party($0, seed: seed) }
        session = try DKG.Session(threshold: threshold, hostKeys: parties.map { $0.hostKey.publicKey.encoded })
    }

    var indices: [ParticipantIndex] { session.parameters.indices }

    func party(_ index: ParticipantIndex) -> Party<Suite> { parties[index.value - 1] }

    /// Runs step 1 of all, with a change to their messages.
    func contribute(
        _ change: (ParticipantIndex, inout DKG.ParticipantMessage1<Suite>) throws -> Void = { _, _ in }
    ) throws -> [ParticipantIndex: [UInt8]] {
        var messages: [ParticipantIndex: [UInt8]] = [:]
        for index in indices {
            let bytes = try party(index).contribute(to: session)
            var message = try DKG.ParticipantMessage1(decoding: bytes, from: index, in: session)
            #expect(message.encoded(from: index, in: session) == bytes)
            try change(index, &message)
            messages[index] = message.encoded(from: index, in: session)
        }
        return messages
    }

    /// Makes the coordinator's first message, with a change to it.
    func change(
        _ bytes: [UInt8], _ change: (inout DKG.CoordinatorMessage1<Suite>) throws -> Void
    ) throws -> [UInt8] {
        var message = try DKG.CoordinatorMessage1(decoding: bytes, in: session)
        #expect(message.encoded(in: session) == bytes)
        try change(&message)
        return message.encoded(in: session)
    }

    func coordinate() throws -> DKG.Coordinator<Suite> {
        try DKG.Coordinator(session: session, messages: contribute())
    }

    func sign(_ message: [UInt8]) throws -> [ParticipantIndex: [UInt8]] {
        var messages: [ParticipantIndex: [UInt8]] = [:]
        for index in indices { messages[index] = try party(index).sign(message) }
        return messages
    }

    /// Runs the whole session, up to the activation.
    func certificate() throws -> DKG.Certificate<Suite> {
        let coordinator = try coordinate()
        return try coordinator.certify(sign(coordinator.message))
    }
}
