internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Tells on which disk a folder lies. A value, so that tests need no disks.
public struct Disks: Sendable {
    /// A mounted file system.
    public struct FileSystem: Hashable, Sendable {
        /// The system's number of it (`st_dev`). Two folders with one number are on one disk for sure; two subvolumes of one Btrfs
        /// have two numbers.
        let number: UInt64
        /// The names of the disks that its blocks are on, as far as the system tells: partitions of one disk share its name.
        let disks: Set<String>
        /// The folder in which it is mounted, where the system tells.
        let mountFolder: String?

        /// Creates a file system, for tests.
        public init(number: UInt64, disks: Set<String> = [], mountFolder: String? = nil) {
            self.number = number
            self.disks = disks
            self.mountFolder = mountFolder
        }

        func isOnOneDisk(with other: FileSystem) -> Bool {
            number == other.number || !disks.isDisjoint(with: other.disks)
        }

        /// Whether a folder and one above it lie on the same mount.
        func isSameMount(as other: FileSystem) -> Bool {
            number == other.number || (mountFolder != nil && mountFolder == other.mountFolder)
        }
    }

    /// The file system of a path that is there, after symbolic links; nothing if there is none.
    let fileSystem: @Sendable (_ path: String) -> FileSystem?
    /// Folders in which sticks and disks are mounted, each with the folder that it is part of.
    private let mountFolders: [String: String]

    /// - Parameter mountFolders: folders in which sticks and disks are mounted, each with one that lies outside.
    public init(
        mountFolders: [String: String] = ["/media": "/", "/mnt": "/", "/run/media": "/run", "/Volumes": "/"],
        fileSystem: @escaping @Sendable (_ path: String) -> FileSystem?
    ) {
        self.mountFolders = mountFolders
        self.fileSystem = fileSystem
    }

    /// Those of this machine.
    public static let real = Disks { path in
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let text = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        return FileSystem(
            number: UInt64(truncatingIfNeeded: status.st_dev),
            mount: MountTable(text).mount(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path),
            BlockDevices(at: "/sys/dev/block"), BtrfsDevices(at: "/sys/fs/btrfs")
        ) { device in
            var status = stat()
            guard stat(device, &status) == 0, status.st_mode & S_IFMT == S_IFBLK else { return nil }
            return UInt64(truncatingIfNeeded: status.st_rdev)
        }
    }

    /// Where a folder lies, or will lie once it is made.
    func fileSystem(ofFolder path: String) -> FileSystem? {
        var path = path
        while true {
            if let found = fileSystem(path) { return found }
            guard path.count > 1, let slash = path.lastIndex(of: "/") else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    /// Whether there is such a folder now.
    public func isThere(_ folder: String) -> Bool { fileSystem(folder) != nil }

    /// Whether a folder is in a place for sticks and disks, and none is mounted there: what is written to it lies on the disk of
    /// the system.
    public func isUnmounted(_ folder: String) -> Bool {
        let folder = absolutePath(folder)
        guard let above = mountFolders.first(where: { (folder + "/").hasPrefix($0.key + "/") })?.value,
            let own = fileSystem(ofFolder: folder), let system = fileSystem(above)
        else { return false }
        return own.isSameMount(as: system)
    }
}

extension Disks.FileSystem {
    /// What the system tells of a path.
    ///
    /// - Parameters:
    ///   - number: `st_dev`.
    ///   - mount: what the path lies on; nil where the system does not tell.
    ///   - deviceNumber: the number of a block device, by its path.
    init(
        number: UInt64, mount: MountTable.Mount?, _ devices: BlockDevices, _ btrfs: BtrfsDevices,
        deviceNumber: (String) -> UInt64?
    ) {
        var disks = devices.disks(of: number)
        if let mount {
            let (paths, pool) = mount.devices
            // The name of the device alone is enough where nothing more is told of it.
            if let pool { disks.insert(pool) }
            for path in mount.type == "btrfs" ? paths.flatMap(btrfs.all) : paths {
                if let number = deviceNumber(path) { disks.formUnion(devices.disks(of: number)) }
            }
        }
        self.init(number: number, disks: disks, mountFolder: mount?.folder)
    }
}

/// What Linux tells of each Btrfs: a folder with the names of all its devices. The table of mounts names one of them.
struct BtrfsDevices {
    private let path: String

    init(at path: String) { self.path = path }

    /// The devices of the file system that a device is one of.
    func all(with device: String) -> [String] {
        let files = FileManager.default
        let name = URL(fileURLWithPath: device).resolvingSymlinksInPath().lastPathComponent
        for identifier in (try? files.contentsOfDirectory(atPath: path)) ?? [] {
            let names = (try? files.contentsOfDirectory(atPath: "\(path)/\(identifier)/devices")) ?? []
            if names.contains(name) { return names.map { "/dev/\($0)" } }
        }
        return [device]
    }
}

/// What Linux tells of block devices: a link for each number, a partition's below its disk's, and for one that is made of others
/// (encryption, volumes) links to those. On other systems there is no such folder, and nothing is told.
struct BlockDevices {
    private let path: String
    /// Of devices that are made of others.
    private static let depth = 8

    init(at path: String) { self.path = path }

    /// The disks that a device is on.
    func disks(of number: UInt64) -> Set<String> {
        // As glibc packs them into `st_dev`.
        let major = (number >> 8) & 0xFFF | (number >> 32) & 0xFFFF_F000
        let minor = number & 0xFF | (number >> 12) & 0xFFFF_FF00
        return disks(behind: "\(path)/\(major):\(minor)", Self.depth)
    }

    private func disks(behind link: String, _ depth: Int) -> Set<String> {
        let files = FileManager.default
        guard depth > 0, files.fileExists(atPath: link) else { return [] }
        let device = URL(fileURLWithPath: link).resolvingSymlinksInPath()
        let parts = (try? files.contentsOfDirectory(atPath: "\(device.path)/slaves")) ?? []
        if !parts.isEmpty {
            return parts.reduce(into: []) { $0.formUnion(disks(behind: "\(device.path)/slaves/\($1)", depth - 1)) }
        }
        let isPartition = files.fileExists(atPath: "\(device.path)/partition")
        return [isPartition ? device.deletingLastPathComponent().path : device.path]
    }
}
