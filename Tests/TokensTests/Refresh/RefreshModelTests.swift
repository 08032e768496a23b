import TestSupport
import Testing
import Time
import Tokens

/// Requests of many clients, split into reading, deciding and writing, in every order that a generator makes.
@Suite("Refresh tokens in random sequences")
struct RefreshModelTests {
    /// A request in progress.
    private struct Request {
        let token: RefreshToken
        let isOwner: Bool
        let since: Timestamp
        /// It has read and decided, and not written yet.
        var pending: (state: RefreshFamily, decision: RefreshDecision)?
    }

    /// The required properties, in terms of generations and times only.
    private struct Model {
        var current: UInt32 = 0
        var firstUse: [UInt32: Timestamp] = [:]
        var isRevoked = false

        func expected(_ generation: UInt32, isOwner: Bool, now: Timestamp) -> String {
            if isRevoked { return "revoked: reuse" }
            guard isOwner else { return "reuse: otherKey" }
            guard generation == current else {
                guard let first = firstUse[generation] else { return "reuse" }
                return now.since(first) <= .seconds(60) ? "repeat" : "reuse"
            }
            return firstUse.values.count { now.since($0) <= .seconds(60) } >= 8 ? "slow down" : "rotate"
        }
    }

    /// The observations of a run.
    private struct Run {
        var family: RefreshFixture
        let random: SeededRandom
        var model = Model()
        var now = Timestamp.noon
        /// The tokens that clients received, by generation.
        var handedOut: [UInt32: Set<String>] = [:]
        var known: [RefreshToken]
        var names: Set<String> = []
        let thieves: Bool

        init(seed: UInt64, thieves: Bool) throws {
            family = try RefreshFixture(seed: seed)
            random = SeededRandom(seed: seed &* 77)
            known = [family.first]
            self.thieves = thieves
        }

        mutating func start() -> Request {
            // Mostly the newest; sometimes an earlier one, as after a lost answer, or in another tab. An honest client
            // has it from a storage that is not older than 40 seconds.
            let old = known.dropLast().filter { token in
                thieves || (model.firstUse[token.generation].map { now.since($0) <= .seconds(40) } ?? true)
            }
            let token = random.below(3) > 0 || old.isEmpty ? known[known.count - 1] : old[random.below(old.count)]
            return Request(token: token, isOwner: !thieves || random.below(200) > 0, since: now)
        }

        /// Whether the client has stopped waiting, as an honest one does.
        func isAbandoned(_ request: Request) -> Bool { !thieves && now.since(request.since) > .seconds(20) }

        /// Runs one step of one request, and returns whether it is done.
        mutating func step(_ request: inout Request) throws -> Bool {
            guard let (state, decision) = request.pending else {
                let key = request.isOwner ? family.key : family.otherKey
                let decision = try family.decide(on: family.row, request.token, by: key, now: now)
                let expected = model.expected(request.token.generation, isOwner: request.isOwner, now: now)
                #expect(decision.name.hasPrefix(expected), "generation \(request.token.generation) of \(model.current)")
                names.insert(decision.name)
                request.pending = (family.row, decision)
                return false
            }
            switch decision {
            case .rotate(let next, let successor):
                guard family.swap(state, for: next) else {
                    // Another request came first: read again.
                    request.pending = nil
                    return false
                }
                #expect(!model.isRevoked)
                model.firstUse[model.current] = next.lastUsedAt
                model.current += 1
                handOut(successor)
            case .repeatSuccessor(let successor): handOut(successor)
            case .reuse(_, let next):
                guard family.swap(state, for: next) else {
                    request.pending = nil
                    return false
                }
                model.isRevoked = true
            case .slowDown, .expired, .revoked: break
            }
            return true
        }

        private mutating func handOut(_ token: RefreshToken) {
            handedOut[token.generation, default: []].insert(token.text)
            // One answer in four is lost.
            if random.below(4) > 0, !known.contains(where: { $0.generation == token.generation }) {
                known.append(token)
                known.sort { $0.generation < $1.generation }
            }
        }
    }

    private func run(seed: UInt64, thieves: Bool, steps: Int, slowest: Int) throws -> Run {
        var run = try Run(seed: seed, thieves: thieves)
        var requests: [Request] = []
        for _ in 0..<steps {
            run.now = run.now.adding(Timestamp.Span(milliseconds: Int64(run.random.below(slowest))))
            if requests.count < 12, run.random.below(2) == 0 { requests.append(run.start()) }
            requests.removeAll { run.isAbandoned($0) }
            guard !requests.isEmpty else { continue }
            let number = run.random.below(requests.count)
            if try run.step(&requests[number]) { requests.remove(at: number) }
        }
        // Exactly one successor for each generation, ever.
        for (generation, texts) in run.handedOut {
            #expect(texts.count == 1, "generation \(generation), seed \(seed)")
        }
        return run
    }

    @Test("decisions match the model; each token has one successor; after a reuse no token is valid")
    func everything() throws {
        var seen: Set<String> = []
        for seed in UInt64(1)...120 {
            let run = try run(seed: seed, thieves: true, steps: 400, slowest: seed.isMultiple(of: 2) ? 900 : 8_000)
            seen.formUnion(run.names)
        }
        // The runs reached every decision except the ends, which other tests cover, and an old copy of the store.
        #expect(
            seen == [
                "rotate", "repeat", "slow down", "revoked: reuse", "reuse: otherKey", "reuse: recent", "reuse: stale",
            ])
    }

    @Test(
        "clients that retry within the window, give up, lose a quarter of the answers and race each other, stay signed in"
    )
    func honest() throws {
        var rotations = 0
        for seed in UInt64(1)...60 {
            let run = try run(seed: seed, thieves: false, steps: 600, slowest: 300)
            #expect(run.family.row.revocation == nil, "seed \(seed)")
            rotations += Int(run.model.current)
        }
        #expect(rotations > 500)
    }

    /// A row that tasks share.
    private actor Store {
        private var family: RefreshFixture

        init() throws { family = try RefreshFixture() }

        var fixture: RefreshFixture { family }
        func swap(_ old: RefreshFamily, for new: RefreshFamily) -> Bool { family.swap(old, for: new) }
    }

    @Test("200 tasks redeem one token at once: one writes, all get the same successor")
    func tasks() async throws {
        let store = try Store()
        let token = await store.fixture.first
        let texts = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    while true {
                        let fixture = await store.fixture
                        let decision = try fixture.decide(on: fixture.row, token, by: fixture.key, now: .noon)
                        await Task.yield()
                        guard case .rotate(let next, let successor) = decision else { return decision.token?.text }
                        if await store.swap(fixture.row, for: next) { return successor.text }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.count == 200)
        #expect(Set(texts).count == 1)
        #expect(texts.allSatisfy { $0 != nil })
        #expect(await store.fixture.writes == 1)
    }
}
