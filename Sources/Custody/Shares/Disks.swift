internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Finds the disk that a folder is on. It is a value, so that tests need no disks.
public struct Disks: Sendable {
    /// A mounted file system.
    public struct FileSystem: Hashable, Sendable {
        /// The system's number of the file system (`st_dev`). Two folders with one number are on one disk; two
        /// subvolumes of one Btrfs have two numbers.
        let number: UInt64
        /// The names of the disks that it is on, as far as the system reports them: partitions of one disk share its
        /// name.
        let disks: Set<String>
        /// The mount point, if the system reports it.
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

        /// Returns whether a folder and one of its parents are on the same mount.
        func isSameMount(as other: FileSystem) -> Bool {
            number == other.number || (mountFolder != nil && mountFolder == other.mountFolder)
        }
    }

    /// Returns the file system of an existing path, after symbolic links; nil if the path does not exist.
    let fileSystem: @Sendable (_ path: String) -> FileSystem?
    /// Folders in which sticks and disks are mounted, each with its parent folder outside.
    private let mountFolders: [String: String]

    /// Creates a view of this machine's disks.
    ///
    /// - Parameter mountFolders: folders in which sticks and disks are mounted, each with a folder that is outside.
    public init(
        mountFolders: [String: String] = ["/media": "/", "/mnt": "/", "/run/media": "/run", "/Volumes": "/"],
        fileSystem: @escaping @Sendable (_ path: String) -> FileSystem?
    ) {
        self.mountFolders = mountFolders
        self.fileSystem = fileSystem
    }

    /// The disks of this machine.
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

    /// Returns the file system on which a folder is, or will be once it is made.
    func fileSystem(ofFolder path: String) -> FileSystem? {
        var path = path
        while true {
            if let found = fileSystem(path) { return found }
            guard path.count > 1, let slash = path.lastIndex(of: "/") else { return nil }
            path = slash == path.startIndex ? "/" : String(path[..<slash])
        }
    }

    /// Returns whether the folder exists now.
    public func isThere(_ folder: String) -> Bool { fileSystem(folder) != nil }

    /// Returns whether a folder is under a mount point of sticks and disks with nothing mounted there: its files are
    /// then on the system's disk.
    public func isUnmounted(_ folder: String) -> Bool {
        let folder = absolutePath(folder)
        guard let above = mountFolders.first(where: { (folder + "/").hasPrefix($0.key + "/") })?.value,
            let own = fileSystem(ofFolder: folder), let system = fileSystem(above)
        else { return false }
        return own.isSameMount(as: system)
    }
}

extension Disks.FileSystem {
    /// Makes a file system from the system's data about a path.
    ///
    /// - Parameters:
    ///   - number: `st_dev`.
    ///   - mount: the mount that the path is on; nil if the system does not report it.
    ///   - deviceNumber: returns the number of a block device, given its path.
    init(
        number: UInt64, mount: MountTable.Mount?, _ devices: BlockDevices, _ btrfs: BtrfsDevices,
        deviceNumber: (String) -> UInt64?
    ) {
        var disks = devices.disks(of: number)
        if let mount {
            let (paths, pool) = mount.devices
            // The device's name suffices if the system reports nothing more about it.
            if let pool { disks.insert(pool) }
            for path in mount.type == "btrfs" ? paths.flatMap(btrfs.all) : paths {
                if let number = deviceNumber(path) { disks.formUnion(devices.disks(of: number)) }
            }
        }
        self.init(number: number, disks: disks, mountFolder: mount?.folder)
    }
}

/// Linux' list of each Btrfs: a folder with the names of all its devices. The mount table names one of them.
struct BtrfsDevices {
    private let path: String

    init(at path: String) { self.path = path }

    /// Returns all devices of the file system that this device belongs to.
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

/// Linux' list of block devices: a link for each number, with a partition's below its disk's. A composed device
/// (encryption, volumes) has links to the devices below it. Other systems have no such folder, and the list is empty
/// there.
struct BlockDevices {
    private let path: String
    /// The maximum depth of composed devices.
    private static let depth = 8

    init(at path: String) { self.path = path }

    /// Returns the disks that a device is on.
    func disks(of number: UInt64) -> Set<String> {
        // The numbers as glibc packs them into `st_dev`.
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
