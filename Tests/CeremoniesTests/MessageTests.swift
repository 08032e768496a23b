import Secrets
import TestSupport
import Testing

@testable import Ceremonies
@testable import CeremoniesTestSupport

/// The encodings of messages between participants.
@Suite("Ceremony messages")
struct MessageTests {
    private static let session = CeremonyID([UInt8](repeating: 0x5E, count: 32))
    private static let message = CeremonyMessage(
        kind: .signingPackages, sender: 0, session: session, payload: [0xAA, 0xBB, 0xCC])
    private static let golden =
        "464b" + "01" + "12" + "00" + String(repeating: "5e", count: 32) + "00000003" + "aabbcc"

    @Test("golden bytes")
    func golden() throws {
        #expect(hex(Self.message.encoded) == Self.golden)
        #expect(try CeremonyMessage(decoding: hex(Self.golden)) == Self.message)
        let empty = CeremonyMessage(kind: .sharingRequest, sender: 15, session: Self.session, payload: [])
        #expect(hex(empty.encoded) == "464b" + "01" + "20" + "0f" + String(repeating: "5e", count: 32) + "00000000")
        #expect(try CeremonyMessage(decoding: empty.encoded) == empty)
    }

    @Test("the numbers of message kinds are unchanged")
    func kinds() {
        #expect(
            CeremonyMessage.Kind.allCases.map(\.rawValue) == Array(16...19) + Array(22...30)
                + Array(32...41)
                + Array(48...59) + [64, 65])
        #expect(CeremonyMessage.Kind.sharingRequest.rawValue == 32 && CeremonyMessage.Kind.shared.rawValue == 41)
        #expect(
            CeremonyMessage.Kind.signingProposal.rawValue == 16 && CeremonyMessage.Kind.signatureShares.rawValue == 19
                && CeremonyMessage.Kind.nonceCommitments.rawValue == 22
                && CeremonyMessage.Kind.signaturesAccepted.rawValue == 29
                && CeremonyMessage.Kind.fileSignature.rawValue == 30)
    }

    @Test(
        "one field broken is malformed",
        arguments: [
            ("magic", "464c011200", "00000003aabbcc"), ("magic", "004b011200", "00000003aabbcc"),
            ("version 0", "464b001200", "00000003aabbcc"), ("version 2", "464b021200", "00000003aabbcc"),
            ("kind 0", "464b010000", "00000003aabbcc"), ("kind 1", "464b010100", "00000003aabbcc"),
            ("kind 12", "464b010c00", "00000003aabbcc"),
            ("kind 13", "464b010d00", "00000003aabbcc"),
            ("kind 15", "464b010f00", "00000003aabbcc"), ("kind 20", "464b011400", "00000003aabbcc"),
            ("kind 21", "464b011500", "00000003aabbcc"), ("kind 31", "464b011f00", "00000003aabbcc"),
            ("sender 16", "464b011210", "00000003aabbcc"), ("sender 255", "464b0112ff", "00000003aabbcc"),
            ("too short", "464b011200", "00000004aabbcc"), ("too long", "464b011200", "00000002aabbcc"),
            ("a huge size", "464b011200", "ffffffffaabbcc"),
        ])
    func broken(_ field: String, _ head: String, _ tail: String) {
        let bytes = hex(head + String(repeating: "5e", count: 32) + tail)
        #expect(throws: CeremonyError.malformedMessage, "\(field)") { try CeremonyMessage(decoding: bytes) }
    }

    @Test("every truncation is malformed")
    func truncated() {
        let bytes = hex(Self.golden)
        for count in bytes.indices {
            #expect(throws: CeremonyError.malformedMessage) {
                try CeremonyMessage(decoding: Array(bytes.prefix(count)))
            }
        }
    }

    @Test("a message above the limit is refused, and the largest PSBT fits")
    func limit() throws {
        let psbt = [UInt8](repeating: 1, count: 4 << 20)
        let proposal = SigningProposal(
            confirmed: [UInt8](repeating: 2, count: 32), signers: Array(1...15), payload: psbt)
        let message = CeremonyMessage(
            kind: .signingProposal, sender: 0, session: Self.session, payload: proposal.encoded)
        let read = try SigningProposal(decoding: try CeremonyMessage(decoding: message.encoded).payload)
        #expect(read == proposal)
        let tooLarge = Self.message.with(payload: [UInt8](repeating: 0, count: Limits.messageSize))
        #expect(throws: CeremonyError.malformedMessage) { try CeremonyMessage(decoding: tooLarge.encoded) }
        // Both are well-formed, except for their size.
        let list = MessageList.encode([[UInt8]](repeating: [UInt8](repeating: 0, count: 0xFFFF), count: 65))
        #expect(list.count > Limits.messageSize)
        #expect(throws: CeremonyError.malformedMessage) { try MessageList.decode(list, count: 65) }
        let hugePSBT = [UInt8](repeating: 1, count: Limits.messageSize)
        let huge = SigningProposal(confirmed: proposal.confirmed, signers: [1, 2], payload: hugePSBT)
        #expect(throws: CeremonyError.malformedMessage) { try SigningProposal(decoding: huge.encoded) }
    }

    @Test("a message decodes only as its own kind")
    func payload() throws {
        #expect(try Self.message.payload(of: .signingPackages, in: Self.session, from: 0) == [0xAA, 0xBB, 0xCC])
        #expect(throws: CeremonyError.staleMessage) {
            try Self.message.payload(of: .signatureShares, in: Self.session, from: 0)
        }
        #expect(throws: CeremonyError.staleMessage) {
            try Self.message.payload(of: .signingPackages, in: CeremonyID(from: SystemRandom()), from: 0)
        }
        #expect(throws: CeremonyError.staleMessage) {
            try Self.message.payload(of: .signingPackages, in: Self.session, from: 1)
        }
    }

    @Test("session identifiers are 32 bytes of the given random source")
    func sessions() {
        #expect(CeremonyID(from: SeededRandom(seed: 1)) == CeremonyID(from: SeededRandom(seed: 1)))
        #expect(CeremonyID(from: SeededRandom(seed: 1)) != CeremonyID(from: SeededRandom(seed: 2)))
        #expect(CeremonyID(from: SystemRandom()).bytes.count == 32)
    }

    // MARK: Lists

    @Test("a list of messages: golden bytes, and exactly the expected number")
    func list() throws {
        let golden = hex("0003" + "0002aabb" + "0000" + "0001cc")
        let messages: [[UInt8]] = [[0xAA, 0xBB], [], [0xCC]]
        #expect(MessageList.encode(messages) == golden)
        #expect(try MessageList.decode(golden, count: 3) == messages)
        #expect(try MessageList.decode([0, 0], count: 0) == [])
        for count in [0, 1, 2, 4] {
            #expect(throws: CeremonyError.malformedMessage) { try MessageList.decode(golden, count: count) }
        }
        // The expected number of messages, with another number in the header.
        #expect(throws: CeremonyError.malformedMessage) {
            try MessageList.decode(golden.replacing(1..<2, with: [2]), count: 3)
        }
        for count in golden.indices {
            #expect(throws: CeremonyError.malformedMessage) {
                try MessageList.decode(Array(golden.prefix(count)), count: 3)
            }
        }
        #expect(throws: CeremonyError.malformedMessage) { try MessageList.decode(golden + [0], count: 3) }
    }

    // MARK: Proposals

    private static let proposal = SigningProposal(
        confirmed: [UInt8](repeating: 0xD1, count: 32), signers: [1, 3], payload: [0x70, 0x73])
    private static let goldenProposal = String(repeating: "d1", count: 32) + "020103" + "00000002" + "7073"

    @Test("a proposal: golden bytes, and each field broken")
    func proposal() throws {
        let golden = hex(Self.goldenProposal)
        #expect(hex(Self.proposal.encoded) == Self.goldenProposal)
        #expect(try SigningProposal(decoding: golden) == Self.proposal)
        for count in golden.indices {
            #expect(throws: CeremonyError.malformedMessage) {
                try SigningProposal(decoding: Array(golden.prefix(count)))
            }
        }
        let head = String(repeating: "d1", count: 32)
        for tail in [
            "02030100000002" + "7073", "02010100000002" + "7073", "02000100000002" + "7073", "02011000000002" + "7073",
            "02010300000001" + "7073", "02010300000003" + "7073", "020103ffffffff" + "7073", "ff010300000002" + "7073",
            "02010300000002" + "707300",
        ] {
            #expect(throws: CeremonyError.malformedMessage) { try SigningProposal(decoding: hex(head + tail)) }
        }
    }

    // MARK: Fuzzing

    @Test("fuzzing: an accepted message encodes to the same bytes")
    func fuzz() throws {
        let messages = Fuzz.roundTrips(
            of: [Self.message.encoded], iterations: 10_000, decode: CeremonyMessage.init(decoding:), encode: \.encoded)
        let proposals = Fuzz.roundTrips(
            of: [Self.proposal.encoded], iterations: 10_000, decode: SigningProposal.init(decoding:),
            encode: \.encoded)
        let lists = Fuzz.roundTrips(
            of: [MessageList.encode([[1, 2], [], [3]])], iterations: 10_000,
            decode: { try MessageList.decode($0, count: 3) }, encode: MessageList.encode)
        #expect(messages > 0.05 && proposals > 0.05 && lists > 0.05, "the fuzzer does not get in")
    }

    @Test("fuzzing: a participant answers a mutated message only if it waits for one like it, and never traps")
    func fuzzHolder() async throws {
        let session = try SigningSession()
        let commitments = try await session.bothCommitments()
        let request = session.request([try session.package(0, commitments[0])])
        // Each participant answers once: mutated requests go to participants of other sessions, which refuse them by
        // the session.
        let participant = try session.wallet.participant(1, of: session.spend)
        var bytes: [[UInt8]] = []
        Fuzz.mutations(of: [request, session.message(.sharingRequest, [])], iterations: 2_000) { bytes.append($0) }
        for input in bytes {
            #expect(await failure { () async throws(CeremonyError) in try await participant.answer(input) } != nil)
        }
    }
}
