import Testing
import Time
import Tokens

@Suite("Assurance of a sign-in")
struct AuthenticationContextTests {
    private func context(
        _ present: Bool, _ verified: Bool, _ eligible: Bool, _ storage: AuthenticationContext.KeyStorage
    ) -> AuthenticationContext {
        AuthenticationContext(
            AuthenticationContext.Ceremony(
                userPresent: present, userVerified: verified, backupEligible: eligible, keyStorage: storage),
            at: .noon)
    }

    @Test("a copyable passkey is aal2 at most; aal3 requires verification, and a key proven to stay in hardware")
    func assurance() {
        for present in [false, true] {
            for eligible in [false, true] {
                for storage in [.unknown, .software, .hardware] as [AuthenticationContext.KeyStorage] {
                    #expect(context(present, false, eligible, storage).assurance == .aal1)
                    let verified = context(present, true, eligible, storage)
                    #expect(verified.assurance == (storage == .hardware && !eligible ? .aal3 : .aal2))
                }
            }
        }
        #expect(AuthenticationContext.Assurance.allCases.sorted() == [.aal1, .aal2, .aal3])
        #expect(AuthenticationContext.Assurance.aal3.rawValue == "urn:fueki:aal3")
    }

    @Test("the methods are those of RFC 8176, and name where the key is kept only if that is proven")
    func methods() {
        #expect(context(true, true, false, .hardware).methods.map(\.rawValue) == ["hwk", "user", "mfa", "pop"])
        #expect(context(true, true, true, .hardware).methods.map(\.rawValue) == ["swk", "user", "mfa", "pop"])
        #expect(context(true, false, false, .software).methods.map(\.rawValue) == ["swk", "user", "pop"])
        #expect(context(true, true, false, .unknown).methods.map(\.rawValue) == ["user", "mfa", "pop"])
        #expect(context(true, true, true, .unknown).methods.map(\.rawValue) == ["swk", "user", "mfa", "pop"])
        #expect(context(false, false, false, .unknown).methods.map(\.rawValue) == ["pop"])
    }

    @Test("aal3 lasts twelve hours and aal2 a day, to the millisecond; method and time of the sign-in stay")
    func ageing() {
        let hardware = context(true, true, false, .hardware)
        let start = hardware.authenticatedAt
        let ages: [(Timestamp.Span, AuthenticationContext.Assurance)] = [
            (.seconds(-30), .aal3), (.zero, .aal3), (.hours(12), .aal3),
            (Timestamp.Span(milliseconds: 12 * 3_600_000 + 1), .aal2), (.hours(24), .aal2),
            (Timestamp.Span(milliseconds: 24 * 3_600_000 + 1), .aal1), (.days(30), .aal1),
        ]
        for (age, assurance) in ages {
            let aged = hardware.aged(at: start.adding(age))
            #expect(aged.assurance == assurance)
            #expect(aged.methods == hardware.methods)
            #expect(aged.authenticatedAt == start)
            // Lower assurance stays lower.
            #expect(context(true, true, false, .unknown).aged(at: start.adding(age)).assurance == min(assurance, .aal2))
            #expect(context(true, false, false, .hardware).aged(at: start.adding(age)).assurance == .aal1)
        }
        #expect(!hardware.satisfies(.aal3, maxAge: .days(30), now: start.adding(.hours(13))))
        #expect(hardware.satisfies(.aal2, maxAge: .days(30), now: start.adding(.hours(13))))
    }

    @Test("a sign-in that is judged again has the proven assurance, and keeps its time")
    func judged() {
        let hardware = context(true, true, false, .hardware)
        for storage in [.unknown, .software, .hardware] as [AuthenticationContext.KeyStorage] {
            #expect(
                hardware.judged(keyStorage: storage, isUserVerificationTrusted: true)
                    == context(true, true, false, storage))
            #expect(
                hardware.judged(keyStorage: storage, isUserVerificationTrusted: false)
                    == context(true, false, false, storage))
            // A user who was not verified then does not count as verified now.
            #expect(
                context(false, false, false, storage).judged(keyStorage: .hardware, isUserVerificationTrusted: true)
                    == context(false, false, false, .hardware))
        }
    }

    @Test("a sign-in is fresh up to its age to the millisecond, and not if it is in the future")
    func freshness() {
        let context = context(true, true, true, .unknown)
        // Whole seconds: the person loses a quarter of a second.
        #expect(context.authenticatedAt == Timestamp(seconds: 1_795_262_400))
        let end = context.authenticatedAt.adding(.minutes(5))
        #expect(context.isFresh(maxAge: .minutes(5), now: end))
        #expect(!context.isFresh(maxAge: .minutes(5), now: end.adding(Timestamp.Span(milliseconds: 1))))
        #expect(context.isFresh(maxAge: .zero, now: context.authenticatedAt))
        // A replica that is behind, and an impossible time of a sign-in.
        #expect(context.isFresh(maxAge: .minutes(5), now: context.authenticatedAt + -60))
        #expect(!context.isFresh(maxAge: .minutes(5), now: context.authenticatedAt + -61))
    }

    @Test("a sensitive call requires an assurance and an age")
    func stepUp() {
        let context = context(true, true, true, .unknown)
        let now = Timestamp.noon + 10
        #expect(context.satisfies(.aal1, maxAge: .minutes(5), now: now))
        #expect(context.satisfies(.aal2, maxAge: .minutes(5), now: now))
        #expect(!context.satisfies(.aal3, maxAge: .minutes(5), now: now))
        #expect(!context.satisfies(.aal2, maxAge: .seconds(5), now: now))
    }

    @Test("a row stores it as two texts, and other texts are refused")
    func row() throws {
        let context = context(true, true, true, .unknown)
        #expect(context.acr == "urn:fueki:aal2")
        #expect(context.amr == "swk user mfa pop")
        let read = { try AuthenticationContext(acr: $0, amr: $1, authenticatedAt: context.authenticatedAt) }
        #expect(try read(context.acr, context.amr) == context)
        #expect(try read(context.acr, "").methods.isEmpty)
        for (acr, amr) in [
            ("urn:fueki:aal4", "pop"), ("", "pop"), ("urn:fueki:aal1", "pop pop"), ("urn:fueki:aal1", "pop  user"),
            ("urn:fueki:aal1", " "), ("urn:fueki:aal1", "pop sms"), ("urn:fueki:aal1", "POP"),
        ] {
            #expect(throws: TokensError.damaged, "\(amr)") { try read(acr, amr) }
        }
    }
}

@Suite("Scopes")
struct ScopeTests {
    @Test("names separated by a space are read and written")
    func roundTrip() throws {
        for text in ["", "session", "session trade", "a:b/c!~ #"] { #expect(try Scope(text).description == text) }
        #expect(try Scope("session trade").contains("trade"))
        #expect(try !Scope("session trade").contains("tra"))
        #expect(try Scope("").names.isEmpty)
    }

    @Test("a scope that RFC 6749 does not allow is refused")
    func refused() throws {
        for text in [" ", "a  b", " a", "a ", "a\"", "a\\", "é", "a\u{7f}", "a\tb", "a a"] {
            #expect(throws: TokensError.malformed(.scope)) { try Scope(text) }
        }
        #expect(throws: TokensError.malformed(.scope)) { try Scope(["a b"]) }
        #expect(throws: TokensError.malformed(.scope)) { try Scope([""]) }
        #expect(try Scope(String(repeating: "a", count: 512)).names.count == 1)
        #expect(throws: TokensError.tooLong(limit: 512)) { try Scope(String(repeating: "a", count: 513)) }
        #expect(throws: TokensError.tooLong(limit: 512)) { try Scope([String(repeating: "a", count: 513)]) }
    }
}
