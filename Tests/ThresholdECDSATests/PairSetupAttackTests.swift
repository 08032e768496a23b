import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

@Suite("ECDSA: attacks on the set-up of pairs")
struct PairSetupAttackTests {
    typealias Step = SetupRun.Step
    let run: SetupRun
    let three: SetupRun

    init() throws {
        run = try SetupRun(2, of: 2)
        three = try SetupRun(2, of: 3)
    }

    func index(_ value: Int) -> ParticipantIndex { ParticipantIndex(unchecked: value) }

    /// The error that stops a run.
    func failure(_ run: SetupRun? = nil, _ intercept: SetupRun.Interception) -> (any Error)? {
        do {
            _ = try (run ?? self.run).run(intercept)
            return nil
        } catch { return error }
    }

    /// In the pair of 1 and 2, 1 is the base sender: 2 sends the messages 1 and 3, 1 sends the messages 2 and 4.
    static func sender(_ step: Step) -> (from: Int, to: Int) { [.second, .fourth].contains(step) ? (1, 2) : (2, 1) }

    // MARK: Relays

    @Test(
        "A message that is changed on its way is refused, and blames no participant",
        arguments: [Step.first, .second, .third, .fourth])
    func changedOnItsWay(step: Step) throws {
        let (from, to) = Self.sender(step)
        let random = SeededRandom(seed: 60)
        // Version, kind, curve; session; sender; recipient; nonce; the body and its tag.
        let fields = [0..<1, 1..<2, 2..<3, 3..<35, 35..<36, 36..<37, 37..<61, 61..<62, 10_000..<16_900]
        for field in fields {
            let place = field.lowerBound + random.below(field.count)
            let failure = failure { at, sender, recipient, message in
                guard at == step, sender.value == from, recipient.value == to else { return }
                message[place] ^= 1 << random.below(8)
            }
            let stopped = try #require(failure as? SetupRun.Failure)
            #expect(stopped.participant.value == to)
            switch stopped.error {
            case .malformed: #expect(place < 3)
            case .disagreement(let peer): #expect((3..<35).contains(place) && peer.value == from)
            case .unauthentic(let peer): #expect(place >= 35 && peer.value == from)
            // An invalid participant index.
            case .invalidParameters: #expect((35..<37).contains(place))
            default: Issue.record("\(stopped.error) at \(place)")
            }
        }
    }

    @Test(
        "A message that is cut or lengthened is refused, and blames no participant",
        arguments: [Step.first, .second, .third, .fourth])
    func otherSize(step: Step) throws {
        let (from, to) = Self.sender(step)
        for change in [{ $0.removeLast() }, { $0.append(0) }, { $0.removeLast($0.count - 62) }]
            as [(inout [UInt8]) -> Void]
        {
            let failure = failure { at, sender, recipient, message in
                guard at == step, sender.value == from, recipient.value == to else { return }
                change(&message)
            }
            #expect(
                failure as? SetupRun.Failure
                    == SetupRun.Failure(participant: index(to), error: .unauthentic(from: index(from))))
        }
        let failure = failure { at, sender, recipient, message in
            if at == step, sender.value == from, recipient.value == to { message = [] }
        }
        #expect(
            failure as? SetupRun.Failure == SetupRun.Failure(participant: index(to), error: .malformed(.truncated)))
    }

    @Test(
        "A message of an earlier try of the same set-up is refused, and blames no participant",
        arguments: [
            Step.first, .second, .third, .fourth,
        ])
    func replay(step: Step) throws {
        var earlier: [String: [UInt8]] = [:]
        _ = try run.run { at, from, to, message in earlier["\(at) \(from) \(to)"] = message }
        let (from, to) = Self.sender(step)
        let failure = failure { at, sender, recipient, message in
            guard at == step, sender.value == from, recipient.value == to else { return }
            message = earlier["\(at) \(sender) \(recipient)"] ?? []
        }
        // The first message opens: it belongs to this session. But the answer to it opens nowhere.
        let (victim, other) = step == .first ? (from, to) : (to, from)
        #expect(
            failure as? SetupRun.Failure
                == SetupRun.Failure(participant: index(victim), error: .unauthentic(from: index(other))))
    }

    @Test("A message of another session is refused", arguments: [Step.first, .second, .third, .fourth])
    func otherSession(step: Step) throws {
        let other = try SetupRun(2, of: 2, identifier: 2)
        var earlier: [String: [UInt8]] = [:]
        _ = try other.run { at, from, to, message in earlier["\(at) \(from) \(to)"] = message }
        let (from, to) = Self.sender(step)
        let failure = failure { at, sender, recipient, message in
            guard at == step, sender.value == from, recipient.value == to else { return }
            message = earlier["\(at) \(sender) \(recipient)"] ?? []
        }
        #expect(
            failure as? SetupRun.Failure
                == SetupRun.Failure(participant: index(to), error: .disagreement(with: index(from))))
    }

    @Test("Messages cannot be swapped among senders or steps")
    func exchanged() throws {
        var messages: [String: [UInt8]] = [:]
        _ = try three.run { at, from, to, message in messages["\(at.rawValue) \(from.value) \(to.value)"] = message }
        // 3 is the base sender towards 1, and 2 towards 3: the messages 1 are 2 to 1, 3 to 2, and 1 to 3.
        for taken in ["1 3 2", "1 1 3", "3 2 1", "2 1 2"] {
            let failure = failure(three) { at, sender, recipient, message in
                if at == .first, sender.value == 2, recipient.value == 1 { message = messages[taken] ?? [] }
            }
            let stopped = try #require(failure as? SetupRun.Failure)
            #expect(stopped.participant == index(1))
            #expect([.unauthentic(from: index(2)), .malformed(.unsupported)].contains(stopped.error), "\(taken)")
        }
    }

    @Test("Missing messages, and messages of non-participants, are refused")
    func senders() throws {
        let round = try Box(three.begin(index(1)))
        #expect(throws: ThresholdError.missingParticipant(index(2))) {
            discard(try round.take().receive([:], random: three.random))
        }
        let second = try Box(three.begin(index(1)))
        #expect(throws: ThresholdError.unknownParticipant(index(3))) {
            discard(try second.take().receive([index(2): [], index(3): []], random: three.random))
        }
    }

    // MARK: A participant that seals wrong contents

    /// Changes the contents that the sender of a step seals, and seals it again.
    func cheat(_ step: Step, _ change: @escaping (inout [UInt8]) -> Void) -> SetupRun.Failure? {
        let (from, to) = Self.sender(step)
        let pair = ECDSA.PairSetup.PairSession(session: run.session.hash, sender: index(1), receiver: index(2))
        var previous: [[UInt8]] = []
        let failure = failure { at, sender, recipient, message in
            guard min(sender.value, recipient.value) == 1, max(sender.value, recipient.value) == 2,
                at.rawValue <= step.rawValue, sender != recipient
            else { return }
            if at == step, let sealing = ECDSA.PairSetup.SetupMessage.Step(rawValue: UInt8(step.rawValue)) {
                let channel = pair.message(sealing, after: previous)
                let seed = run.seed(index(from), index(to))
                do throws(ThresholdError) {
                    var body = try channel.open(message, seed: seed).body
                    change(&body)
                    message = channel.seal(body, seed: seed, random: run.random)
                } catch { Issue.record("\(error)") }
            }
            previous.append(ECDSA.PairSetup.PairSession.name(of: message))
        }
        return failure as? SetupRun.Failure
    }

    @Test("If a sender sealed a message twice, the one that arrived is answered")
    func sealedTwice() {
        // So the attacks below are refused for their changes, and not for being sealed again.
        #expect(
            cheat(.first) { _ in } == SetupRun.Failure(participant: index(2), error: .unauthentic(from: index(1))))
        #expect(
            cheat(.third) { _ in } == SetupRun.Failure(participant: index(2), error: .unauthentic(from: index(1))))
        #expect(cheat(.fourth) { _ in } == nil)
    }

    @Test("base_ot_rejects_identity/offcurve: the peer is named", arguments: [0, 100, 255])
    func badPoint(place: Int) {
        func spoil(_ body: inout [UInt8], _ start: Int) {
            body.replaceSubrange(start..<(start + 64), with: [UInt8](repeating: 0, count: 64))
        }
        #expect(
            cheat(.first) { spoil(&$0, 192 * (place / 2) + 64 * (place % 2)) }
                == SetupRun.Failure(participant: index(1), error: .cheating(by: index(2))))
        #expect(
            cheat(.second) { spoil(&$0, 64 * place) }
                == SetupRun.Failure(participant: index(2), error: .cheating(by: index(1))))
    }

    @Test(
        "refresh_tampered_proof_bans: what fails a check names the peer",
        arguments: [
            // In message 2: the trees' checks and hashes; the extension's corrections, x and t. In message 3 the same.
            // In message 4: the trees.
            (Step.second, 16_384 + 192), (.second, 16_384 + 300), (.second, 26_624), (.second, 26_624 + 1_536),
            (.second, 26_624 + 1_552), (.second, 30_223), (.third, 192), (.third, 20_479), (.third, 20_480),
            (.third, 20_480 + 3_072), (.third, 20_480 + 3_088), (.third, 27_663), (.fourth, 192), (.fourth, 20_479),
        ])
    func tampered(step: Step, place: Int) {
        let (from, to) = Self.sender(step)
        #expect(
            cheat(step) { $0[place] ^= 1 }
                == SetupRun.Failure(participant: index(to), error: .cheating(by: index(from))))
    }

    @Test("base_ot: points replaced in both answers of an instance are detected")
    func otherPoints() {
        #expect(
            cheat(.second) { body in
                // The first instance gets the answers of the second.
                body.replaceSubrange(0..<128, with: body[128..<256])
            } == SetupRun.Failure(participant: index(2), error: .cheating(by: index(1))))
    }

    @Test("A sealed message of another size names the peer", arguments: [Step.first, .second, .third, .fourth])
    func size(step: Step) {
        let (from, to) = Self.sender(step)
        for change in [{ $0.append(0) }, { $0.removeLast() }, { $0 = [] }] as [(inout [UInt8]) -> Void] {
            #expect(
                cheat(step, change) == SetupRun.Failure(participant: index(to), error: .cheating(by: index(from))))
        }
    }

    @Test("A participant that shows the others different messages is detected: no pair becomes active")
    func mismatch() throws {
        // Participant 1 seals its last message to 2 twice. 2 confirms the one it got, 1 the one it made.
        var isSealedAnew = false
        #expect(throws: ThresholdError.pairSetup(.mismatch(between: index(1), and: index(2)))) {
            _ = try runResealed(&isSealedAnew)
        }
        #expect(isSealedAnew)
    }

    private func runResealed(_ done: inout Bool) throws -> [Box<ECDSA.KeyShare>] {
        let pair = ECDSA.PairSetup.PairSession(session: run.session.hash, sender: index(1), receiver: index(2))
        var previous: [[UInt8]] = []
        var isDone = false
        defer { done = isDone }
        return try run.run { at, sender, recipient, message in
            guard sender != recipient, sender.value + recipient.value == 3 else { return }
            if at == .fourth {
                let channel = pair.message(.fourth, after: previous)
                let seed = run.seed(index(1), index(2))
                guard let body = try? channel.open(message, seed: seed).body else { return }
                message = channel.seal(body, seed: seed, random: run.random)
                isDone = true
            }
            previous.append(ECDSA.PairSetup.PairSession.name(of: message))
        }
    }

    // MARK: Confirmations and the certificate

    @Test("A confirmation that its participant did not sign names it, for any changed byte")
    func confirmation() {
        let random = SeededRandom(seed: 61)
        for field in [0..<3, 3..<35, 35..<36, 36..<68, 68..<132] {
            let error = failure { at, sender, _, message in
                if at == .confirmation, sender.value == 2 {
                    message[field.lowerBound + random.below(field.count)] ^= 1 << random.below(8)
                }
            }
            #expect(error as? ThresholdError == .faulty(culprits: [index(2)]), "\(field)")
        }
        let error = failure { at, sender, _, message in
            if at == .confirmation, sender.value == 1 { message.append(0) }
        }
        #expect(error as? ThresholdError == .faulty(culprits: [index(1)]))
    }

    @Test("A certificate with any changed byte activates nothing")
    func certificate() {
        let random = SeededRandom(seed: 62)
        // Header; session; digest and signature of 1, and of 2.
        for field in [0..<3, 3..<35, 35..<67, 67..<131, 131..<163, 163..<227] {
            let place = field.lowerBound + random.below(field.count)
            let error = failure { at, sender, _, message in
                if at == .certificate, sender.value == 1 { message[place] ^= 1 << random.below(8) }
            }
            #expect(
                error as? SetupRun.Failure
                    == SetupRun.Failure(participant: index(1), error: .pairSetup(.coordinator)), "\(place)")
        }
    }

    @Test("The certificate of an earlier attempt activates nothing")
    func oldCertificate() throws {
        var old: [UInt8] = []
        _ = try run.run { at, _, _, message in if at == .certificate { old = message } }
        let error = failure { at, sender, _, message in
            if at == .certificate, sender.value == 2 { message = old }
        }
        #expect(
            error as? SetupRun.Failure
                == SetupRun.Failure(participant: index(2), error: .pairSetup(.coordinator)))
    }

    @Test("Confirmations that are signed, but do not match, activate nothing, whoever makes them a certificate")
    func signedMismatch() throws {
        // The coordinator conspires with 2, which signs another digest of its pair with 3.
        let error = failure(three) { at, sender, _, message in
            guard at == .certificate, sender.value == 1 else { return }
            guard let certificate = try? ECDSA.PairSetup.Certificate(decoding: message, in: three.session) else {
                return
            }
            var digests = certificate.confirmations[1].digests
            digests[1][0] ^= 1
            let forged = try? ECDSA.PairSetup.Confirmation(
                signing: digests, as: index(2), in: three.session, hostKey: three.hostKeys[1].key, random: three.random)
            guard let forged else { return }
            message = ECDSA.PairSetup.Certificate([certificate.confirmations[0], forged, certificate.confirmations[2]])
                .encoded(in: three.session)
        }
        #expect(
            error as? SetupRun.Failure
                == SetupRun.Failure(
                    participant: index(1), error: .pairSetup(.mismatch(between: index(2), and: index(3)))))
    }

    @Test("A missing confirmation, and one of a non-participant, are refused")
    func missingConfirmation() {
        #expect(throws: ThresholdError.missingParticipant(index(1))) { try three.session.certify([:]) }
        #expect(throws: ThresholdError.unknownParticipant(index(4))) { try three.session.certify([index(4): []]) }
    }

    // MARK: Inputs

    @Test("Malformed host keys, or one for two participants, are refused")
    func hostKeys() throws {
        let keys = three.hostKeys.map { $0.key.publicKey.encoded }
        let identifier = [UInt8](repeating: 1, count: 32)
        func session(_ keys: [[UInt8]], _ identifier: [UInt8], epoch: Int = 0) throws(ThresholdError) {
            _ = try ECDSA.PairSetup.Session(group: three.group, epoch: epoch, identifier: identifier, hostKeys: keys)
        }
        #expect(throws: ThresholdError.pairSetup(.invalidHostKey(of: index(2)))) {
            try session([keys[0], [UInt8](repeating: 0, count: 33), keys[2]], identifier)
        }
        #expect(throws: ThresholdError.pairSetup(.duplicateHostKey(of: index(1), and: index(3)))) {
            try session([keys[0], keys[1], keys[0]], identifier)
        }
        #expect(throws: ThresholdError.invalidParameters) { try session([keys[0], keys[1]], identifier) }
        #expect(throws: ThresholdError.invalidParameters) { try session(keys, [1]) }
        #expect(throws: ThresholdError.invalidParameters) { try session(keys, identifier, epoch: -1) }
        #expect(throws: ThresholdError.invalidParameters) { try session(keys, identifier, epoch: 1 << 32) }
    }

    @Test("Another's host key, and a share of another key, are refused")
    func foreign() throws {
        let other = try SetupRun(2, of: 3, seed: 70)
        #expect(throws: ThresholdError.pairSetup(.foreignHostKey)) {
            discard(
                try ECDSA.PairSetup.Round1(
                    three.session, share: KeyShare(decoding: three.shares[0].bytes), hostKey: three.hostKeys[1].key,
                    random: three.random))
        }
        #expect(throws: ThresholdError.wrongGroup) {
            discard(
                try ECDSA.PairSetup.Round1(
                    three.session, share: KeyShare(decoding: other.shares[0].bytes), hostKey: three.hostKeys[0].key,
                    random: three.random))
        }
    }

    @Test("The decoders never trap")
    func fuzz() throws {
        var messages: [Step: [UInt8]] = [:]
        _ = try run.run { at, sender, _, message in if sender.value == 2 || at == .second { messages[at] = message } }
        let session = run.session
        let confirmation = messages[.confirmation] ?? []
        Fuzz.roundTrips(of: [confirmation], iterations: 3_000) { bytes in
            try ECDSA.PairSetup.Confirmation(decoding: bytes, from: index(2), in: session)
        } encode: {
            $0.encoded(from: index(2), in: session)
        }
        Fuzz.roundTrips(of: [messages[.certificate] ?? []], iterations: 3_000) { bytes in
            try ECDSA.PairSetup.Certificate(decoding: bytes, in: session)
        } encode: {
            $0.encoded(in: session)
        }
        let pair = ECDSA.PairSetup.PairSession(session: session.hash, sender: index(1), receiver: index(2))
        let seed = run.seed(index(2), index(1))
        let first = messages[.first] ?? []
        let body = try pair.message(.first, after: []).open(first, seed: seed).body
        Fuzz.mutations(of: [first], iterations: 500) { bytes in
            _ = try? pair.message(.first, after: []).open(bytes, seed: seed)
        }
        Fuzz.mutations(of: [body], iterations: 30) { bytes in
            if let sender = try? ECDSA.BaseSender(answering: bytes, transfer: pair.transfer, random: run.random) {
                discard(sender)
            }
        }
    }
}
