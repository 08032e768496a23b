import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// Attacks of a signer or a relay; each test is named for its attack.
@Suite("Threshold ECDSA: attacks on signing")
struct SigningAttackTests {
    private typealias Failure = SigningRun.Failure

    private let random = SeededRandom(seed: 0xa77a_c4)
    private let key: DealtKey
    private let request: ECDSA.SigningRequest
    private let one = ParticipantIndex(unchecked: 1)
    private let two = ParticipantIndex(unchecked: 2)
    private let three = ParticipantIndex(unchecked: 3)

    init() throws {
        key = try DealtKey(2, of: 3, random: random)
        request = try ECDSA.SigningRequest(signers: [one, two], message: [UInt8](repeating: 5, count: 32))
    }

    /// Runs a session in which signer 2 changes the contents that it seals for signer 1, or its message to all.
    private func cheat(
        _ step: SigningRun.Step, _ change: (inout [UInt8]) -> Void
    ) throws -> ECDSA.RecoverableSignature {
        try SigningRun.sign(key, request, random: random) { at, from, to, bytes in
            guard at == step, from == two, to == one || step == .part else { return }
            guard step == .transfer || step == .multiplication else { return change(&bytes) }
            bytes = key.share(two).borrow { resealed(bytes, by: $0, change) }
        }
    }

    /// The message with other contents, under the cheater's own seal.
    private func resealed(
        _ bytes: [UInt8], by share: borrowing ECDSA.KeyShare, _ change: (inout [UInt8]) -> Void
    ) -> [UInt8] {
        let seal = ECDSA.SealedMessage(
            kind: MessageKind(code: bytes[1]), session: Array(bytes[3..<35]), sender: two, recipient: one)
        guard let pair = try? share.pair(with: one), var body = try? seal.open(bytes, with: pair) else {
            Issue.record("the cheater cannot open its own message")
            return bytes
        }
        change(&body)
        return seal.seal(body, with: pair, nonce: Array(bytes[37..<61]))
    }

    private func expect(
        _ expected: ThresholdError, of signer: ParticipantIndex, _ body: () throws -> ECDSA.RecoverableSignature,
        _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: Failure(signer: signer, error: expected), comment, sourceLocation: sourceLocation) {
            _ = try body()
        }
    }

    // MARK: - Cheaters that are named, and banned

    @Test("ote_check_failure_names_the_peer: corrections of another choice in another row")
    func transferCorrections() {
        // In each of 16 trees: that Δ is zero in the bits of all of them has the probability 2⁻⁶⁴.
        expect(.cheating(by: two), of: one) {
            try cheat(.transfer) { body in for tree in 0..<16 { body[tree * ECDSA.ExtensionShape.signing.rowSize] ^= 1 }
            }
        }
    }

    @Test("ote_check_failure_names_the_peer: wrong answers to the check", arguments: [5_120, 5_135, 5_136, 9_231])
    func transferCheck(_ position: Int) {
        expect(.cheating(by: two), of: one) { try cheat(.transfer) { $0[position] ^= 0x10 } }
    }

    /// Where the multiplication begins in a body: its corrections; and η and the hash behind them.
    private let corrections = 196
    private let eta = 196 + 512 * 3 * 32
    private let hash = 196 + 512 * 3 * 32 + 32

    @Test("vole_check_failure_names_the_peer: other numbers in other transfers")
    func multiplicationCheck() {
        for position in [corrections + 31, eta + 31, hash] {
            expect(.cheating(by: two), of: one) { try cheat(.multiplication) { $0[position] ^= 1 } }
        }
    }

    @Test("selective_abort_on_the_factor: one wrong correction is detected for either bit of the factor")
    func selectiveAbort() {
        for transfer in [0, 1, 2, 3, 255, 256, 511] {
            for number in 0..<3 {
                expect(.cheating(by: two), of: one) {
                    try cheat(.multiplication) { $0[corrections + 32 * (3 * transfer + number) + 31] ^= 1 }
                }
            }
        }
    }

    @Test("multiplied numbers that differ from those of the sent points are detected", arguments: [98, 131])
    func otherPoints(_ position: Int) throws {
        // The point's negative, which is a point too.
        expect(.cheating(by: two), of: one) { try cheat(.multiplication) { $0[position] ^= 1 } }
    }

    @Test("rogue_key_part: a part of the key that was not multiplied is detected")
    func otherKeyPart() {
        expect(.cheating(by: two), of: one) { try cheat(.multiplication) { $0[65] ^= 1 } }
    }

    @Test("commitment_opened_otherwise: a nonce or salt that was not committed to", arguments: [0, 33, 64])
    func otherNonce(_ position: Int) {
        expect(.faulty(culprits: [two]), of: one) { try cheat(.multiplication) { $0[position] ^= 1 } }
    }

    @Test("commitment_copying: a signer cannot open another signer's commitment")
    func copiedCommitment() {
        let point = SecretScalar<Secp256k1>(from: random).timesGenerator()
        let (salt, nonce, context) = (
            random.publicBytes(count: 32), random.publicBytes(count: 32), [UInt8](repeating: 1, count: 32)
        )
        func commitment(
            _ index: ParticipantIndex, _ salt: [UInt8], _ nonce: [UInt8], _ context: [UInt8]
        ) -> [UInt8] {
            ECDSA.NonceCommitment.commitment(to: point, salt: salt, nonce: nonce, by: index, in: context)
        }
        let original = commitment(one, salt, nonce, context)
        #expect(commitment(two, salt, nonce, context) != original)
        #expect(commitment(one, nonce, nonce, context) != original)
        #expect(commitment(one, salt, salt, context) != original)
        #expect(commitment(one, salt, nonce, salt) != original)
    }

    @Test("malformed bodies are attributed to their sealers")
    func malformedBodies() {
        expect(.faulty(culprits: [two]), of: one) { try cheat(.multiplication) { $0.removeLast() } }
        expect(.faulty(culprits: [two]), of: one) { try cheat(.multiplication) { $0.append(0) } }
        expect(.faulty(culprits: [two]), of: one) { try cheat(.multiplication) { $0[0] = 7 } }
        expect(.faulty(culprits: [two]), of: one) {
            // A correction that is not below the group order.
            try cheat(.multiplication) { body in
                body.replaceSubrange(corrections..<(corrections + 32), with: [UInt8](repeating: 0xff, count: 32))
            }
        }
        expect(.faulty(culprits: [two]), of: one) { try cheat(.transfer) { $0.removeLast() } }
        expect(.faulty(culprits: [two]), of: one) { try cheat(.transfer) { $0 = [] } }
    }

    // MARK: - Cheaters that cannot be named

    @Test("a wrong difference of masks is detected by the verification, without a culprit")
    func otherDifference() {
        #expect(throws: ThresholdError.failedSignature) { try cheat(.multiplication) { $0[195] ^= 1 } }
    }

    @Test("a wrong part of a signature gives no signature", arguments: [3, 34, 36, 68, 72, 102, 132])
    func otherPart(_ position: Int) {
        #expect(throws: (any Error).self) { try cheat(.part) { $0[position] ^= 1 } }
    }

    @Test("signatures_verified_before_release: parts of another session do not combine")
    func mixedParts() throws {
        func parts(_ seed: UInt64) throws -> [ECDSA.PartialSignature] {
            var run = SigningRun(request: request, group: key.group)
            return try run.presign(key, random: SeededRandom(seed: seed)).map {
                try $0.take().sign(request.message ?? [])
            }
        }
        let message = request.message ?? []
        let (first, second) = (try parts(1), try parts(2))
        let session = first[0].id
        #expect(throws: Never.self) {
            try ECDSA.combine(first, of: request, in: session, message: message, for: key.group)
        }
        #expect(throws: ThresholdError.faulty(culprits: [two])) {
            try ECDSA.combine([first[0], second[1]], of: request, in: session, message: message, for: key.group)
        }
        // The lowest signer may be the faulty one.
        #expect(throws: ThresholdError.faulty(culprits: [one])) {
            try ECDSA.combine([second[0], first[1]], of: request, in: session, message: message, for: key.group)
        }
        #expect(throws: ThresholdError.faulty(culprits: [one, two])) {
            try ECDSA.combine(second, of: request, in: session, message: message, for: key.group)
        }
        // With one identifier they do not combine either.
        let renamed = try ECDSA.PartialSignature(
            decoding: Array(second[1].encoded.prefix(3)) + first[0].id + second[1].encoded.dropFirst(35))
        #expect(throws: ThresholdError.failedSignature) {
            try ECDSA.combine([first[0], renamed], of: request, in: session, message: message, for: key.group)
        }
        #expect(throws: ThresholdError.wrongMessage) {
            try ECDSA.combine(
                first, of: request, in: session, message: [UInt8](repeating: 6, count: 32), for: key.group)
        }
        #expect(throws: ThresholdError.missingParticipant(two)) {
            try ECDSA.combine([first[0]], of: request, in: session, message: message, for: key.group)
        }
        #expect(throws: ThresholdError.duplicateParticipant(one)) {
            try ECDSA.combine([first[0], first[0]], of: request, in: session, message: message, for: key.group)
        }
    }

    @Test("a relay of the first messages can compute the identity of the session from them")
    func identity() throws {
        var run = SigningRun(request: request, group: key.group)
        let presignatures = try run.presign(key, random: random)
        let first = Dictionary(
            run.delivered.filter { $0.step == .commitment }.map { ($0.from, $0.bytes) },
            uniquingKeysWith: { one, _ in one })
        let id = try ECDSA.sessionID(after: first, of: request)
        for presignature in presignatures { #expect(presignature.borrow { $0.id } == id) }
        func refuses(_ error: ThresholdError, _ change: (inout [ParticipantIndex: [UInt8]]) -> Void) {
            var changed = first
            change(&changed)
            #expect(throws: error) { try ECDSA.sessionID(after: changed, of: request) }
        }
        refuses(.missingParticipant(two)) { $0[two] = nil }
        refuses(.faulty(culprits: [two])) { $0[two] = $0[one] }
        refuses(.unknownParticipant(three)) { $0[three] = $0[one] }
        refuses(.failedSignature) { $0[two]?[7] ^= 1 }
        refuses(.malformed(.truncated)) { $0[two]?.removeLast() }
        refuses(.malformed(.leftOver(count: 1))) { $0[two]?.append(0) }
    }

    @Test("wrong_share: a signer with another share than its own is detected by the sum of the parts")
    func otherShare() throws {
        let (first, second) = (
            try key.share(one).borrow { share throws(ThresholdError) in
                Box(try ECDSA.Round1(share, request, in: [], random: random))
            },
            try key.share(two).borrow { share throws(ThresholdError) in
                Box(try ECDSA.Round1(share, request, in: [], random: random))
            }
        )
        let commitments = [one: first.borrow { $0.message }, two: second.borrow { $0.message }]
        // Signer 2 uses a share of its own choice, and is honest otherwise: its multiplications are consistent.
        let other = try CheatingSigner(key: key, index: two, request: request, random: random)
        var messages = commitments
        messages[two] = other.message
        let round2 = try first.take().receive(messages)
        let cheater2 = try other.round2(messages)
        let cheaterMessage = cheater2.messages[one] ?? []
        let honest = round2.messages[two] ?? []
        let round3 = Box(try round2.receive([two: cheaterMessage]))
        let cheater3 = try cheater2.receive([one: honest])
        let last = cheater3.messages[one] ?? []
        #expect(throws: ThresholdError.failedSignature) { _ = try round3.take().receive([two: last]) }
    }

    // MARK: - Relays

    @Test(
        "a relay changes a sealed message: it does not open, and no participant is blamed",
        arguments: [35, 36, 37, 61, 500])
    func changedOnTheWay(_ position: Int) {
        for step in [SigningRun.Step.transfer, .multiplication] {
            expect(.unauthentic(from: two), of: one) {
                try SigningRun.sign(key, request, random: random) { at, from, to, bytes in
                    if at == step, from == two { bytes[position] ^= 2 }
                }
            }
        }
    }

    @Test("session_replay: messages of another session are refused")
    func replay() throws {
        var earlier = SigningRun(request: request, group: key.group)
        _ = try earlier.sign(key, random: random)
        for step in [SigningRun.Step.transfer, .multiplication] {
            let stale = try #require(earlier.delivered.first { $0.step == step && $0.from == two }).bytes
            expect(.disagreement(with: two), of: one) {
                try SigningRun.sign(key, request, random: random) { at, from, _, bytes in
                    if at == step, from == two { bytes = stale }
                }
            }
        }
        // A first message is public, and may be replayed; then the session is different for its receiver.
        let stale = try #require(earlier.delivered.first { $0.step == .commitment && $0.from == two && $0.to == one })
            .bytes
        expect(.disagreement(with: two), of: one) {
            try SigningRun.sign(key, request, random: random) { at, from, to, bytes in
                if at == .commitment, from == two, to == one { bytes = stale }
            }
        }
    }

    @Test("round_replay: the message of one round is refused in another, and so is the participant's own")
    func otherRound() throws {
        var run = SigningRun(request: request, group: key.group)
        _ = try run.sign(key, random: SeededRandom(seed: 3))
        let transfer = try #require(run.delivered.first { $0.step == .transfer && $0.from == two }).bytes
        let own = try #require(run.delivered.first { $0.step == .multiplication && $0.from == one }).bytes
        expect(.malformed(.unsupported), of: one) {
            try SigningRun.sign(key, request, random: SeededRandom(seed: 3)) { at, from, _, bytes in
                if at == .multiplication, from == two { bytes = transfer }
            }
        }
        // The reflected message names its sender, so it does not count as the peer's.
        expect(.unauthentic(from: two), of: one) {
            try SigningRun.sign(key, request, random: SeededRandom(seed: 3)) { at, from, _, bytes in
                if at == .multiplication, from == two { bytes = own }
            }
        }
    }

    @Test("equivocation: two signers who were shown different first messages detect it")
    func equivocation() throws {
        let key = try DealtKey(3, of: 3, random: random)
        let request = try ECDSA.SigningRequest(signers: [one, two, three], message: [UInt8](repeating: 5, count: 32))
        expect(.disagreement(with: two), of: one) {
            try SigningRun.sign(key, request, random: random) { at, from, to, bytes in
                if at == .commitment, from == three, to == two { bytes[70] ^= 1 }
            }
        }
    }

    @Test("a first message under another's index is not taken for that of its sender")
    func otherIndex() {
        expect(.faulty(culprits: [two]), of: one) {
            try SigningRun.sign(key, request, random: random) { at, from, to, bytes in
                if at == .commitment, from == two, to == one { bytes[39] = 3 }
            }
        }
    }

    @Test("own_commitment_must_match: no signer continues with a first message that it did not send")
    func ownCommitment() {
        expect(.ownCommitmentMismatch, of: one) {
            try SigningRun.sign(key, request, random: random) { at, from, to, bytes in
                if at == .commitment, from == one, to == one { bytes[71] ^= 1 }
            }
        }
    }

    // MARK: - Agreed inputs

    @Test("the session's identity covers everything that the signers agree on")
    func context() throws {
        let requests = try [
            request, ECDSA.SigningRequest(signers: [one, two], message: nil),
            ECDSA.SigningRequest(signers: [one, two], message: [UInt8](repeating: 6, count: 32)),
            ECDSA.SigningRequest(signers: [one, three], message: request.message),
            ECDSA.SigningRequest(signers: [one, two], tweak: .one, message: request.message),
        ]
        let other = try DealtKey(2, of: 3, random: random)
        let (setup, otherSetup) = (random.publicBytes(count: 32), random.publicBytes(count: 32))
        var contexts = requests.map { $0.context(group: key.group, setup: setup, epoch: 0) }
        contexts.append(request.context(group: other.group, setup: setup, epoch: 0))
        contexts.append(request.context(group: key.group, setup: otherSetup, epoch: 0))
        contexts.append(request.context(group: key.group, setup: setup, epoch: 1))
        #expect(Set(contexts).count == contexts.count)
    }

    @Test("a signer that signs another message is detected at once")
    func otherMessage() throws {
        let other = try ECDSA.SigningRequest(signers: [one, two], message: [UInt8](repeating: 6, count: 32))
        let message = try key.share(two).borrow { share throws(ThresholdError) in
            try ECDSA.Round1(share, other, in: [], random: random).message
        }
        expect(.disagreement(with: two), of: one) {
            try SigningRun.sign(key, request, random: random) { at, from, to, bytes in
                if at == .commitment, from == two, to == one { bytes = message }
            }
        }
    }

    @Test("epoch_mixing: shares from before and after a renewal cause a clear error")
    func epochs() throws {
        let renewed = try DealtKey(2, of: 3, epoch: 3, random: random)
        let message = try renewed.share(two).borrow { share throws(ThresholdError) in
            try ECDSA.Round1(share, request, in: [], random: random).message
        }
        expect(.wrongEpoch(expected: 0, got: 3), of: one) {
            try SigningRun.sign(key, request, random: random) { at, from, to, bytes in
                if at == .commitment, from == two, to == one { bytes = message }
            }
        }
    }

    @Test("signers have to be a threshold of the group's participants, each once")
    func signers() throws {
        let message = [UInt8](repeating: 5, count: 32)
        #expect(throws: ThresholdError.duplicateParticipant(one)) {
            try ECDSA.SigningRequest(signers: [one, one], message: message)
        }
        func begin(_ signers: [ParticipantIndex], tweak: Scalar<Secp256k1> = .zero) throws {
            let request = try ECDSA.SigningRequest(signers: signers, tweak: tweak, message: message)
            _ = try key.share(one).borrow { share throws(ThresholdError) in
                try ECDSA.Round1(share, request, in: [], random: random).message
            }
        }
        #expect(throws: ThresholdError.tooFewSigners(needed: 2)) { try begin([one]) }
        #expect(throws: ThresholdError.tooManySigners(needed: 2)) { try begin([one, two, three]) }
        #expect(throws: ThresholdError.unknownParticipant(.init(unchecked: 4))) {
            try begin([one, .init(unchecked: 4)])
        }
        #expect(throws: ThresholdError.unknownParticipant(three)) {
            _ = try key.share(three).borrow { share throws(ThresholdError) in
                try ECDSA.Round1(share, request, in: [], random: random).message
            }
        }
        #expect(throws: ThresholdError.wrongMessage) { try ECDSA.SigningRequest(signers: [one, two], message: [1]) }
    }

    @Test("missing and unexpected messages are named")
    func whoSent() throws {
        func round() throws -> Box<ECDSA.Round1> {
            try key.share(one).borrow { share throws(ThresholdError) in
                Box(try ECDSA.Round1(share, request, in: [], random: random))
            }
        }
        let first = try round()
        let own = first.borrow { $0.message }
        #expect(throws: ThresholdError.missingParticipant(two)) { _ = try first.take().receive([one: own]) }
        let again = try round()
        let message = again.borrow { $0.message }
        #expect(throws: ThresholdError.unknownParticipant(three)) {
            _ = try again.take().receive([one: message, two: message, three: message])
        }
    }

    // MARK: - Nonces and presignatures

    @Test("presignature_bound_to_path_and_single_use: other keys and messages than agreed are refused")
    func presignatureIsBound() throws {
        let message = [UInt8](repeating: 9, count: 32)
        let open = try ECDSA.SigningRequest(signers: [one, two], tweak: Scalar(3), message: nil)
        let other = try ECDSA.SigningRequest(signers: [one, two], tweak: Scalar(4), message: nil)
        var run = SigningRun(request: open, group: key.group)
        let parts = try run.presign(key, random: random).map { try $0.take().sign(message) }
        #expect(throws: ThresholdError.failedSignature) {
            try ECDSA.combine(parts, of: other, in: parts[0].id, message: message, for: key.group)
        }
        #expect(throws: Never.self) {
            try ECDSA.combine(parts, of: open, in: parts[0].id, message: message, for: key.group)
        }

        run = SigningRun(request: request, group: key.group)
        let bound = try run.presign(key, random: random)
        #expect(throws: ThresholdError.wrongMessage) { _ = try bound[0].take().sign(message) }
        #expect(throws: ThresholdError.wrongMessage) { _ = try bound[1].take().sign([]) }
    }

    @Test(
        "restored_snapshot_cannot_sign_same_nonce: randomness that repeats gives other nonces for another message, or session"
    )
    func repeatedRandomness() throws {
        func nonce(_ message: UInt8, _ session: [UInt8] = [1]) throws -> [UInt8] {
            let request = try ECDSA.SigningRequest(
                signers: [one, two], message: [UInt8](repeating: message, count: 32))
            var run = SigningRun(request: request, group: key.group, session: session)
            let signature = try run.sign(key, random: SeededRandom(seed: 77))
            return signature.signature.r.encoded
        }
        #expect(try nonce(1) != nonce(2))
        #expect(try nonce(1, [1]) != nonce(1, [2]))
        #expect(try nonce(1) == nonce(1))
    }

    @Test(
        "the secrets of a session depend on the share, the fresh bytes, what is signed, the session's name, and the others' first messages"
    )
    func hedged() throws {
        func secrets(
            _ fresh: UInt8, _ share: UInt64, _ context: UInt8, _ identity: UInt8, _ session: [UInt8] = []
        ) -> [[UInt8]] {
            let randomness = ECDSA.SignerRandomness(
                fresh: SecretBytes(count: 32) { $0.copyBytes(from: [UInt8](repeating: fresh, count: 32)) },
                share: SecretScalar(Scalar(share)), context: [UInt8](repeating: context, count: 32),
                session: session
            ).joined(to: [UInt8](repeating: identity, count: 32))
            return [randomness.sessionNonce(), randomness.choice(for: one).withUnsafeBytes { Array($0) }]
        }
        let all = [
            secrets(1, 1, 1, 1), secrets(2, 1, 1, 1), secrets(1, 2, 1, 1), secrets(1, 1, 2, 1), secrets(1, 1, 1, 2),
            secrets(1, 1, 1, 1, [0]),
        ]
        #expect(Set(all.map { $0[0] }).count == all.count)
        #expect(Set(all.map { $0[1] }).count == all.count)
    }

    @Test("transcript_encoding_injective: the same bytes split differently give another hash")
    func injective() {
        #expect(ECDSA.TaggedHash.hash("t", [1, 2], [3]) != ECDSA.TaggedHash.hash("t", [1], [2, 3]))
        #expect(ECDSA.TaggedHash.hash("t", [1, 2, 3]) != ECDSA.TaggedHash.hash("t", [1, 2, 3], []))
        #expect(
            ECDSA.TaggedHash.hash("t", Array("a$".utf8), Array("b".utf8))
                != ECDSA.TaggedHash.hash("t", Array("a".utf8), Array("$b".utf8)))
        #expect(ECDSA.TaggedHash.hash("t", [1]) != ECDSA.TaggedHash.hash("u", [1]))
        var seen: [[UInt8]: [Int]] = [:]
        let bytes = random.publicBytes(count: 12)
        for first in 0...12 {
            for second in first...12 {
                let hash = ECDSA.TaggedHash.hash(
                    "t", Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...]))
                #expect(seen.updateValue([first, second], forKey: hash) == nil)
            }
        }
    }

    // MARK: - Random changes

    @Test("each message with any change: a named error, or a valid signature")
    func mutations() throws {
        let message = request.message ?? []
        for step in SigningRun.Step.allCases {
            for round in 0..<12 {
                var position = 0
                let change = { (body: inout [UInt8]) in
                    // Also the ends of a message, which are separate fields.
                    position = round == 0 ? 0 : round == 1 ? body.count - 1 : random.below(body.count)
                    body[position] ^= UInt8(1 << random.below(8))
                }
                do {
                    let result = try cheat(step, change)
                    #expect(result.signature.isValid(message: message, publicKey: key.group.publicKey))
                    // Only some corrections of a transfer go unnoticed, when they change nothing.
                    #expect(step == .transfer && position < 5_120, "\(step), byte \(position)")
                } catch let failure as Failure {
                    #expect(failure.signer == one, "\(step), byte \(position): \(failure)")
                    switch failure.error {
                    case .cheating(by: two), .faulty(culprits: [two]):
                        #expect(step == .transfer || step == .multiplication)
                    case .malformed, .wrongEpoch, .disagreement(with: two), .unknownParticipant, .invalidParameters:
                        #expect(step == .commitment, "byte \(position): \(failure)")
                    default: Issue.record("\(step), byte \(position): \(failure)")
                    }
                } catch let error as ThresholdError {
                    switch error {
                    case .failedSignature: #expect(step == .part || step == .multiplication)
                    case .malformed, .invalidElement, .invalidParameters, .unknownParticipant, .duplicateParticipant,
                        .disagreement:
                        #expect(step == .part)
                    default: Issue.record("\(step), byte \(position): \(error)")
                    }
                }
            }
        }
    }
}
