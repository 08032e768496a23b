internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import Files

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
        #expect(throws: FileError.alreadyExists) {
            try AtomicFile.write([2], to: folder("a"), replacing: .refused)
        }
        // A dangling link counts as a file, too.
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("nowhere"))
        #expect(throws: FileError.alreadyExists) {
            try AtomicFile.write([2], to: folder("link"), replacing: .refused)
        }
        #expect(try AtomicFile.read(folder("a"), limit: 1, access: .ownerOnly) == [1])
    }

    @Test(
        "a new file is made beside others whose names are like those of locks and temporary files, and leaves them alone"
    )
    func creating() throws {
        for name in ["a.lock", ".a.tmp"] { try Data([9]).write(to: URL(fileURLWithPath: folder(name))) }
        try AtomicFile.create([1, 2], at: folder("a"), for: .owner)
        #expect(folder.contents.sorted() == [".a.tmp", "a", "a.lock"])
        #expect(try bytes(of: folder("a")) == [1, 2])
        for name in ["a.lock", ".a.tmp"] { #expect(try bytes(of: folder(name)) == [9]) }

        // No link is replaced or followed.
        #expect(throws: FileError.alreadyExists) { try AtomicFile.create([3], at: folder("a"), for: .owner) }
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("nowhere"))
        #expect(throws: FileError.alreadyExists) { try AtomicFile.create([3], at: folder("link"), for: .owner) }
        #expect(throws: FileError.notFound) { try AtomicFile.create([3], at: folder("no/such"), for: .owner) }
        #expect(folder.contents.sorted() == [".a.tmp", "a", "a.lock", "link"])
        #expect(try bytes(of: folder("a")) == [1, 2])
    }

    @Test("a new file for its owner is readable by its owner only, and one for others by all whom the umask permits")
    func readers() throws {
        let umask = umask(0)
        _ = Foundation.umask(umask)
        for (readers, mode) in [(.owner, 0o600), (.anyone, 0o644)] as [(AtomicFile.Readers, Int)] {
            let path = folder("\(readers)")
            try AtomicFile.create([1], at: path, for: readers)
            let found = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(found == mode & ~Int(umask))
        }
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
        #expect(throws: FileError.insecureFile) {
            try AtomicFile.write([1], to: folder("c"), replacing: .allowed)
        }
        try FileManager.default.createSymbolicLink(atPath: folder("dir"), withDestinationPath: folder.path)
        #expect(throws: FileError.self) {
            try AtomicFile.write([1], to: folder("dir/d"), replacing: .allowed)
        }
        #expect(try bytes(of: elsewhere) == [9])
    }

    @Test("a file larger than the limit is refused before memory is allocated for it")
    func limit() throws {
        try AtomicFile.write([], to: folder("huge"), replacing: .allowed)
        #expect(truncate(folder("huge"), 1 << 42) == 0)
        #expect(throws: FileError.outsideLimits(.size)) {
            try AtomicFile.read(folder("huge"), limit: 2, access: .ownerOnly)
        }
        try AtomicFile.write([1, 2, 3], to: folder("a"), replacing: .allowed)
        #expect(throws: FileError.outsideLimits(.size)) {
            try AtomicFile.read(folder("a"), limit: 2, access: .ownerOnly)
        }
    }
}
