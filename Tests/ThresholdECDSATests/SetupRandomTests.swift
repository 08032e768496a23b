import Curves
import Secrets
import TestSupport
import Testing
import Threshold
import ThresholdTestSupport

@testable import ThresholdECDSA

/// A broken random source: the same bytes each time.
struct StuckRandom: RandomSource {
    func fill(_ buffer: UnsafeMutableRawBufferPointer) { for place in buffer.indices { buffer[place] = 7 } }
}

@Suite("ECDSA: the random stream of a pair's set-up")
struct SetupRandomTests {
    let run: SetupRun

    init() throws { run = try SetupRun(2, of: 3) }

    func index(_ value: Int) -> ParticipantIndex { ParticipantIndex(unchecked: value) }

    private let fresh = [UInt8](repeating: 3, count: 32)

    @Test("The stream is F of the block's number, and each draw begins with a new block")
    func stream() throws {
        var hasher = ECDSA.TaggedHash.hasher("set-up randomness")
        hasher.update(part: fresh)
        hasher.update(part: try run.secretShare(of: index(1)).encoded())
        hasher.update(part: run.seed(index(2), index(1)))
        hasher.update(part: [1])
        hasher.update(part: [9])
        let hash = ECDSA.LoopHash(hasher.finalize())
        let random = try run.randomness(of: index(1), with: index(2), fresh: fresh, answering: [9])
        func block(_ number: UInt8) -> [UInt8] { hash.hash([0, 0, 0, number]) }
        #expect(random.publicBytes(count: 0) == [])
        let long = block(0) + Array(block(1).prefix(1))
        #expect(random.publicBytes(count: 33) == long)
        #expect(random.publicBytes(count: 64) == block(2) + block(3))
        #expect(random.publicBytes(count: 5) == Array(block(4).prefix(5)))
    }

    @Test("Each input changes the stream; equal inputs give the same stream")
    func inputs() throws {
        let other = try SetupRun(2, of: 3, identifier: 2)
        func first(
            _ run: SetupRun, _ one: Int, _ other: Int, fresh: [UInt8]? = nil, answering name: [UInt8] = []
        ) throws -> [UInt8] {
            try run.randomness(of: index(one), with: index(other), fresh: fresh ?? self.fresh, answering: name)
                .publicBytes(count: 32)
        }
        // Another share, with everything else unchanged.
        let foreign = ECDSA.PairSetup.SetupRandom(
            fresh: secret(fresh), share: SecretScalar(from: SeededRandom(seed: 1)), seed: run.seed(index(1), index(2)),
            of: index(1), answering: [])
        let streams = [
            try first(run, 1, 2), try first(run, 2, 1), try first(run, 1, 3), try first(other, 1, 2),
            try first(run, 1, 2, fresh: [UInt8](repeating: 4, count: 32)), try first(run, 1, 2, answering: [1]),
            foreign.publicBytes(count: 32),
        ]
        #expect(Set(streams).count == streams.count)
        #expect(try first(run, 1, 2) == streams[0])
    }

    /// The stored pairs of the set-up's owner, if all random bytes repeat.
    private func secrets(_ run: SetupRun) throws -> [[UInt8]] {
        var stuck = run
        stuck.source = StuckRandom()
        return try stuck.run().flatMap { share in
            try run.group.parameters.indices.filter { peer in share.borrow { $0.index } != peer }.flatMap { peer in
                let pair = try share.borrow { try $0.pair(with: peer) }
                return [reveal(pair.coPaths.correlation())] + reveal(pair.roots.bytes).chunks(32)
            }
        }
    }

    @Test("A random source that repeats gives other secrets in another session, another pair, and on the other side")
    func repeatedSource() throws {
        let first = try secrets(run)
        let second = try secrets(SetupRun(2, of: 3, identifier: 2))
        #expect(first.count == 6 * (1 + 64 * 2))
        #expect(Set(first + second).count == first.count + second.count)
        // They depend on nothing else: the same session again has the same.
        #expect(try secrets(run) == first)
    }
}
