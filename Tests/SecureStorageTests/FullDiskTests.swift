internal import Foundation
internal import SecretStoreTestSupport
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

@Suite("A vault on a full disk")
struct FullDiskTests {
    @Test(
        "a disk that is really full is said to be full, and the old file stays",
        .enabled(if: SmallDisk.isUsable, "a small file system cannot be mounted here"))
    func diskFull() async throws {
        let disk = try SmallDisk()
        let path = disk.path + "/vault"
        let vault = try VaultFile.createCheaply(at: path)
        try await vault.save(secret("small"), as: try name("a"), attributes: .critical(.other))
        let large = String(repeating: "x", count: 200_000)
        await #expect(throws: SecureStorageError.diskFull) {
            try await vault.save(secret(large), as: try name("b"), attributes: .critical(.other))
        }
        #expect(try await vault.names(in: nil) == [try name("a")])
        // There is room again for a small file.
        try await vault.save(secret("other"), as: try name("c"), attributes: .critical(.other))
        await vault.close()
        let again = try VaultFile.readCheaply(at: path, freshness: .atLeast(3))
        #expect(text(try await again.load(try name("a"))) == "small")
        #expect(text(try await again.load(try name("c"))) == "other")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["vault"])
    }
}

/// A file system of 64 KiB in memory, if the machine allows mounting one.
private final class SmallDisk {
    private let folder: SharedFolder
    var path: String { folder.path }

    static let isUsable = (try? SmallDisk()) != nil

    init() throws {
        folder = try SharedFolder()
        try Self.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "fueki-test", folder.path])
    }

    deinit { try? Self.run(["umount", folder.path]) }

    private static func run(_ command: [String]) throws {
        guard try Program.run("/usr/bin/env", command).isSuccess else { throw CocoaError(.fileWriteUnknown) }
    }
}
