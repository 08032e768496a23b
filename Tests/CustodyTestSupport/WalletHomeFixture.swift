import Foundation
internal import HDKeys
import Secrets
import TestSupport
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody

/// A folder with a home for wallets and places for shares.
struct WalletHomeFixture: ~Copyable {
    let folder: TemporaryFolder
    static let passphrase = "five words that nobody guesses"

    init() throws { folder = try TemporaryFolder() }

    var path: String { folder.path }
    var home: WalletHome { WalletHome(path: "\(path)/home") }
    var places: SharePlaces { SharePlaces(backup: "\(path)/backup", recovery: "\(path)/recovery") }

    borrowing func creation(
        _ name: String = "w", _ threshold: Int = 2, of total: Int = 3, network: Network = .regtest,
        places: SharePlaces? = nil
    ) throws -> WalletCreation {
        WalletCreation(
            name: try WalletName(name), network: network,
            parameters: try ThresholdParameters(threshold: threshold, total: total), places: places ?? self.places,
            home: home)
    }

    /// Seals the device's share of a wallet of known keys.
    ///
    /// - Returns: the wallet's description, with the path of that share.
    borrowing func sealDeviceShare(of known: KnownWallet) throws -> WalletRecord {
        let wallet = known.record.with(sharesAt: [.device: "\(path)/device.vault"])
        try known.sealed(1, beside: wallet).seal(passphrase: secret(Self.passphrase), random: SystemRandom())
        return wallet
    }

    /// Everything in the folder, by its path from there; folders end in a slash.
    var files: [String] {
        let manager = FileManager.default
        let paths = (try? manager.subpathsOfDirectory(atPath: path)) ?? []
        return paths.map { name in
            var isFolder: ObjCBool = false
            let isThere = manager.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
            return isThere && isFolder.boolValue ? "\(name)/" : name
        }.sorted()
    }

    /// The files, without folders.
    var plainFiles: [String] { files.filter { !$0.hasSuffix("/") } }

    borrowing func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
    }

    borrowing func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    /// Writes a file, and creates the folders above it.
    borrowing func put(_ bytes: [UInt8], at name: String) throws {
        let url = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }
}

extension WalletCreation {
    /// Runs a creation at a fixed time, with the fixture's passphrase.
    func run(
        random: some RandomSource = SystemRandom(), progress: (Step) -> Void = { _ in }
    ) async throws(CustodyError) -> WalletRecord {
        try await run(
            passphrase: secret(WalletHomeFixture.passphrase), random: random, now: 1_700_000_000, progress: progress)
    }
}
