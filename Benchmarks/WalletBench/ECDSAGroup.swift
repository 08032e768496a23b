internal import Curves
internal import Secrets
internal import Synchronization
internal import Threshold
internal import ThresholdECDSA

/// An ECDSA key whose parties all run in this process. Every message is encoded and decoded.
final class ECDSAGroup: Sendable {
    let group: GroupKey<Secp256k1>
    private let shares: [Held<ECDSA.KeyShare>]
    private let prepared = Mutex<[Slot<ECDSA.Presignature>]>([])
    private let sent = Mutex(0)

    private var random: SystemRandom { SystemRandom() }

    /// Runs the distributed key generation, and the set-up of all pairs.
    init(threshold: Int, total: Int) throws {
        let random = SystemRandom()
        let hostKeys = (0..<total).map { _ in Held(Sharing.HostKey<Sharing.ECDSA>(from: random)) }
        let (keys, identifier) = try Self.keyShares(threshold: threshold, hostKeys: hostKeys)
        guard let group = keys.first?.peek({ $0.group }) else { throw ThresholdError.invalidParameters }
        let session = try ECDSA.PairSetup.Session(
            group: group, epoch: 0, identifier: identifier, hostKeys: hostKeys.map { $0.value.publicKey.encoded })

        let first = try zip(keys, hostKeys).map {
            Slot(try ECDSA.PairSetup.Round1(session, share: $0.take(), hostKey: $1.value, random: random))
        }
        let firstMessages = Routed(first.map { $0.peek { $0.messages } })
        let second = try first.enumerated().map {
            Slot(try $1.take().receive(firstMessages.to($0), random: random))
        }
        let secondMessages = Routed(second.map { $0.peek { $0.messages } })
        let third = try second.enumerated().map {
            Slot(try $1.take().receive(secondMessages.to($0), random: random))
        }
        let thirdMessages = Routed(third.map { $0.peek { $0.messages } })
        let fourth = try third.enumerated().map {
            Slot(try $1.take().receive(thirdMessages.to($0), random: random))
        }
        let fourthMessages = Routed(fourth.map { $0.peek { $0.messages } })
        let pending = try zip(fourth, hostKeys).enumerated().map {
            Slot(try $1.0.take().receive(fourthMessages.to($0), hostKey: $1.1.value, random: random))
        }
        let certificate = try session.certify(
            Dictionary(uniqueKeysWithValues: zip(group.parameters.indices, pending.map { $0.peek { $0.message } })))
        shares = try pending.map { Held(try $0.take().activate(certificate)) }
        self.group = group
    }

    /// Generates the key with verifiable secret sharing. Every party is a dealer.
    private static func keyShares(
        threshold: Int, hostKeys: [Held<Sharing.HostKey<Sharing.ECDSA>>]
    ) throws -> (shares: [Slot<ECDSA.UnpairedShare>], identifier: [UInt8]) {
        let random = SystemRandom()
        let introductions = hostKeys.map {
            Slot(Sharing.Introduction<Sharing.ECDSA>(hostKey: $0.value, random: random))
        }
        let session = try Sharing.Session<Sharing.ECDSA>(
            fresh: threshold, participants: introductions.map { $0.peek { $0.message } })
        let committed = try zip(introductions, hostKeys).map {
            Slot(try $0.take().begin(session, hostKey: $1.value, random: random))
        }
        func byParty(_ messages: [[UInt8]?]) -> [Sharing.Party: [UInt8]] {
            Dictionary(uniqueKeysWithValues: zip(session.parties, messages.map { $0 ?? [] }))
        }
        let coordinator = try Sharing.Coordinator(
            session: session, commitments: byParty(committed.map { $0.peek { $0.message } }))
        let opened = try committed.map { Slot(try $0.take().open(coordinator.message)) }
        let dealings = try coordinator.collect(openings: byParty(opened.map { $0.peek { $0.message } }))
        let waiting = try zip(opened, hostKeys).map {
            Slot(try $0.take().receive(dealings.message, hostKey: $1.value, random: random))
        }
        let certificate = try dealings.certify(byParty(waiting.map { $0.peek { $0.message } }))
        let shares = try waiting.map { waiting in
            guard let share = try waiting.take().activate(certificate.message).takeShare() else {
                throw ThresholdError.inconsistentKey
            }
            return Slot(share)
        }
        return (shares, certificate.recoveryData.identifier)
    }

    /// The number of bytes that one signer sent for the last signature.
    var sentBytes: Int { sent.withLock { $0 } }

    /// Signs once: each signer's four messages, the combination and the verification.
    func sign() throws {
        let message = random.publicBytes(count: 32)
        let request = try ECDSA.SigningRequest(signers: signers, message: message)
        try finish(try presign(request), request, message)
    }

    /// Exchanges the first three messages, which do not depend on the message to sign, for ``signPrepared()``.
    func prepare() throws {
        let presignatures = try presign(try ECDSA.SigningRequest(signers: signers, message: nil))
        prepared.withLock { $0 = presignatures }
    }

    /// Completes a prepared signature: the fourth message, the combination and the verification.
    func signPrepared() throws {
        let presignatures = prepared.withLock { $0 }
        try finish(
            presignatures, ECDSA.SigningRequest(signers: signers, message: nil), random.publicBytes(count: 32))
    }

    /// Returns one signer's state in a session whose other signer has stopped. The signer has sent its third message
    /// and waits: no other round of a session needs as much memory.
    func halfOpen() throws -> any AnyObject & Sendable {
        let request = try ECDSA.SigningRequest(signers: signers, message: random.publicBytes(count: 32))
        let first = try shares.prefix(signers.count).map {
            Slot(try ECDSA.Round1($0.value, request, in: random.publicBytes(count: 32), random: random))
        }
        let commitments = Dictionary(uniqueKeysWithValues: zip(signers, first.map { $0.peek { $0.message } }))
        let second = try first.map { Slot(try $0.take().receive(commitments)) }
        let transfers = Routed(second.map { $0.peek { $0.messages } })
        return Slot(try second[0].take().receive(transfers.to(0)))
    }

    private var signers: [ParticipantIndex] { Array(group.parameters.indices.prefix(group.parameters.threshold)) }

    private func presign(_ request: ECDSA.SigningRequest) throws -> [Slot<ECDSA.Presignature>] {
        let first = try shares.prefix(signers.count).map {
            Slot(try ECDSA.Round1($0.value, request, in: random.publicBytes(count: 32), random: random))
        }
        let commitments = Dictionary(uniqueKeysWithValues: zip(signers, first.map { $0.peek { $0.message } }))
        let second = try first.map { Slot(try $0.take().receive(commitments)) }
        let transfers = Routed(second.map { $0.peek { $0.messages } })
        let third = try second.enumerated().map { Slot(try $1.take().receive(transfers.to($0))) }
        let multiplications = Routed(third.map { $0.peek { $0.messages } })
        let bytes = (commitments[signers[0]]?.count ?? 0) + transfers.sent(by: 0) + multiplications.sent(by: 0)
        sent.withLock { $0 = bytes }
        return try third.enumerated().map { Slot(try $1.take().receive(multiplications.to($0))) }
    }

    private func finish(
        _ presignatures: [Slot<ECDSA.Presignature>], _ request: ECDSA.SigningRequest, _ message: [UInt8]
    ) throws {
        let session = presignatures[0].peek { $0.id }
        let parts = try presignatures.map { try $0.take().sign(message).encoded }
        sent.withLock { $0 += parts[0].count }
        _ = try ECDSA.combine(
            try parts.map { try ECDSA.PartialSignature(decoding: $0) }, of: request, in: session, message: message,
            for: group)
    }
}

/// The messages from each party to each other party.
private struct Routed {
    /// The messages of each sender, in the order of the parties.
    private let messages: [[ParticipantIndex: [UInt8]]]

    init(_ messages: [[ParticipantIndex: [UInt8]]]) {
        self.messages = messages
    }

    /// Returns the messages from all other parties to one party.
    func to(_ recipient: Int) throws -> [ParticipantIndex: [UInt8]] {
        var received: [ParticipantIndex: [UInt8]] = [:]
        for (sender, messages) in messages.enumerated() {
            received[try ParticipantIndex(sender + 1)] = messages[try ParticipantIndex(recipient + 1)]
        }
        return received
    }

    func sent(by sender: Int) -> Int { messages[sender].values.reduce(0) { $0 + $1.count } }
}

/// A box that lets an array contain a noncopyable value.
final class Held<Value: ~Copyable & Sendable>: Sendable {
    let value: Value

    init(_ value: consuming Value) {
        self.value = value
    }
}

/// A box that lets an array contain a noncopyable value that is consumed later.
private final class Slot<Value: ~Copyable & Sendable>: Sendable {
    private let content: Mutex<Value?>

    init(_ value: consuming sending Value) {
        content = Mutex(value)
    }

    /// Returns the value, and empties the box. A second call throws.
    func take() throws -> sending Value {
        let taken: Value? = content.withLock { content in
            var taken: Value? = nil
            swap(&taken, &content)
            return taken
        }
        guard let taken else { throw ThresholdError.invalidParameters }
        return taken
    }

    func peek<Result>(_ body: (borrowing Value) -> Result) -> Result {
        content.withLock { content in
            switch content {
            case .some(let value): body(value)
            case .none: preconditionFailure("a value that was taken already")
            }
        }
    }
}
