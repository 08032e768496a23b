/// The file systems that Linux has mounted (`/proc/self/mountinfo`, proc(5)). The table is empty on other systems,
/// which lack the file.
struct MountTable {
    /// One line of the table.
    struct Mount: Hashable {
        /// The mount point.
        let folder: String
        /// The type of file system, such as `btrfs`.
        let type: String
        /// The mounted device, such as `/dev/sda2`, or another name that the type of file system gives.
        let source: String
    }

    /// The mounts. A later one hides an earlier one in the same folder.
    private let mounts: [Mount]

    /// - Parameter text: the file's text. Lines that do not parse are skipped.
    init(_ text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            // 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw
            let words = line.split(separator: " ")
            guard let dash = words.firstIndex(of: "-"), dash >= 6, words.count > dash + 2 else { return nil }
            return Mount(
                folder: Self.unescaped(words[4]), type: String(words[dash + 1]),
                source: Self.unescaped(words[dash + 2]))
        }
    }

    /// Returns the mount that a path is on.
    ///
    /// - Parameter path: absolute, without symbolic links.
    func mount(of path: String) -> Mount? {
        var best: Mount?
        for mount in mounts where mount.folder == "/" || (path + "/").hasPrefix(mount.folder + "/") {
            if mount.folder.utf8.count >= best?.folder.utf8.count ?? 0 { best = mount }
        }
        return best
    }

    /// Returns the word with octal escapes decoded: a blank, a tab, a line feed and a backslash are written like
    /// `\040`.
    private static func unescaped(_ word: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension MountTable.Mount {
    /// The devices of a file system, and a name for the pool that they form. Every Btrfs subvolume and every ZFS
    /// dataset has a number of its own (`st_dev`), which does not identify the disk.
    var devices: (paths: [String], pool: String?) {
        switch type {
        // `tank/home` is a part of the pool `tank`.
        case "zfs": ([], "zfs \(source.prefix { $0 != "/" })")
        // `/dev/sda:/dev/sdb`
        case "bcachefs": (source.split(separator: ":").map(String.init).filter(Self.isDevice), source)
        case _ where Self.isDevice(source): ([source], source)
        default: ([], nil)
        }
    }

    private static func isDevice(_ source: String) -> Bool { source.hasPrefix("/dev/") }
}
