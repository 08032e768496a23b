internal import Foundation
internal import Secrets
internal import TestSupport
internal import Testing

@testable internal import Files

@Suite("Passphrases in files")
struct SecretFileTests {
    let folder: SharedFolder

    init() throws { folder = try SharedFolder() }

    private func write(_ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: folder("secret")))
        return folder("secret")
    }

    @Test(
        "the first line is the passphrase, whatever ends it",
        arguments: ["a b ", "a b \n", "a b \r\n", "a b \rmore", "a b \nmore\n"])
    func firstLine(text: String) throws {
        let secret = try SecretFile.firstLine(of: try write(Array(text.utf8)))
        #expect(secret.withUnsafeBytes { Array($0) } == Array("a b ".utf8))
    }

    @Test("a missing, an empty and a too long secret are different errors")
    func flaws() throws {
        #expect(throws: SecretFile.Flaw.unreadable(code: ENOENT)) { _ = try SecretFile.firstLine(of: folder("none")) }
        #expect(throws: SecretFile.Flaw.unreadable(code: EISDIR)) { _ = try SecretFile.firstLine(of: folder("")) }
        for empty in ["", "\n", "\r\n", "\nsecond"] {
            let path = try write(Array(empty.utf8))
            #expect(throws: SecretFile.Flaw.empty) { _ = try SecretFile.firstLine(of: path) }
            #expect(try SecretFile.firstLine(of: path, isOptional: true).count == 0)
        }
        let longest = SecretFile.longestPassphrase
        let whole = try SecretFile.firstLine(of: try write([UInt8](repeating: 7, count: longest) + [10, 7]))
        #expect(whole.count == longest)
        let path = try write([UInt8](repeating: 7, count: longest + 1))
        #expect(throws: SecretFile.Flaw.tooLong(longest)) { _ = try SecretFile.firstLine(of: path) }
    }

    @Test("only the beginning of a larger file is read")
    func beginning() throws {
        let path = try write([UInt8](0..<100))
        #expect(try SecretFile.beginning(of: path, size: 10).withUnsafeBytes { Array($0) } == [UInt8](0..<10))
        #expect(try SecretFile.beginning(of: path, size: 200).count == 100)
    }

    /// A file of user 7 and group 7 is tested in one folder.
    @Test(
        "a folder keeps a group out only with the bits that count for its members, and the owner counts as well",
        arguments: [
            // The folder's group is the file's.
            (0o640, 7, 0o750, 7, true), (0o640, 7, 0o701, 7, false), (0o604, 7, 0o750, 7, false),
            (0o604, 7, 0o701, 7, true),
            // Another group: members of the file's group pass like all others, or as members of both.
            (0o640, 7, 0o701, 8, true), (0o640, 7, 0o710, 8, true), (0o640, 7, 0o700, 8, false),
            (0o604, 7, 0o710, 8, true), (0o604, 7, 0o700, 8, false), (0o600, 7, 0o777, 8, false),
            // Another user's file, and the administrator's.
            (0o600, 9, 0o711, 8, true), (0o600, 9, 0o700, 8, false), (0o600, 0, 0o755, 8, false),
            (0o000, 9, 0o755, 8, false),
        ] as [(mode_t, uid_t, mode_t, gid_t, Bool)])
    func groups(file: mode_t, owner: uid_t, folder: mode_t, folderGroup: gid_t, isReached: Bool) {
        let mode = SecretFile.Mode(bits: file, user: owner, group: 7)
        let above = SecretFile.Mode(bits: folder, user: 7, group: folderGroup)
        #expect(mode.isWithinReach(of: .groupOrAll, through: [above], user: 7) == isReached)
        // Where access for the group is intended, the owner and the group do not count as others.
        let isOpenToAll = mode.isWithinReach(of: .all, through: [above], user: 7)
        #expect(isOpenToAll == (isReached && file & 0o007 != 0))
    }

    @Test("a file that others can read is detected")
    func openToOthers() throws {
        let path = try write([1])
        for (mode, isOpen) in [(0o600, false), (0o400, false), (0o640, true), (0o604, true)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(SecretFile.isOpenToOthers(path) == isOpen)
        }
        #expect(!SecretFile.isOpenToOthers(folder("none")))
    }
}
