import Curves
import Secrets
import Testing
import Threshold

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Wallet

@Suite("Signing files")
struct FileSigningTests {
    private let wallet: KnownWallet
    private let session = CeremonyID(from: SystemRandom())

    init() throws { wallet = try KnownWallet() }

    private func file(_ content: String = "hello", comment: String = "file:a", of other: KnownWallet? = nil) throws
        -> FileToSign
    {
        var hasher = FileDigest.Hasher()
        hasher.update(content.utf8)
        return try FileToSign(
            hasher.finalize(), comment: comment,
            publicKey: (other ?? wallet).keys.groups.ed25519.publicKey.encoded)
    }

    private func confirmed(_ file: FileToSign) throws -> ConfirmedPayload {
        let proposed = try ProposedPayload(.file(file), from: wallet.keys)
        return try proposed.confirmed(proposed.intent.digest, accepting: [])
    }

    private func message(_ kind: CeremonyMessage.Kind, _ payload: [UInt8]) -> [UInt8] {
        CeremonyMessage(kind: kind, sender: CeremonyMessage.coordinator, session: session, payload: payload).encoded
    }

    private func proposal(_ file: FileToSign, confirmed digest: [UInt8]) -> [UInt8] {
        message(
            .signingProposal,
            SigningProposal(confirmed: digest, signers: [1, 2], payload: SigningPayload.file(file).encoded).encoded)
    }

    private func refusal(of message: [UInt8], by participant: SigningParticipant) async -> CeremonyError? {
        await failure { () async throws(CeremonyError) in try await participant.answer(message) }
    }

    // MARK: A coordinator that a test plays

    private typealias Package = FROST.Ed25519.SigningPackage

    private func payload(_ answer: [UInt8]) throws -> [UInt8] {
        try MessageList.decode(try CeremonyMessage(decoding: answer).payload, count: 1)[0]
    }

    private func commit(
        _ participants: [SigningParticipant], to request: [UInt8]
    ) async throws -> [FROST.Ed25519.Commitment] {
        var commitments: [FROST.Ed25519.Commitment] = []
        for participant in participants {
            commitments.append(try FROST.Ed25519.Commitment(decoding: payload(try await participant.answer(request))))
        }
        return commitments
    }

    private func package(
        _ message: [UInt8], _ commitments: [FROST.Ed25519.Commitment], for other: KnownWallet? = nil
    ) throws -> [UInt8] {
        let package = try Package(
            group: (other ?? wallet).keys.groups.ed25519, commitments: commitments, message: message)
        return self.message(.signingPackages, MessageList.encode([package.encoded]))
    }

    private func sign(
        _ participants: [SigningParticipant], _ request: [UInt8], _ message: [UInt8],
        _ commitments: [FROST.Ed25519.Commitment]
    ) async throws -> [UInt8] {
        var shares: [FROST.Ed25519.SignatureShare] = []
        for participant in participants {
            shares.append(try FROST.Ed25519.SignatureShare(decoding: payload(try await participant.answer(request))))
        }
        return try FROST.Ed25519.aggregate(
            shares, of: Package(group: wallet.keys.groups.ed25519, commitments: commitments, message: message),
            in: wallet.keys.groups.ed25519)
    }

    /// Both participants of one session, to whom the file was confirmed.
    private func participants(_ file: FileToSign) throws -> [SigningParticipant] {
        let confirmed = try confirmed(file)
        return try [1, 2].map { try wallet.participant($0, of: confirmed) }
    }

    // MARK: Tests

    @Test("each pair makes a signature that verifies under the wallet's key, with the confirmed comment")
    func signing() async throws {
        let made = try await MadeWallet()
        for pair in [[1, 2], [1, 3], [2, 3]] {
            var hasher = FileDigest.Hasher()
            hasher.update("hello".utf8)
            let digest = hasher.finalize()
            let file = try FileToSign(
                digest, comment: "file:a", publicKey: made.keys.groups.ed25519.publicKey.encoded)
            let proposed = try ProposedPayload(.file(file), from: made.keys)
            let confirmed = try proposed.confirmed(proposed.intent.digest, accepting: [])
            #expect(!confirmed.needsLedgers)
            let authorizers = [NotingAuthorizer(), NotingAuthorizer()]
            let participants = try zip(pair, authorizers).map {
                try made.participant($0, of: confirmed, ledger: nil, authorizer: $1)
            }
            guard
                case .file(let signature, let key) = try await confirmed.sign(
                    with: participants, random: SystemRandom()
                ).product
            else { throw CeremonyError.malformedMessage }
            #expect(try "\(signature.trustedComment(on: digest, by: key))" == "file:a")
            // Each authorizer is asked before, and is told of both signatures.
            #expect(authorizers.allSatisfy { $0.asked.map(\.intent) == [confirmed.work.intent] })
            #expect(authorizers.allSatisfy { $0.released == [confirmed.digest, confirmed.digest] })
        }
    }

    @Test("another digest, size, comment or key than the confirmed one is not signed")
    func proposals() async throws {
        let file = try file()
        let digest = try confirmed(file).digest
        let first = try participants(file)[0]
        let size = try FileToSign(
            FileDigest(size: 6, blake2b: file.digest.blake2b), comment: file.comment, publicKey: file.key.publicKey)
        for other in [try self.file("hullo"), try self.file(comment: "file:b"), size] {
            #expect(await refusal(of: proposal(other, confirmed: digest), by: first) == .notWhatWasConfirmed)
            let own = try confirmed(other).digest
            #expect(await refusal(of: proposal(other, confirmed: own), by: first) == .notWhatWasConfirmed)
        }
        // A key of another wallet, also if a person confirmed it.
        let foreign = try self.file(of: try KnownWallet(0x44))
        let misled = try participants(foreign)[0]
        #expect(
            await refusal(of: proposal(foreign, confirmed: try confirmed(foreign).digest), by: misled)
                == .threshold(.wrongGroup))
        _ = try await first.answer(proposal(file, confirmed: digest))
    }

    @Test("a participant signs its own two messages, each once, and nothing that a coordinator asks for instead")
    func packages() async throws {
        let file = try file()
        let both = try participants(file)
        let first = both[0]
        let request = proposal(file, confirmed: try confirmed(file).digest)
        let commitments = try await commit(both, to: request)

        // The first message. Neither another digest nor a second message, nor text, is signed in its place.
        let fake = [UInt8](repeating: 5, count: 64)
        for message in [try self.file("hullo").message, file.globalMessage(after: fake), [], Array("text".utf8)] {
            #expect(await refusal(of: try package(message, commitments), by: first) == .notWhatWasConfirmed)
        }
        let stranger = try await commit(
            [try wallet.participant(3, of: confirmed(file))],
            to: message(
                .signingProposal,
                SigningProposal(
                    confirmed: try confirmed(file).digest, signers: [1, 3], payload: SigningPayload.file(file).encoded
                ).encoded))
        #expect(
            await refusal(of: try package(file.message, [commitments[0]] + stranger), by: first) == .staleMessage)
        #expect(
            await refusal(of: try package(file.message, commitments, for: try wallet.renewed()), by: first)
                == .threshold(.wrongGroup))
        // The second step does not come before the first one.
        #expect(await refusal(of: message(.fileSignature, fake), by: first) == .staleMessage)
        let packages = try package(file.message, commitments)
        let signature = try await sign(both, packages, file.message, commitments)

        // The same package gets the same answer, and no other one gets any: the nonces are used.
        _ = try await first.answer(packages)
        #expect(
            await refusal(of: try package(file.globalMessage(after: fake), commitments), by: first) == .staleMessage)

        // A second message is made only of this session's signature of the confirmed digest.
        #expect(await refusal(of: message(.fileSignature, []), by: first) == .staleMessage)
        #expect(await refusal(of: message(.fileSignature, fake), by: first) == .staleMessage)
        #expect(
            await refusal(of: message(.fileSignature, signature.flipping(40)), by: first)
                == .threshold(.failedSignature))
        #expect(
            await refusal(of: message(.fileSignature, signature + [0]), by: first) == .threshold(.failedSignature))
        #expect(
            await refusal(of: message(.fileSignature, Array(signature.dropLast())), by: first)
                == .threshold(.failedSignature))
        let last = try await commit(both, to: message(.fileSignature, signature))
        #expect(last[0] != commitments[0] && last[1] != commitments[1])
        for message in [
            file.message, signature + Array("file:b".utf8), file.globalMessage(after: fake), signature,
            file.globalMessage(after: signature) + [0],
        ] {
            #expect(await refusal(of: try package(message, last), by: first) == .notWhatWasConfirmed)
        }
        // Nonces of the first signature, in the package of the second one.
        #expect(
            await refusal(of: try package(file.globalMessage(after: signature), [commitments[0], last[1]]), by: first)
                == .threshold(.ownCommitmentMismatch))
        let end = try package(file.globalMessage(after: signature), last)
        let global = try await sign(both, end, file.globalMessage(after: signature), last)
        #expect(throws: Never.self) {
            try MinisignSignature(of: file, signature: signature, globalSignature: global)
        }
        for again in [request, packages, message(.fileSignature, signature)] {
            #expect(await refusal(of: again, by: first) == .staleMessage)
        }
    }

    @Test("a signature of an earlier session for the same file is not continued")
    func replay() async throws {
        let file = try file()
        let request = proposal(file, confirmed: try confirmed(file).digest)
        let earlier = try participants(file)
        let old = try await commit(earlier, to: request)
        let signature = try await sign(earlier, package(file.message, old), file.message, old)
        #expect(
            EdDSA.isValid(signature: signature, message: file.message, publicKey: file.key.publicKey))

        let both = try participants(file)
        let commitments = try await commit(both, to: request)
        _ = try await sign(both, package(file.message, commitments), file.message, commitments)
        #expect(await refusal(of: message(.fileSignature, signature), by: both[0]) == .staleMessage)
    }

    @Test("no two signatures share nonces, even if the random bytes repeat")
    func repeatedRandomness() async throws {
        struct Stuck: RandomSource {
            func fill(_ buffer: UnsafeMutableRawBufferPointer) {
                buffer.copyBytes(from: repeatElement(0x5A, count: buffer.count))
            }
        }
        let file = try file()
        let confirmed = try confirmed(file)
        let both = try [1, 2].map { index in
            SigningParticipant(
                keys: try wallet.shares(index), network: wallet.keys.network, imported: nil,
                authorizer: ConfirmedIntent(confirmed.digest, asking: PolicyAuthorizer(now: 0)), ledger: nil,
                random: Stuck())
        }
        let first = try await commit(both, to: proposal(file, confirmed: confirmed.digest))
        let signature = try await sign(both, package(file.message, first), file.message, first)
        let last = try await commit(both, to: message(.fileSignature, signature))
        #expect(first[0] != last[0] && first[0].hiding != last[0].hiding && first[0].binding != last[0].binding)
    }

    @Test("a participant that sends a wrong share is named, in each of the two signatures", arguments: [2, 4])
    func culprit(step: Int) async throws {
        let confirmed = try confirmed(try file())
        let liar = MiddleMan(try wallet.participant(2, of: confirmed)) { passage in
            guard passage.direction == .answer, passage.step == step else { return passage.bytes }
            return passage.bytes.flipping(passage.bytes.count - 32)
        }
        let honest = try wallet.participant(1, of: confirmed)
        let error = await failure { () async throws(CeremonyError) in
            try await confirmed.sign(with: [honest, liar], random: SystemRandom())
        }
        #expect(error == .threshold(.faulty(culprits: [try ParticipantIndex(2)])))
        // The session is over, and its nonces are gone.
        #expect(
            await failure { () async throws(CeremonyError) in
                try await confirmed.sign(with: [honest, liar], random: SystemRandom())
            } == .staleMessage)
    }

    @Test("a participant whose policy forbids files answers nothing")
    func forbidden() async throws {
        let file = try file()
        let confirmed = try confirmed(file)
        let decision = try ProposedPayload(.file(file), from: wallet.keys).decision
        let authorizer = NotingAuthorizer(refusing: .forbidden(decision))
        let participant = SigningParticipant(
            keys: try wallet.shares(1), network: wallet.keys.network, imported: nil,
            authorizer: ConfirmedIntent(confirmed.digest, asking: authorizer), ledger: nil, random: SystemRandom())
        #expect(
            await refusal(of: proposal(file, confirmed: confirmed.digest), by: participant) == .forbidden(decision))
        #expect(authorizer.released.isEmpty)
    }
}
