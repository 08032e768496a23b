/// The file systems that Linux has mounted (`/proc/self/mountinfo`, proc(5)). Other systems lack the file: the table is empty there.
struct MountTable {
    /// One line of the table.
    struct Mount: Hashable {
        /// The folder in which it is mounted.
        let folder: String
        /// `btrfs`.
        let type: String
        /// The mounted device, such as `/dev/sda2`, or another name that the type of file system gives.
        let source: String
    }

    /// A later one hides an earlier one in the same folder.
    private let mounts: [Mount]

    /// - Parameter text: of the file. A line that is not understood is passed over.
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

    /// What a path lies on.
    ///
    /// - Parameter path: absolute, without symbolic links.
    func mount(of path: String) -> Mount? {
        var best: Mount?
        for mount in mounts where mount.folder == "/" || (path + "/").hasPrefix(mount.folder + "/") {
            if mount.folder.utf8.count >= best?.folder.utf8.count ?? 0 { best = mount }
        }
        return best
    }

    /// A blank, a tab, a line feed and a backslash are written as `\040`, in octal digits.
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
    /// The devices that a file system says it is on, and a name for what they make up together: every subvolume of Btrfs and every
    /// dataset of ZFS has a number of its own (`st_dev`), which tells nothing of the disk.
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
