import Secrets
import TestSupport
import Testing
import Time
import Tokens

/// Many of these are faults that other projects had, and are named for what their users saw.
@Suite("Redeeming refresh tokens")
struct RedeemingTests {
    private let family: LoneClient

    init() throws { family = LoneClient(try RefreshFixture()) }

    @Test("a token is replaced by the next, and the family is extended by its idle time, up to its absolute end")
    func rotation() throws {
        let second = try family.token(for: family.first, at: .noon + 10)
        #expect(second.generation == 1)
        #expect(second.family == family.first.family)
        #expect(family.row.generation == 1)
        #expect(family.row.currentHash == second.hash)
        #expect(family.row.lastUsedAt == .noon + 10)
        #expect(family.row.idleExpiresAt == (.noon + 10).adding(.days(7)))
        #expect(family.row.expiresAt == Timestamp.noon.adding(.days(30)))
        // Six days at a time: the fifth ends after the absolute end.
        var token = second
        for days in [Int64(6), 12, 18, 24] {
            token = try family.token(for: token, at: Timestamp.noon.adding(.days(days)))
        }
        #expect(family.row.idleExpiresAt == family.row.expiresAt)
    }

    @Test("a lost answer is repeated unchanged, for the whole window")
    func lostAnswer() throws {
        let second = try family.token(for: family.first, at: .noon)
        for seconds in [Int64(0), 1, 30, 60] {
            let decision = try family.redeem(family.first, at: .noon + seconds)
            #expect(decision.name == "repeat")
            #expect(decision.token?.text == second.text)
        }
        #expect(family.writes == 1)
        #expect(try family.redeem(second, at: .noon + 61).name == "rotate")
    }

    @Test("the window begins with the first use: neither retries nor the successor's use extend it")
    func fixedWindow() throws {
        let second = try family.token(for: family.first, at: .noon)
        for seconds in stride(from: Int64(5), through: 60, by: 5) {
            #expect(try family.redeem(family.first, at: .noon + seconds).name == "repeat")
        }
        _ = try family.token(for: second, at: .noon + 59)
        let late = Timestamp.noon.adding(Timestamp.Span(milliseconds: 60_001))
        #expect(try family.redeem(family.first, at: late).name == "reuse: recent")
    }

    @Test("a retry of the first token after the second was redeemed gets the second, and with it the third")
    func overtaken() throws {
        let second = try family.token(for: family.first, at: .noon)
        let third = try family.token(for: second, at: .noon + 1)
        let again = try family.token(for: family.first, at: .noon + 2)
        #expect(again.text == second.text)
        #expect(try family.token(for: again, at: .noon + 3).text == third.text)
        #expect(family.writes == 2)
    }

    @Test("twelve tabs at once all get the same token, and the session continues")
    func parallelTabs() throws {
        // All have read before any writes.
        let state = family.row
        let decisions = try (0..<12).map { _ in
            try family.decide(on: state, family.first, by: family.key, now: .noon)
        }
        var answers: Set<String> = []
        for decision in decisions {
            guard case .rotate(let next, let successor) = decision else {
                Issue.record("\(decision.name)")
                continue
            }
            if family.swap(state, for: next) {
                answers.insert(successor.text)
            } else {
                answers.insert(try family.token(for: family.first, at: .noon + 1).text)
            }
        }
        #expect(answers.count == 1)
        #expect(family.writes == 1)
        #expect(family.row.revocation == nil)
    }

    @Test("a redemption that read before another wrote does not write: check and use are one step")
    func timeOfCheck() throws {
        let state = family.row
        let slow = try family.decide(on: state, family.first, by: family.key, now: .noon)
        let second = try family.token(for: family.first, at: .noon)
        guard case .rotate(let next, let candidate) = slow else {
            Issue.record("\(slow.name)")
            return
        }
        #expect(!family.swap(state, for: next))
        #expect(candidate.text != second.text)
        // It does not write after the family was ended either.
        let read = family.row
        let late = try family.decide(on: read, second, by: family.key, now: .noon)
        family.write(read.revoked(at: .noon, reason: .signedOut))
        guard case .rotate(let again, _) = late else {
            Issue.record("\(late.name)")
            return
        }
        #expect(!family.swap(read, for: again))
        #expect(try family.redeem(second, at: .noon).name == "revoked: signedOut")
    }

    @Test("a losing candidate was never handed out, and is invalid")
    func loser() throws {
        let lost = try #require(family.first.successor(keys: family.keys, random: family.random))
        _ = try family.token(for: family.first, at: .noon)
        #expect(try family.redeem(lost, at: .noon).name == "reuse: stale")
    }

    @Test("a token that was repeated in its window is a theft later, even if newer ones are in use")
    func oldGracefulToken() throws {
        var token = family.first
        var now = Timestamp.noon
        for _ in 0..<5 {
            token = try family.token(for: token, at: now)
            now = now + 50
        }
        // Its successor is in no window: the row keeps the last two only.
        #expect(try family.redeem(family.first, at: now).name == "reuse: stale")
        #expect(family.row.revocation == RefreshFamily.Revocation(at: now, reason: .reuse))
        #expect(try family.redeem(token, at: now).name == "revoked: reuse")
    }

    @Test("a stolen token cannot be kept valid by redeeming it once in each window")
    func wrongPrevious() throws {
        // A server that stored the presented token as `previous` would begin a window with each retry.
        var now = Timestamp.noon
        _ = try family.token(for: family.first, at: now)
        now = now + 50
        #expect(try family.redeem(family.first, at: now).name == "repeat")
        now = now + 50
        #expect(try family.redeem(family.first, at: now).name == "reuse: recent")
    }

    @Test("the first successor remains the only one: repeating makes no second branch")
    func oneBranch() throws {
        let second = try family.token(for: family.first, at: .noon)
        let third = try family.token(for: second, at: .noon + 1)
        for seconds in Int64(2)..<30 {
            #expect(try family.token(for: family.first, at: .noon + seconds).text == second.text)
            #expect(try family.token(for: second, at: .noon + seconds).text == third.text)
        }
        #expect(family.row.generation == 2)
    }

    @Test("another key gets nothing, whichever token it has, and ends the family")
    func otherKey() throws {
        let current = LoneClient(try RefreshFixture())
        #expect(try current.redeem(current.first, by: current.otherKey, at: .noon).name == "reuse: otherKey")
        #expect(try current.redeem(current.first, at: .noon).name == "revoked: reuse")
        // Also inside the window, where the right key would get the successor.
        let second = try family.token(for: family.first, at: .noon)
        #expect(try family.redeem(family.first, by: family.otherKey, at: .noon + 1).name == "reuse: otherKey")
        #expect(try family.redeem(second, at: .noon + 1).name == "revoked: reuse")
    }

    @Test("a family ends by its idle time and by its absolute one, to the millisecond, without a write")
    func expiry() throws {
        let idle = Timestamp.noon.adding(.days(7))
        let before = idle.adding(Timestamp.Span(milliseconds: -1))
        #expect(try family.decide(on: family.row, family.first, by: family.key, now: before).name == "rotate")
        #expect(try family.redeem(family.first, at: idle).name == "expired: idle")
        // With any key: an ended family reports no theft.
        #expect(try family.redeem(family.first, by: family.otherKey, at: idle).name == "expired: idle")
        #expect(family.writes == 0)
        var token = family.first
        for days in stride(from: Int64(6), to: 30, by: 6) {
            token = try family.token(for: token, at: Timestamp.noon.adding(.days(days)))
        }
        let end = Timestamp.noon.adding(.days(30))
        let last = end.adding(Timestamp.Span(milliseconds: -1))
        #expect(try family.decide(on: family.row, token, by: family.key, now: last).name == "rotate")
        #expect(try family.redeem(token, at: end).name == "expired: absolute")
    }

    @Test("an expired token is refused even inside its window")
    func expiredInWindow() throws {
        var token = family.first
        for days in stride(from: Int64(6), to: 30, by: 6) {
            token = try family.token(for: token, at: Timestamp.noon.adding(.days(days)))
        }
        let end = Timestamp.noon.adding(.days(30))
        let second = try family.token(for: token, at: end + -10)
        #expect(try family.redeem(token, at: end).name == "expired: absolute")
        #expect(try family.redeem(second, at: end).name == "expired: absolute")
    }

    @Test("a ninth rotation in one window has to wait, and then succeeds; nothing is lost")
    func slowDown() throws {
        var tokens = [family.first]
        for number in Int64(0)..<8 { tokens.append(try family.token(for: tokens[Int(number)], at: .noon + number)) }
        let decision = try family.redeem(tokens[8], at: .noon + 9)
        guard case .slowDown(let until) = decision else {
            Issue.record("\(decision.name)")
            return
        }
        #expect(until == Timestamp.noon.adding(Timestamp.Span(milliseconds: 60_001)))
        #expect(family.writes == 8)
        // All eight answers can still be repeated.
        for number in 0..<8 {
            #expect(try family.token(for: tokens[number], at: .noon + 10).text == tokens[number + 1].text)
        }
        #expect(try family.redeem(tokens[8], at: until.adding(Timestamp.Span(milliseconds: -1))).name == "slow down")
        #expect(try family.redeem(tokens[8], at: until).name == "rotate")
        #expect(family.row.revocation == nil)
    }

    @Test(
        "after a family was ended nothing that it ever handed out lives",
        arguments: RefreshFamily.RevocationReason.allCases)
    func ended(_ reason: RefreshFamily.RevocationReason) throws {
        var tokens = [family.first]
        for number in 0..<3 { tokens.append(try family.token(for: tokens[number], at: .noon)) }
        family.write(family.row.revoked(at: .noon + 1, reason: reason))
        for token in tokens { #expect(try family.redeem(token, at: .noon + 2).name == "revoked: \(reason)") }
        // The first reason remains.
        let again = family.row.revoked(at: .noon + 9, reason: .byOperator)
        #expect(again.revocation == RefreshFamily.Revocation(at: .noon + 1, reason: reason))
    }

    @Test("a token of a later generation than the store's is reported: the store is an old copy")
    func oldCopy() throws {
        let copy = family.row
        let second = try family.token(for: family.first, at: .noon)
        family.write(copy)
        #expect(try family.redeem(second, at: .noon + 1).name == "reuse: ahead")
    }

    @Test("a clock that goes back a little does not end a session")
    func clockBack() throws {
        let second = try family.token(for: family.first, at: .noon + 5)
        #expect(try family.redeem(family.first, at: .noon).token?.text == second.text)
    }

    @Test("a successor that was changed in the store, or belongs to another rotation, is not handed out")
    func damagedRow() throws {
        let second = try family.token(for: family.first, at: .noon)
        _ = try family.token(for: second, at: .noon)
        let encoded = family.row.recent.encoded
        // Version 1, then twice: hash 32, time 8, sealed 98.
        #expect(encoded.count == 1 + 2 * 138)
        for position in 41..<139 {
            var changed = encoded
            changed[position] ^= 1
            try expectDamaged(changed)
        }
        // The successor of the second token in place of the first's.
        try expectDamaged(Array(encoded[..<41] + encoded[179...] + encoded[139...]))
    }

    private func expectDamaged(_ recent: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let row = family.row
        let changed = try RefreshFamily(
            id: row.id, account: row.account, device: row.device, thumbprint: row.thumbprint,
            generation: row.generation, currentHash: row.currentHash, recent: try Rotations(decoding: recent),
            issuedAt: row.issuedAt, lastUsedAt: row.lastUsedAt, idleExpiresAt: row.idleExpiresAt,
            expiresAt: row.expiresAt, revocation: row.revocation, authentication: row.authentication, scope: row.scope)
        #expect(throws: TokensError.damaged, sourceLocation: sourceLocation) {
            try family.decide(on: changed, family.first, by: family.key, now: .noon)
        }
    }

    @Test("a row is restored from its columns, and a hash of another size is refused")
    func columns() throws {
        _ = try family.token(for: family.first, at: .noon)
        let row = family.row
        for size in [31, 32, 33] {
            let rebuild = {
                try RefreshFamily(
                    id: row.id, account: row.account, device: row.device, thumbprint: row.thumbprint,
                    generation: row.generation,
                    currentHash: size == 32 ? row.currentHash : [UInt8](repeating: 0, count: size),
                    recent: try Rotations(decoding: row.recent.encoded), issuedAt: row.issuedAt,
                    lastUsedAt: row.lastUsedAt, idleExpiresAt: row.idleExpiresAt, expiresAt: row.expiresAt,
                    revocation: row.revocation, authentication: row.authentication, scope: row.scope)
            }
            if size == 32 {
                #expect(try rebuild() == row)
            } else {
                #expect(throws: TokensError.damaged) { try rebuild() }
            }
        }
    }

    @Test("a policy with inconsistent times is refused")
    func policies() {
        #expect(RefreshPolicy(window: .seconds(60), idle: .days(7), absolute: .days(30)) == .usual)
        #expect(RefreshPolicy(window: .seconds(-1), idle: .days(7), absolute: .days(30)) == nil)
        #expect(RefreshPolicy(window: .days(8), idle: .days(7), absolute: .days(30)) == nil)
        #expect(RefreshPolicy(window: .seconds(60), idle: .days(31), absolute: .days(30)) == nil)
    }
}
