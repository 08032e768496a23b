internal import AuditLog
internal import Foundation
internal import SecureStorage
internal import Synchronization
internal import Testing

@Suite("Counts of use")
struct UsageCountsTests {
    private final class Receiver: UsageReceiver {
        struct Refused: Error {}
        let reports = Mutex<[UsageReport]>([])
        let isReachable: Bool
        let meanwhile: @Sendable () async -> Void

        init(isReachable: Bool = true, meanwhile: @escaping @Sendable () async -> Void = {}) {
            self.isReachable = isReachable
            self.meanwhile = meanwhile
        }

        func receive(_ report: UsageReport) async throws {
            await meanwhile()
            guard isReachable else { throw Refused() }
            reports.withLock { $0.append(report) }
        }
    }

    private let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fueki-usage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("usage").path
    }

    private var usage: UsageCounts { UsageCounts(in: PlainFile(at: path)) }

    @Test("without consent nothing is counted, kept or sent")
    func off() async throws {
        let usage = usage
        await usage.count(.paymentSent)
        #expect(await !usage.hasConsent())
        #expect(await usage.report(today: 20_000) == nil)
        let receiver = Receiver()
        #expect(try await !usage.send(to: receiver, today: 20_000))
        #expect(receiver.reports.withLock { $0.isEmpty } && !FileManager.default.fileExists(atPath: path))
    }

    @Test("with consent a report has ranges of counts over whole days, and no more")
    func counted() async throws {
        try await usage.setConsent(true, today: 20_000)
        let again = usage
        for _ in 0..<7 { await again.count(.paymentSent) }
        await again.count(.signedIn)
        #expect(await again.report(today: 20_000) == nil)
        let report = try #require(await usage.report(today: 20_003))
        #expect(report.firstDay == 20_000 && report.lastDay == 20_002)
        #expect(report.counts == [.paymentSent: .some, .signedIn: .few])
    }

    @Test("sent entries are not sent again, and unsent entries are kept")
    func sent() async throws {
        let usage = usage
        try await usage.setConsent(true, today: 1)
        await usage.count(.walletCreated)
        await #expect(throws: Receiver.Refused.self) {
            try await usage.send(to: Receiver(isReachable: false), today: 2)
        }
        let receiver = Receiver { await usage.count(.signedIn) }
        #expect(try await usage.send(to: receiver, today: 2))
        #expect(receiver.reports.withLock { $0.map(\.counts) } == [[.walletCreated: .few]])
        #expect(await usage.report(today: 3)?.counts == [.signedIn: .few])
        #expect(await usage.report(today: 3)?.firstDay == 2)
    }

    @Test("a withdrawn consent erases the counts, also while a report is being sent")
    func withdrawn() async throws {
        let usage = usage
        try await usage.setConsent(true, today: 1)
        await usage.count(.messageSigned)
        _ = try await usage.send(to: Receiver { try? await usage.setConsent(false, today: 2) }, today: 2)
        #expect(await !usage.hasConsent())
        let other = self.usage
        await other.count(.messageSigned)
        #expect(await !other.hasConsent())
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(Data(bytes).range(of: Data("fueki.usage".utf8)) == nil)
    }

    @Test("a damaged file counts as no consent")
    func damaged() async throws {
        try await usage.setConsent(true, today: 1)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
        #expect(await !usage.hasConsent())
        await usage.count(.crashed)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 3)
    }
}
