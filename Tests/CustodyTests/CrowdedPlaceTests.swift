import Testing
import Threshold

@testable import Custody

@Suite("Places that hold too many shares")
struct CrowdedPlaceTests {
    private static let home = WalletHome(path: "/home/ann/.fueki")
    private static let device = "/home/ann/.fueki/wallets/known/device.vault"

    private func crowded(_ threshold: Int, at paths: [String]) throws -> [CrowdedPlace] {
        let record = try KnownWallet(threshold: threshold, total: paths.count).record
        let places = zip(record.shares.map(\.location), paths).map { ($0, $1) }
        return record.with(sharesAt: Dictionary(uniqueKeysWithValues: places)).crowdedPlaces(in: Self.home)
    }

    @Test("three places for three shares are no crowd; the home is one place, whatever its folders")
    func home() throws {
        #expect(try crowded(2, at: [Self.device, "/usb/b.vault", "/safe/r.vault"]).isEmpty)
        #expect(
            try crowded(2, at: [Self.device, "/usb/b.vault", "/home/ann/.fueki/recovery/r.vault"]) == [
                CrowdedPlace(
                    path: "/home/ann/.fueki", shares: [.device, .recovery], suffices: true, isIndispensable: true)
            ])
        // A folder whose name only begins like the home's is another place.
        #expect(try crowded(2, at: [Self.device, "/usb/b.vault", "/home/ann/.fueki2/r.vault"]).isEmpty)
    }

    @Test("a place is told that holds the threshold, and one without which nobody can sign")
    func folders() throws {
        let paths = [Self.device, "/usb/b.vault", "/safe/r.vault", "/usb/4.vault", "/safe/5.vault"]
        #expect(try crowded(3, at: paths).isEmpty)
        #expect(
            try crowded(2, at: paths) == [
                CrowdedPlace(
                    path: "/usb", shares: [.backup, .further(index: 4)], suffices: true, isIndispensable: false),
                CrowdedPlace(
                    path: "/safe", shares: [.recovery, .further(index: 5)], suffices: true, isIndispensable: false),
            ])
        #expect(
            try crowded(4, at: paths).map(\.isIndispensable) == [true, true])
    }

    @Test("where all shares are needed, each place is indispensable, and that was asked for")
    func all() throws {
        #expect(try crowded(3, at: [Self.device, "/usb/b.vault", "/safe/r.vault"]).isEmpty)
        #expect(try crowded(2, at: [Self.device, "/home/ann/.fueki/b.vault"]).map(\.suffices) == [true])
    }

    @Test("shares after the third go to the two folders in turn")
    func turns() throws {
        let places = SharePlaces(backup: "/usb", recovery: "/safe")
        let name = try WalletName("known")
        let folders = (1...7).map { places.folder(of: ShareLocation(index: $0), of: name, in: Self.home) }
        #expect(folders == ["/home/ann/.fueki/wallets/known", "/usb", "/safe", "/usb", "/safe", "/usb", "/safe"])
    }
}
