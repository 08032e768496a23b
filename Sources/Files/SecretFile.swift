package import Secrets

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A passphrase or another secret text in a file, for programs that are started without typing. It is read directly
/// into guarded memory.
package enum SecretFile {
    /// The reasons why a secret text cannot be read.
    package enum Flaw: Error, Equatable, Sendable {
        /// The system refused to open or read it. `code` is its `errno`.
        case unreadable(code: Int32)
        case empty
        /// The first line is longer than this many bytes.
        case tooLong(Int)
    }

    /// The longest passphrase, also of a vault and at a prompt. No user types more; a longer one is a wrong file.
    package static let longestPassphrase = 1024

    /// Reads the first line of the file, without its line ending. `-` is standard input.
    ///
    /// - Parameter isOptional: whether the line may be empty, as the password of a file of other software may be.
    package static func firstLine(of path: String, isOptional: Bool = false) throws(Flaw) -> SecretBytes {
        // One byte more than the longest, so that a longer line is noticed and not cut.
        let text = try beginning(of: path, size: longestPassphrase + 1)
        let length = text.withUnsafeBytes { bytes in bytes.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count }
        guard length > 0 || isOptional else { throw .empty }
        guard length <= longestPassphrase else { throw .tooLong(longestPassphrase) }
        return text.prefix(length)
    }

    /// Reads at most `size` bytes of the file. `-` is standard input.
    package static func beginning(of path: String, size longest: Int) throws(Flaw) -> SecretBytes {
        let file = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(code: errno) }
        defer { close(file) }

        var size = 0
        let text = try SecretBytes(count: longest) { (memory) throws(Flaw) in
            while size < memory.count, let base = memory.baseAddress {
                let more = read(file, base + size, memory.count - size)
                if more < 0 && errno == EINTR { continue }
                guard more >= 0 else { throw .unreadable(code: errno) }
                if more == 0 { break }
                size += more
            }
        }
        return text.prefix(size)
    }

    /// The other users who may open a file.
    package enum Others: Sendable {
        /// Its group, or everybody.
        case groupOrAll
        /// Everybody; the group was admitted on purpose, as a node does with its cookie.
        case all
    }

    /// Returns whether other users may open the file: by its own mode and owner, and by those of all folders above it,
    /// which may keep them out. False for standard input, for pipes and other files that are not regular, and for a
    /// path without a file.
    ///
    /// The members of a group are not looked up, because a directory service may know more members than this machine. A
    /// group counts as other users, also one that has a single member now.
    package static func isWithinReach(of others: Others, _ path: String) -> Bool {
        guard path != "-", let whole = realpath(path, nil) else { return false }
        defer { free(whole) }
        guard let file = Mode(of: String(cString: whole)), file.isRegular else { return false }
        var folders: [Mode] = []
        var folder = String(cString: whole)[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            guard let mode = Mode(of: folder.isEmpty ? "/" : String(folder)) else { return false }
            folders.append(mode)
        }
        return file.isWithinReach(of: others, through: folders, user: geteuid())
    }

    /// The owner of a file or folder, and its mode.
    struct Mode {
        var bits: mode_t
        var user: uid_t
        var group: gid_t

        /// Nil for a path without a file.
        init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(bits: status.st_mode, user: status.st_uid, group: status.st_gid)
        }

        init(bits: mode_t, user: uid_t, group: gid_t) {
            (self.bits, self.user, self.group) = (bits, user, group)
        }

        var isRegular: Bool { bits & S_IFMT == S_IFREG }

        /// Returns whether other users may open the file.
        ///
        /// - Parameters:
        ///   - folders: all folders above the file.
        ///   - user: the user who runs this program.
        func isWithinReach(of others: Others, through folders: [Mode], user: uid_t) -> Bool {
            if bits & 0o007 != 0, folders.allSatisfy({ $0.lets(.everybody(but: group)) }) { return true }
            guard case .groupOrAll = others else { return false }
            if bits & 0o070 != 0, folders.allSatisfy({ $0.lets(.members(of: group)) }) { return true }
            // The owner is neither this user nor the administrator, who can read everything anyway.
            guard self.user != user, self.user != 0, bits & 0o700 != 0 else { return false }
            return folders.allSatisfy { $0.lets(.user(self.user)) }
        }

        private enum Class {
            case everybody(but: gid_t)
            case members(of: gid_t)
            case user(uid_t)
        }

        /// Returns whether this class of users can pass a folder. The system uses the group's bits for its members, and
        /// those of all for the rest (POSIX.1-2024, 4.7): members of one group may also be in another one.
        private func lets(_ people: Class) -> Bool {
            switch people {
            case .everybody(let group): bits & (self.group == group ? 0o001 : 0o011) != 0
            case .members(let group): bits & (self.group == group ? 0o010 : 0o011) != 0
            case .user(let user): bits & (self.user == user ? 0o100 : 0o011) != 0
            }
        }
    }

    /// Returns whether other users may change it, as far as its mode says. False for a missing file.
    package static func isWritableByOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o022 != 0
    }

    /// Returns whether other users may read it, as far as its mode says. False for a missing file.
    package static func isOpenToOthers(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }
}
