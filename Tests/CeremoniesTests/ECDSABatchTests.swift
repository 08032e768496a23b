internal import Bitcoin
import Curves
import Secrets
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import ThresholdECDSA

/// The ECDSA signatures of one transaction, which are made together.
@Suite("Signing by ECDSA: several signatures at once")
struct ECDSABatchTests {
    /// Runs a session of participants 1 and 2, and returns the number of exchanges.
    private func exchanges(taproot: Int, segwit: Int, of wallet: MadeWallet) async throws -> Int {
        let spend = try wallet.spend(taproot: taproot, segwit: segwit)
        let ledgers = [MemoryLedger(), MemoryLedger()]
        let listener = MiddleMan(listeningTo: try wallet.participant(1, of: spend, ledger: ledgers[0]))
        let other = try wallet.participant(2, of: spend, ledger: ledgers[1])
        let signed = try await spend.sign(with: [listener, other], random: SystemRandom())
        #expect(signed.warnings.isEmpty)
        // Extracting verifies every signature.
        #expect(try signed.psbt.finalised().transaction().inputs.count == taproot + segwit)
        for ledger in ledgers { #expect(ledger.entries == [.began, .charged, .refunded]) }
        return await listener.requests.count
    }

    @Test("several signatures take as many exchanges as one, and a kind without signatures takes none of its own")
    func exchanges() async throws {
        let wallet = try await MadeWallet()
        for (taproot, segwit, count) in [(0, 1, 5), (0, 4, 5), (1, 1, 6), (2, 4, 6)] {
            #expect(try await exchanges(taproot: taproot, segwit: segwit, of: wallet) == count)
        }
    }

    @Test("three signers sign several inputs: each receives the others' messages for each signature")
    func threeSigners() async throws {
        let newcomers = try Newcomers(3, of: 3)
        try await newcomers.run()
        var shares: [OneShot<KeyShares>] = []
        for participant in newcomers.participants { shares.append(OneShot(try await participant.takeShares())) }
        let wallet = try MadeWallet(shares)
        let spend = try wallet.spend(taproot: 1, segwit: 3)
        let listeners = try (1...3).map {
            MiddleMan(listeningTo: try wallet.participant($0, of: spend, ledger: MemoryLedger()))
        }
        let signed = try await spend.sign(with: listeners, random: SystemRandom())
        #expect(try signed.psbt.finalised().transaction().inputs.count == 4 && signed.warnings.isEmpty)
        for listener in listeners {
            let answers = try await listener.answers.map { try CeremonyMessage(decoding: $0) }
            for (kind, size) in [
                (CeremonyMessage.Kind.transfers, ECDSA.MessageSize.transfer),
                (.multiplications, ECDSA.MessageSize.multiplication),
            ] {
                let answer = try #require(answers.first { $0.kind == kind })
                let list = try MessageList.decode(answer.payload, count: 3 * 2)
                #expect(list.allSatisfy { $0.count == size })
            }
        }
    }

    @Test("a batch is the most signatures whose messages fit into an envelope, for every number of signers")
    func batches() {
        for signers in 2...Limits.parties {
            // Sealed multiplications with their sizes, the list's count, and the envelope's head.
            func size(_ signatures: Int) -> Int {
                signatures * (signers - 1) * (2 + ECDSA.MessageSize.multiplication) + 2 + 41
            }
            let batch = ECDSARequest.batch(from: 0, of: 10_000, by: signers)
            #expect(batch.lowerBound == 0 && size(batch.count) <= Limits.messageSize)
            #expect(size(batch.count + 1) > Limits.messageSize)
            #expect(ECDSARequest.batch(from: batch.count, of: batch.count + 1, by: signers).count == 1)
            #expect(ECDSARequest.batch(from: batch.count, of: batch.count, by: signers).isEmpty)
        }
    }

    @Test("more signatures than fit into a batch are made in further batches")
    func furtherBatch() async throws {
        let count = try await exchanges(taproot: 0, segwit: Limits.multiplications + 1, of: MadeWallet())
        #expect(count == 1 + 4 + 4)
    }

    @Test("a participant that does not accept a batch ends the session; those that accepted it count nothing")
    func refusedBatch() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: Limits.multiplications + 1)
        let (ledger, other) = (MemoryLedger(), MemoryLedger())
        let meddler = MiddleMan(try wallet.participant(1, of: spend, ledger: ledger)) { passage in
            guard passage.direction == .request, passage.step == 5 else { return passage.bytes }
            return passage.bytes.flipping(passage.bytes.count - 1)
        }
        let second = MiddleMan(listeningTo: try wallet.participant(2, of: spend, ledger: other))
        #expect(
            await failure { () throws(CeremonyError) in
                _ = try await spend.sign(with: [meddler, second], random: SystemRandom())
            } == .threshold(.failedSignature))
        #expect(ledger.entries == [.began, .charged, .failed])
        // The round may end before its request arrives.
        let accepted = try await second.answers.contains {
            try CeremonyMessage(decoding: $0).kind == .signaturesAccepted
        }
        #expect(other.entries == [.began, .charged, accepted ? .refunded : .failed])
    }

    // MARK: Faulty participants

    /// Changes the body of one of a participant's sealed messages, which it seals again.
    private static func resealing(
        _ kind: CeremonyMessage.Kind, as sealed: MessageKind, number: Int, of count: Int,
        _ share: borrowing ECDSA.KeyShare
    ) throws -> @Sendable (MiddleMan.Passage) -> [UInt8] {
        let (sender, recipient) = (share.key.index, try ParticipantIndex(1))
        let pair = try share.pair(with: recipient)
        return { passage in
            guard passage.direction == .answer, let message = try? CeremonyMessage(decoding: passage.bytes),
                message.kind == kind, var list = try? MessageList.decode(message.payload, count: count)
            else { return passage.bytes }
            // The session follows the header.
            let seal = ECDSA.SealedMessage(
                kind: sealed, session: Array(list[number][3..<35]), sender: sender, recipient: recipient)
            guard let body = try? seal.open(list[number], with: pair) else { return [] }
            list[number] = seal.seal(
                body.flipping(body.count - 1), with: pair, nonce: [UInt8](repeating: 0x4E, count: 24))
            return message.with(payload: MessageList.encode(list)).encoded
        }
    }

    @Test(
        "a participant that cheats for any of several signatures is named and banned, and no signature is given to it",
        arguments: [CeremonyMessage.Kind.transfers, .multiplications], 0...2)
    func cheater(_ kind: CeremonyMessage.Kind, number: Int) async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 3)
        let (ledger, authorizer) = (MemoryLedger(), NotingAuthorizer())
        let honest = MiddleMan(
            listeningTo: try wallet.participant(1, of: spend, ledger: ledger, authorizer: authorizer))
        let cheater = MiddleMan(
            try wallet.participant(2, of: spend, ledger: MemoryLedger()),
            try Self.resealing(
                kind, as: kind == .transfers ? MessageKind.extensionMessage : .multiplicationMessage, number: number,
                of: 3,
                try wallet.shares(2).ecdsa))
        #expect(
            await failure { () throws(CeremonyError) in
                try await spend.sign(with: [honest, cheater], random: SystemRandom())
            } == .accusation(.cheating(by: try ParticipantIndex(2)), by: 1))
        #expect(ledger.entries == [.began, .charged, .banned(2)])
        #expect(authorizer.released.isEmpty)
        let kinds = try await honest.answers.map { try CeremonyMessage(decoding: $0).kind }
        #expect(!kinds.contains(.partialSignatures) && kinds.contains(.multiplications) == (kind == .multiplications))
    }

    /// Runs a session with an honest participant 1, in which a list in an answer of participant 2 is changed.
    private func changing(
        _ kind: CeremonyMessage.Kind, of count: Int, _ change: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
    ) async throws -> (error: CeremonyError?, entries: [MemoryLedger.Entry]) {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: count)
        let ledger = MemoryLedger()
        let honest = try wallet.participant(1, of: spend, ledger: ledger)
        let liar = MiddleMan(try wallet.participant(2, of: spend, ledger: MemoryLedger())) { passage in
            guard passage.direction == .answer, let message = try? CeremonyMessage(decoding: passage.bytes),
                message.kind == kind, let list = try? MessageList.decode(message.payload, count: count)
            else { return passage.bytes }
            return message.with(payload: MessageList.encode(change(list))).encoded
        }
        let error = await failure { () throws(CeremonyError) in
            try await spend.sign(with: [honest, liar], random: SystemRandom())
        }
        return (error, ledger.entries)
    }

    @Test(
        "a message of another size is its sender's fault, whichever signature it is for",
        arguments: [CeremonyMessage.Kind.signingCommitments, .transfers, .multiplications], 0...1)
    func size(_ kind: CeremonyMessage.Kind, number: Int) async throws {
        let outcome = try await changing(kind, of: 2) { list in
            list.enumerated().map { $0.offset == number ? [UInt8](repeating: 0, count: 65_535) : $0.element }
        }
        #expect(outcome.error == .threshold(.faulty(culprits: [try ParticipantIndex(2)])))
    }

    @Test("a list with too many or too few messages is malformed")
    func count() async throws {
        for kind in [
            CeremonyMessage.Kind.signingCommitments, .transfers, .multiplications, .partialSignatures,
        ] {
            #expect(try await changing(kind, of: 2) { $0 + [$0[0]] }.error == .malformedMessage)
            #expect(try await changing(kind, of: 2) { $0.dropLast() }.error == .malformedMessage)
        }
    }

    @Test("parts that were exchanged between two signatures are named for their sender")
    func exchangedParts() async throws {
        let outcome = try await changing(.partialSignatures, of: 2) { $0.reversed() }
        #expect(outcome.error == .threshold(.faulty(culprits: [try ParticipantIndex(2)])))
    }

    @Test("a wrong part of any signature fails all of them, and each participant counts it", arguments: 0...2)
    func wrongPart(_ number: Int) async throws {
        let outcome = try await changing(.partialSignatures, of: 3) { list in
            list.enumerated().map { $0.offset == number ? $0.element.flipping($0.element.count - 1) : $0.element }
        }
        #expect(outcome.error == .threshold(.failedSignature))
        #expect(outcome.entries == [.began, .charged, .failed])
    }

    @Test("two signatures of one session never share nonces, even for the same request with the same random bytes")
    func nonces() async throws {
        struct Stuck: RandomSource {
            func fill(_ buffer: UnsafeMutableRawBufferPointer) {
                buffer.copyBytes(from: repeatElement(0x5A, count: buffer.count))
            }
        }
        let wallet = try await MadeWallet()
        let request = try #require(ECDSARequest(try wallet.spend(taproot: 0, segwit: 1).work.requests[0]))
        let agreement = SigningParticipant.Agreement(
            session: CeremonyID(from: SystemRandom()), digest: [],
            signers: [try ParticipantIndex(1), try ParticipantIndex(2)],
            schnorr: [], ecdsa: [request, request], file: nil)
        func messages() throws -> [[UInt8]] {
            let keys = try wallet.shares(1)
            let turn = try ECDSAParticipantState(agreement, share: keys.ecdsa, random: Stuck())
            return switch turn {
            case .some(let turn): turn.messages
            case .none: []
            }
        }
        #expect(Set(try messages()).count == 2)
        // The control: the random bytes do repeat.
        #expect(try messages() == messages())
    }

    @Test("signatures that fail although every check passed count as a failed signature, before the error is reported")
    func failedParts() async throws {
        let wallet = try await MadeWallet()
        let spend = try wallet.spend(taproot: 0, segwit: 1)
        let ledger = MemoryLedger()
        let honest = try wallet.participant(1, of: spend, ledger: ledger)
        let signers = [try ParticipantIndex(1), try ParticipantIndex(2)]
        let request = try #require(ECDSARequest(spend.work.requests[0])).agreed(by: signers)
        let liar = try WrongShare(try wallet.shares(2).ecdsa, request)
        #expect(
            await failure { () throws(CeremonyError) in
                try await spend.sign(with: [honest, liar], random: SystemRandom())
            } == .threshold(.failedSignature))
        #expect(ledger.entries == [.began, .charged, .failed])
    }
}

/// Participant 2 of a session with participant 1 and one signature, with a share of its own choice: all its messages
/// are consistent, up to its partial signature.
private actor WrongShare: Participant {
    nonisolated let index = 2
    private let base: ECDSA.SigningSession
    private let commitment: ECDSA.NonceCommitment
    private let secrets: OneShot<ECDSA.SignerSecrets>
    private var second: OneShot<ECDSA.Round2>?

    init(_ share: borrowing ECDSA.KeyShare, _ request: ECDSA.SigningRequest) throws {
        let context = request.context(group: share.key.group, setup: share.setup, epoch: share.epoch)
        base = ECDSA.SigningSession(
            request: request, group: share.key.group, index: share.key.index, epoch: share.epoch, context: context,
            pairs: [try share.pair(with: try ParticipantIndex(1))])
        let secret = SecretScalar<Secp256k1>(from: SystemRandom())
        let randomness = ECDSA.SignerRandomness(
            fresh: SecretBytes(count: 32, from: SystemRandom()), share: secret, context: context, session: [])
        let nonce = randomness.sessionNonce()
        let secrets = ECDSA.SignerSecrets(share: secret, randomness: randomness)
        commitment = ECDSA.NonceCommitment(
            index: share.key.index, nonce: nonce,
            commitment: ECDSA.NonceCommitment.commitment(
                to: secrets.nonce.timesGenerator(), salt: secrets.salt, nonce: nonce, by: share.key.index, in: context))
        self.secrets = OneShot(secrets)
    }

    func answer(_ bytes: [UInt8]) throws(CeremonyError) -> [UInt8] {
        let message = try CeremonyMessage(decoding: bytes)
        do {
            let (kind, list) = try step(message)
            return CeremonyMessage(
                kind: kind, sender: index, session: message.session, payload: MessageList.encode(list)
            ).encoded
        } catch { throw .staleMessage }
    }

    private func step(_ message: CeremonyMessage) throws -> (CeremonyMessage.Kind, [[UInt8]]) {
        let peer = try ParticipantIndex(1)
        switch message.kind {
        case .signingProposal:
            return (.signingCommitments, [commitment.encoded(epoch: base.epoch, context: base.context)])
        case .nonceCommitments:
            let theirs = try ECDSA.NonceCommitment(
                decoding: try MessageList.decode(message.payload, count: 2)[0], from: peer, epoch: base.epoch,
                context: base.context)
            let identity = ECDSA.NonceCommitment.session([theirs, commitment], in: base.context)
            guard let secrets = secrets.take() else { throw CeremonyError.staleMessage }
            let round = ECDSA.Round2(
                ECDSA.AgreedSession(base: base, identity: identity, commitments: [theirs]),
                secrets: secrets.joined(to: identity))
            let messages = round.messages
            second = OneShot(round)
            return (.transfers, PeerMessages.ordered(messages))
        case .receivedTransfers:
            guard let round = second?.take() else { throw CeremonyError.staleMessage }
            let received = [peer: try MessageList.decode(message.payload, count: 1)[0]]
            return (.multiplications, PeerMessages.ordered(try round.receive(received).messages))
        case .receivedMultiplications:
            // The round ends with the other participant's answer.
            return (.partialSignatures, [[]])
        default: throw CeremonyError.staleMessage
        }
    }
}
