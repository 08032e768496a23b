import Curves
import Encoding
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

@Suite("ECDSA: the stored share")
struct ECDSAKeyShareTests {
    let key: DealtKey

    init() throws { key = try DealtKey(2, of: 3, epoch: 258, random: SeededRandom(seed: 80)) }

    func index(_ value: Int) -> ParticipantIndex { ParticipantIndex(unchecked: value) }

    func encoded(_ participant: Int, banning peers: [Int] = []) throws -> [UInt8] {
        let stored = key.share(index(participant)).borrow { reveal($0.encoded()) }
        var share = try ECDSA.KeyShare(decoding: secret(stored))
        for peer in peers { try share.ban(index(peer)) }
        return reveal(share.encoded())
    }

    @Test("A stored share decodes to the same share")
    func roundTrip() throws {
        let bytes = try encoded(2)
        let share = try ECDSA.KeyShare(decoding: secret(bytes))
        #expect(share.index == index(2) && share.epoch == 258 && share.group == key.group && share.banned.isEmpty)
        #expect(share.setup == key.share(index(2)).borrow { $0.setup })
        #expect(reveal(share.encoded()) == bytes)
        #expect(bytes.count == 3 + 4 + 32 + 1 + 2 * (1 + ECDSA.Pair.encodedSize) + 36 + 5 + 4 * 33)
    }

    @Test("ote_check_failure_bans_peer_and_destroys_pair_state: no part of the pair is left")
    func ban() throws {
        let pair = try key.share(index(2)).borrow { try $0.pair(with: index(3)) }
        let before = try encoded(2)
        let after = try encoded(2, banning: [3])
        #expect(before.count - after.count == ECDSA.Pair.encodedSize - 1)
        for part in [reveal(pair.seed), reveal(pair.coPaths.correlation()), reveal(pair.roots.bytes.prefix(32))] {
            #expect(contains(before, part))
            #expect(!contains(after, part))
        }
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    @Test("ban_survives_restart, no_retry_after_ban: also after it was stored and read twice")
    func banSurvives() throws {
        let bytes = try encoded(2, banning: [3])
        let again = try encodedAgain(bytes)
        #expect(again == bytes)
        let share = try ECDSA.KeyShare(decoding: secret(again))
        #expect(share.banned == [index(3)])
        #expect(throws: ThresholdError.banned(index(3))) { _ = try share.pair(with: index(3)) }
        _ = try share.pair(with: index(1))
        let request = try ECDSA.SigningRequest(
            signers: [index(2), index(3)], tweak: .zero, message: [UInt8](repeating: 1, count: 32))
        #expect(throws: ThresholdError.banned(index(3))) {
            discard(try ECDSA.Round1(share, request, in: [], random: SeededRandom(seed: 1)))
        }
    }

    private func encodedAgain(_ bytes: [UInt8]) throws -> [UInt8] {
        reveal(try ECDSA.KeyShare(decoding: secret(bytes)).encoded())
    }

    @Test("Only peers of the group can be banned, and not the share's own participant")
    func unknown() throws {
        var share = try ECDSA.KeyShare(decoding: secret(try encoded(2)))
        #expect(throws: ThresholdError.unknownParticipant(index(2))) { try share.ban(index(2)) }
        #expect(throws: ThresholdError.unknownParticipant(index(4))) { try share.ban(index(4)) }
        try share.ban(index(1))
        try share.ban(index(1))
        #expect(share.banned == [index(1)])
    }

    @Test("Golden bytes")
    func golden() throws {
        let whole = SHA256.hash(try encoded(1))
        #expect(hex(whole) == "77ece9010351a905b83bf0f6cef279aba750749574d1fa3e0c8275b0c6e874a1")
        let banned = try encoded(1, banning: [2, 3])
        #expect(
            hex(banned)
                == "01040100000102dd6b4f3ebe42a73b2a2d3290eb14be319077dc58949e3cfd30ed14407d588fdc020002000301020101"
                + "72df784c8e04915f9a28aea804bf8f5d31cfdd621bbcd2ca972ad8f4fd6105ed010101020302f17dee21300e4d1049cc"
                + "1e1956cd212703f7016bf0ce975175a0d38d73173ed203a63fdbd7e1d320c7c80a2577f107ed00c785a411bce08912a4"
                + "abc9fb1cd3e72903bceefc9e1795657ac28f49be235d02bfd594948894d8adc22b2623643aa723cb02cde50a472f3cad"
                + "5fd949165f0e356fd8192249469b3a7a1f0b6c4e9cf0b12592")
    }

    @Test("outdated_share: a share with pairs of the older format has none, and the error says why it does not sign")
    func olderPairs() throws {
        let banned = try encoded(1, banning: [2, 3])
        // Header, epoch and set-up; the number of peers; the pair of 2, of which only the index is read; 3 is banned.
        let older =
            [1, 3] + banned[2..<40] + [1, 2] + [UInt8](repeating: 0xEE, count: 63_552) + banned[42...]
        let share = try ECDSA.KeyShare(decoding: secret(Array(older)))
        #expect(share.banned == [index(2), index(3)])
        #expect(share.isOutdated == true)
        let request = try ECDSA.SigningRequest(
            signers: [index(1), index(2)], message: [UInt8](repeating: 1, count: 32))
        #expect(throws: ThresholdError.outdatedShare) {
            discard(try ECDSA.Round1(share, request, in: [], random: SeededRandom(seed: 1)))
        }
        // Stored again, it is still outdated.
        let stored = reveal(share.encoded())
        #expect(stored == [1, 3] + banned[2...])
        #expect(try ECDSA.KeyShare(decoding: secret(stored)).isOutdated == true)
        #expect(try ECDSA.KeyShare(decoding: secret(banned)).isOutdated == false)
        for size in [41, 42, 63_000] {
            #expect(throws: ThresholdError.malformed(.truncated)) {
                discard(try ECDSA.KeyShare(decoding: secret(Array(older.prefix(size)))))
            }
        }
    }

    @Test("A share with one field broken is refused, for each field")
    func refusals() throws {
        // All peers are banned, so that the bytes are few: header 3, epoch 4, setup 32, count 1, then 0 and a peer
        // twice, then the share.
        let valid = try encoded(1, banning: [2, 3])
        func decode(_ change: (inout [UInt8]) -> Void) throws {
            var bytes = valid
            change(&bytes)
            discard(try ECDSA.KeyShare(decoding: secret(bytes)))
        }
        try decode { _ in }
        for (place, value) in [(0, 2), (1, 2), (2, 2), (40, 2), (42, 255)] as [(Int, UInt8)] {
            #expect(throws: ThresholdError.malformed(.unsupported)) { try decode { $0[place] = value } }
        }
        #expect(throws: ThresholdError.malformed(.tooLong(limit: 15))) { try decode { $0[39] = 15 } }
        // The peers are all others, ascending, without repetition.
        for (first, second) in [(3, 2), (2, 2), (1, 2), (2, 4)] as [(UInt8, UInt8)] {
            #expect(throws: ThresholdError.malformed(.notCanonical)) {
                try decode {
                    $0[41] = first
                    $0[43] = second
                }
            }
        }
        #expect(throws: ThresholdError.malformed(.notCanonical)) {
            try decode {
                $0.removeSubrange(42..<44)
                $0[39] = 1
            }
        }
        #expect(throws: ThresholdError.invalidParameters) { try decode { $0[41] = 0 } }
        #expect(throws: ThresholdError.invalidParameters) { try decode { $0[43] = 16 } }
        #expect(throws: ThresholdError.malformed(.truncated)) { try decode { $0[40] = 1 } }
        for size in [0, 1, 38, 39, 40, 41, 43, 44, 60] {
            #expect(throws: ThresholdError.malformed(.truncated)) { try decode { $0 = Array($0.prefix(size)) } }
        }
        #expect(throws: ThresholdError.self) { try decode { $0.removeLast() } }
        #expect(throws: ThresholdError.malformed(.leftOver(count: 1))) { try decode { $0.append(0) } }
        #expect(throws: ThresholdError.inconsistentKey) { try decode { $0[44 + 4 + 31] ^= 1 } }
    }

    @Test("The decoder never traps, and is canonical")
    func fuzz() throws {
        Fuzz.roundTrips(of: [try encoded(1, banning: [2, 3])], iterations: 5_000) { bytes in
            try ECDSA.KeyShare(decoding: secret(bytes))
        } encode: {
            reveal($0.encoded())
        }
        Fuzz.roundTrips(of: [try encoded(1), try encoded(3, banning: [1])], iterations: 100) { bytes in
            try ECDSA.KeyShare(decoding: secret(bytes))
        } encode: {
            reveal($0.encoded())
        }
    }
}
