import Curves
import Secrets
import TestSupport
import Testing
import Threshold

@Suite("Key export")
struct KeyExportTests {
    private struct NoLog: Error, Equatable {}

    private func index(_ value: Int) -> ParticipantIndex { ParticipantIndex(unchecked: value) }

    /// Returns the exported key, from the shares of these participants.
    private func export<Suite: Sharing.Ciphersuite>(
        _ group: GroupKey<Suite.Group>, epoch: Int, by numbers: [Int], adding holders: [Holder<Suite>]
    ) throws -> Scalar<Suite.Group> {
        let request = try KeyExport(
            of: group, epoch: epoch, from: numbers.map(index), danger: .theWholeKeyWillExistInOnePlace)
        var assembly = request.audited { _ in }
        for holder in holders {
            let share = holder.clone()
            try assembly.add(share, epoch: holder.epoch)
        }
        return try assembly.secret().revealed()
    }

    @Test("a threshold of shares gives the key, and so do more", arguments: SharingTests.suites)
    func whole(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let secret = Scalar<Suite.Group>(424_242)
            let run = try SharingRun<Suite>.imported(SecretScalar(secret), 3, of: 5)
            let group = try run.finish().group
            let holders = run.holders.sorted { ($0.index ?? index(1)) < ($1.index ?? index(1)) }
            for numbers in [[1, 3, 5], [5, 2, 1], [1, 2, 3, 4], [1, 2, 3, 4, 5]] {
                let some = numbers.reversed().map { holders[$0 - 1] }
                #expect(try export(group, epoch: 0, by: numbers, adding: some) == secret)
            }
        }
        try check(suite)
    }

    @Test(
        "nothing is put together before it is written down, and nothing if that fails", arguments: SharingTests.suites)
    func audit(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let group = try #require(try SharingRun<Suite>.key(2, of: 3)[0].group)
            let request = try KeyExport(
                of: group, epoch: 0, from: [index(3), index(1)], danger: .theWholeKeyWillExistInOnePlace)
            var log: [KeyExport<Suite.Group>] = []
            #expect(throws: NoLog()) {
                _ = try request.audited { (request: KeyExport<Suite.Group>) throws(NoLog) in throw NoLog() }
            }
            _ = request.audited { log.append($0) }
            #expect(log == [request])
            #expect(log[0].indices == [index(1), index(3)])
            #expect(log[0].epoch == 0)
        }
        try check(suite)
    }

    @Test("too few, foreign, repeated and missing shares are refused", arguments: SharingTests.suites)
    func refusals(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let group = try #require(holders[0].group)
            func refused(_ error: ThresholdError, by numbers: [Int], _ adding: [Holder<Suite>]) {
                #expect(throws: error) { try export(group, epoch: 0, by: numbers, adding: adding) }
            }
            refused(.tooFewSigners(needed: 2), by: [1], [])
            refused(.unknownParticipant(index(4)), by: [1, 4], [])
            refused(.duplicateParticipant(index(1)), by: [1, 1], [])
            refused(.missingParticipant(index(2)), by: [1, 2], [holders[0]])
            refused(.unknownParticipant(index(3)), by: [1, 2], [holders[0], holders[2]])
            refused(.unknownParticipant(index(1)), by: [1, 2], [holders[0], holders[0]])
            refused(.wrongGroup, by: [1, 2], [try SharingRun<Suite>.key(2, of: 3, seed: 88)[0]])
        }
        try check(suite)
    }

    @Test(
        "epoch_mismatch_clear_error: shares from before and after a renewal are not mixed",
        arguments: SharingTests.suites)
    func epochs(_ suite: any Sharing.Ciphersuite.Type) throws {
        func check<Suite: Sharing.Ciphersuite>(_: Suite.Type) throws {
            let holders = try SharingRun<Suite>.key(2, of: 3)
            let old = holders.map { $0.thief() }
            let data = try SharingRun.reshare(from: holders, 2, to: holders).finish()
            #expect(throws: ThresholdError.wrongEpoch(expected: 1, got: 0)) {
                try export(data.group, epoch: 1, by: [1, 2], adding: [old[0], holders[1]])
            }
            #expect(throws: ThresholdError.wrongEpoch(expected: 0, got: 1)) {
                try export(try #require(old[0].group), epoch: 0, by: [1, 2], adding: [old[0], holders[1]])
            }
            old[0].epoch = 1
            #expect(throws: ThresholdError.wrongGroup, "a share that is said to be newer than it is") {
                try export(data.group, epoch: 1, by: [1, 2], adding: [old[0], holders[1]])
            }
            #expect(
                try SharingTests.publicKey(of: export(data.group, epoch: 1, by: [1, 2], adding: holders.dropLast()))
                    == data.group.publicKey)
        }
        try check(suite)
    }
}
