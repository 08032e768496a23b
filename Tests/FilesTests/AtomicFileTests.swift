internal import Foundation
internal import SecretStoreTestSupport
internal import TestSupport
internal import Testing

@testable internal import SecureStorage

@Suite("Atomic file")
struct AtomicFileTests {
    let folder: SharedFolder

    init() throws { folder = try SharedFolder() }

    @Test("a written file is read back, and only the owner can read it")
    func roundTrip() throws {
        for bytes: [UInt8] in [[], [1], [UInt8](repeating: 7, count: 1_000_000)] {
            try AtomicFile.write(bytes, to: folder("a"), replacing: .allowed)
            #expect(try AtomicFile.read(folder("a"), limit: 1_000_000, access: .ownerOnly) == bytes)
        }
        #expect(folder.contents == ["a"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder("a"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("a file is not replaced where replacing is not allowed")
    func refusesToReplace() throws {
        try AtomicFile.write([1], to: folder("a"), replacing: .refused)
        #expect(throws: SecureStorageError.alreadyExists) {
            try AtomicFile.write([2], to: folder("a"), replacing: .refused)
        }
        // A dangling link counts as a file, too.
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("nowhere"))
        #expect(throws: SecureStorageError.alreadyExists) {
            try AtomicFile.write([2], to: folder("link"), replacing: .refused)
        }
        #expect(try AtomicFile.read(folder("a"), limit: 1, access: .ownerOnly) == [1])
    }

    @Test(
        "a new file is made beside others whose names are like those of locks and temporary files, and leaves them alone"
    )
    func creating() throws {
        for name in ["a.lock", ".a.tmp"] { try Data([9]).write(to: URL(fileURLWithPath: folder(name))) }
        try AtomicFile.create([1, 2], at: folder("a"))
        #expect(folder.contents.sorted() == [".a.tmp", "a", "a.lock"])
        #expect(try bytes(of: folder("a")) == [1, 2])
        for name in ["a.lock", ".a.tmp"] { #expect(try bytes(of: folder(name)) == [9]) }

        // No link is replaced or followed.
        #expect(throws: SecureStorageError.alreadyExists) { try AtomicFile.create([3], at: folder("a")) }
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("nowhere"))
        #expect(throws: SecureStorageError.alreadyExists) { try AtomicFile.create([3], at: folder("link")) }
        #expect(throws: SecureStorageError.notFound) { try AtomicFile.create([3], at: folder("no/such")) }
        #expect(folder.contents.sorted() == [".a.tmp", "a", "a.lock", "link"])
        #expect(try bytes(of: folder("a")) == [1, 2])
    }

    @Test("a link in place of the file, the temporary file, the lock or the folder is not followed")
    func links() throws {
        let elsewhere = folder("elsewhere")
        try Data([9]).write(to: URL(fileURLWithPath: elsewhere))
        for name in ["a", ".b.tmp"] {
            try FileManager.default.createSymbolicLink(atPath: folder(name), withDestinationPath: elsewhere)
        }
        try AtomicFile.write([1], to: folder("a"), replacing: .allowed)
        try AtomicFile.write([1], to: folder("b"), replacing: .allowed)
        try FileManager.default.createSymbolicLink(atPath: folder("c.lock"), withDestinationPath: elsewhere)
        #expect(throws: SecureStorageError.insecureFile) {
            try AtomicFile.write([1], to: folder("c"), replacing: .allowed)
        }
        try FileManager.default.createSymbolicLink(atPath: folder("dir"), withDestinationPath: folder.path)
        #expect(throws: SecureStorageError.self) {
            try AtomicFile.write([1], to: folder("dir/d"), replacing: .allowed)
        }
        #expect(try bytes(of: elsewhere) == [9])
    }

    @Test("a file larger than the limit is refused before memory is allocated for it")
    func limit() throws {
        try AtomicFile.write([], to: folder("huge"), replacing: .allowed)
        #expect(truncate(folder("huge"), 1 << 42) == 0)
        #expect(throws: SecureStorageError.outsideLimits(.fileSize)) {
            try AtomicFile.read(folder("huge"), limit: 2, access: .ownerOnly)
        }
        try AtomicFile.write([1, 2, 3], to: folder("a"), replacing: .allowed)
        #expect(throws: SecureStorageError.outsideLimits(.fileSize)) {
            try AtomicFile.read(folder("a"), limit: 2, access: .ownerOnly)
        }
    }

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
