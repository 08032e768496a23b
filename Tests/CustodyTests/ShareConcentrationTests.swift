import Foundation
internal import HDKeys
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

@Suite("Places that hold too many shares")
struct ShareConcentrationTests {
    private static let home = WalletHome(path: "/home/ann/.fueki")
    private static let device = "/home/ann/.fueki/wallets/known/device.vault"

    private func findings(
        _ threshold: Int, at paths: [String], on disks: Disks = Disks { _ in nil }
    ) throws -> PlaceFindings {
        let record = try KnownWallet(threshold: threshold, total: paths.count).record
        let places = zip(record.shares.map(\.location), paths).map { ($0, $1) }
        return record.with(sharesAt: Dictionary(uniqueKeysWithValues: places)).placeFindings(in: Self.home, on: disks)
    }

    private func crowded(
        _ threshold: Int, at paths: [String], on disks: Disks = Disks { _ in nil }
    ) throws -> [ShareConcentration] { try findings(threshold, at: paths, on: disks).crowded }

    @Test("three places for three shares cause no warning; the home is one place, whatever its folders")
    func home() throws {
        #expect(try crowded(2, at: [Self.device, "/usb/b.vault", "/safe/r.vault"]).isEmpty)
        #expect(
            try crowded(2, at: [Self.device, "/usb/b.vault", "/home/ann/.fueki/recovery/r.vault"]) == [
                ShareConcentration(
                    folders: ["/home/ann/.fueki"], shares: [.device, .recovery], suffices: true, isIndispensable: true)
            ])
        // A folder whose name only begins like the home's is another place.
        #expect(try crowded(2, at: [Self.device, "/usb/b.vault", "/home/ann/.fueki2/r.vault"]).isEmpty)
    }

    @Test("a place with a threshold of shares is reported, and so is one without which the others cannot sign")
    func folders() throws {
        let paths = [Self.device, "/usb/b.vault", "/safe/r.vault", "/usb/4.vault", "/safe/5.vault"]
        #expect(try crowded(3, at: paths).isEmpty)
        #expect(
            try crowded(2, at: paths) == [
                ShareConcentration(
                    folders: ["/usb"], shares: [.backup, .further(index: 4)], suffices: true, isIndispensable: false),
                ShareConcentration(
                    folders: ["/safe"], shares: [.recovery, .further(index: 5)], suffices: true, isIndispensable: false),
            ])
        #expect(
            try crowded(4, at: paths).map(\.isIndispensable) == [true, true])
    }

    @Test("where all shares are needed, each place is indispensable, which the person chose")
    func all() throws {
        #expect(try crowded(3, at: [Self.device, "/usb/b.vault", "/safe/r.vault"]).isEmpty)
        #expect(try crowded(2, at: [Self.device, "/home/ann/.fueki/b.vault"]).map(\.suffices) == [true])
    }

    /// Every path exists, on the file system of the longest of these folders that contains it.
    private func disks(_ mounts: [String: Disks.FileSystem]) -> Disks {
        Disks { path in
            mounts.filter { $0.key == "/" || (path + "/").hasPrefix($0.key + "/") }.max { $0.key.count < $1.key.count }?
                .value
        }
    }
    private let one = Disks.FileSystem(number: 1, disks: ["sda"])
    private let two = Disks.FileSystem(number: 2, disks: ["sdb"])
    private let three = Disks.FileSystem(number: 3, disks: ["sdc"])
    private let paths = [device, "/media/usb/b.vault", "/media/safe/r.vault"]

    @Test("three places on one file system are one place, and three on three cause no warning")
    func oneDisk() throws {
        #expect(try crowded(2, at: paths, on: disks(["/": one, "/media/usb": two, "/media/safe": three])).isEmpty)
        let found = try crowded(2, at: paths, on: disks(["/": one]))
        #expect(found.map(\.folders) == [["/home/ann/.fueki", "/media/usb", "/media/safe"]])
        #expect(found.map(\.shares) == [[.device, .backup, .recovery]])
        #expect(found.map(\.suffices) == [true] && found.map(\.isIndispensable) == [true])
        // Two folders of one stick.
        let stick = try crowded(2, at: paths, on: disks(["/": one, "/media": two]))
        #expect(stick.map(\.folders) == [["/media/usb", "/media/safe"]])
        #expect(stick.map(\.shares) == [[.backup, .recovery]])
        // With 3 of 5, two shares on one disk are not too many.
        let five = paths + ["/media/usb/4.vault", "/elsewhere/5.vault"]
        let apart = ["/": one, "/media/usb": two, "/media/safe": three]
        #expect(try crowded(3, at: five, on: disks(apart)).isEmpty)
    }

    @Test("partitions of one disk are one place, and so is a volume with each of its disks")
    func oneDiskWithParts() throws {
        let partition = Disks.FileSystem(number: 4, disks: ["sda"])
        let volume = Disks.FileSystem(number: 5, disks: ["sdb", "sdc"])
        let parts = try crowded(2, at: paths, on: disks(["/": one, "/media/usb": partition, "/media/safe": three]))
        #expect(parts.map(\.shares) == [[.device, .backup]])
        let joined = try crowded(3, at: paths, on: disks(["/": two, "/media/usb": three, "/media/safe": volume]))
        #expect(joined.map(\.shares) == [[.device, .backup, .recovery]])
    }

    @Test("a share that is absent now is on no known disk")
    func notThere() throws {
        let files = disks(["/": one])
        let away = Disks { path in path.hasPrefix("/media/") ? nil : files.fileSystem(path) }
        #expect(try findings(2, at: paths, on: away) == findings(2, at: paths))
        #expect(try findings(2, at: paths, on: away).unmounted.isEmpty)
    }

    @Test(
        "an empty place for sticks is noticed, and one with something mounted is not",
        arguments: ["/media/usb", "/media/ann/usb", "/mnt", "/mnt/usb", "/run/media/ann/usb", "/Volumes/USB"])
    func unmounted(folder: String) throws {
        let shares = [Self.device, "\(folder)/b.vault", "/safe/r.vault"]
        let system: [String: Disks.FileSystem] = ["/": one, "/run": two, "/safe": three]
        let found = try findings(2, at: shares, on: disks(system)).unmounted
        #expect(found == [PlaceFindings.Unmounted(folder: folder, shares: [.backup])])
        let stick = Disks.FileSystem(number: 9)
        let mounted = system.merging([folder: stick]) { $1 }
        #expect(try findings(2, at: shares, on: disks(mounted)).unmounted.isEmpty)
        #expect(try findings(2, at: shares, on: disks(mounted)).crowded.isEmpty)
    }

    @Test("a folder elsewhere may be on the system's disk")
    func elsewhere() throws {
        for folder in ["/home/ann/media/usb", "/mediatheque", "/mnt2/usb", "/srv/shares"] {
            #expect(!disks(["/": one]).isUnmounted(folder), "\(folder)")
        }
    }

    @Test("before a wallet is made, a missing folder counts as one on the disk of its parent")
    func planned() throws {
        let there = disks(["/": one, "/media/safe": three])
        let some = Disks { path in path.hasPrefix("/media/usb") ? nil : there.fileSystem(path) }
        let creation = WalletCreation(
            name: try WalletName("known"), network: .regtest,
            parameters: try ThresholdParameters(threshold: 2, total: 3),
            places: SharePlaces(backup: "/media/usb/deep/down", recovery: "/media/safe"), home: Self.home)
        let findings = creation.placeFindings(on: some)
        #expect(findings.crowded.map(\.shares) == [[.device, .backup]])
        #expect(findings.unmounted.map(\.folder) == ["/media/usb/deep/down"])
        #expect(findings.only(about: .recovery).crowded.isEmpty && findings.only(about: .recovery).unmounted.isEmpty)
        #expect(findings.only(about: .backup) == findings)
    }

    @Test("Linux reports the disk of a partition, and the disks of a volume")
    func blockDevices() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        for path in ["devices/sda/sda1", "devices/sdb", "devices/dm-0/slaves", "devices/dm-1/slaves", "block"] {
            try files.createDirectory(atPath: "\(folder.path)/\(path)", withIntermediateDirectories: true)
        }
        try folder.write("1", to: "devices/sda/sda1/partition")
        let links = [
            "block/8:1": "devices/sda/sda1", "block/8:16": "devices/sdb", "block/253:0": "devices/dm-0",
            "block/253:300": "devices/dm-1", "devices/dm-0/slaves/sda1": "devices/sda/sda1",
            "devices/dm-1/slaves/dm-0": "devices/dm-0", "devices/dm-1/slaves/sdb": "devices/sdb",
        ]
        for (link, target) in links {
            try files.createSymbolicLink(
                atPath: "\(folder.path)/\(link)", withDestinationPath: "\(folder.path)/\(target)")
        }
        // A loop, which no system has.
        try files.createSymbolicLink(
            atPath: "\(folder.path)/devices/dm-1/slaves/dm-1", withDestinationPath: "\(folder.path)/devices/dm-1")
        let devices = BlockDevices(at: "\(folder.path)/block")
        func names(_ major: UInt64, _ minor: UInt64) -> Set<String> {
            let number = minor & 0xFF | major << 8 | (minor & ~0xFF) << 12
            return Set(devices.disks(of: number).map { String($0.split(separator: "/").last ?? "") })
        }
        #expect(names(8, 1) == ["sda"] && names(8, 16) == ["sdb"] && names(253, 0) == ["sda"])
        #expect(names(253, 300) == ["sda", "sdb"])
        #expect(names(0, 45) == [])
    }

    private static let mounts = MountTable(
        """
        22 1 0:33 /@ / rw,relatime shared:1 - btrfs /dev/sda2 rw,subvol=/@
        23 22 0:33 /@home /home rw shared:2 - btrfs /dev/sda2 rw,subvol=/@home
        24 22 0:40 /@safe /media/safe rw - btrfs /dev/sda2 rw,subvol=/@safe
        25 22 8:33 / /media/my\\040stick rw - vfat /dev/sdc1 rw
        26 22 0:50 / /tank/a rw - zfs tank/a rw
        27 22 0:51 / /tank/b rw - zfs tank/b rw
        28 22 0:52 / /pond rw - zfs pond rw
        29 22 0:60 / /run rw - tmpfs tmpfs rw
        30 22 0:61 / /tmp rw - tmpfs tmpfs rw
        31 22 8:49 / /mnt rw - ext4 /dev/sdd1 rw
        32 31 8:65 / /mnt rw - ext4 /dev/sde1 rw
        not a mount
        """)

    private func fileSystem(_ path: String, number: UInt64, in folder: String) -> Disks.FileSystem {
        let numbers: [String: UInt64] = ["/dev/sda2": 8 << 8 | 2, "/dev/sdb1": 8 << 8 | 17, "/dev/sdc1": 8 << 8 | 33]
        return Disks.FileSystem(
            number: number, mount: Self.mounts.mount(of: path), BlockDevices(at: "\(folder)/block"),
            BtrfsDevices(at: "\(folder)/btrfs")
        ) { numbers[$0] }
    }

    @Test("subvolumes of one Btrfs and datasets of one ZFS pool are on one disk, whatever their numbers are")
    func subvolumes() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.path
        let files = FileManager.default
        for path in ["devices/sda/sda2", "devices/sdb/sdb1", "devices/sdc/sdc1", "block", "btrfs/uuid/devices"] {
            try files.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
        }
        for (disk, link) in [("sda/sda2", "8:2"), ("sdb/sdb1", "8:17"), ("sdc/sdc1", "8:33")] {
            try temporary.write("1", to: "devices/\(disk)/partition")
            try files.createSymbolicLink(
                atPath: "\(folder)/block/\(link)", withDestinationPath: "\(folder)/devices/\(disk)")
        }
        let home = fileSystem("/home/ann", number: 33, in: folder)
        let safe = fileSystem("/media/safe/deep", number: 40, in: folder)
        let stick = fileSystem("/media/my stick", number: 8 << 8 | 33, in: folder)
        #expect(home.isOnOneDisk(with: safe) && !home.isOnOneDisk(with: stick) && !safe.isOnOneDisk(with: stick))
        #expect(home.disks.contains { $0.hasSuffix("/sda") })
        // A folder for sticks that is a subvolume of the system's disk, with a number of its own and nothing mounted in
        // it.
        let subvolume = fileSystem("/media/usb", number: 41, in: folder)
        let root = fileSystem("/", number: 33, in: folder)
        #expect(Disks { $0.hasPrefix("/media/usb") ? subvolume : root }.isUnmounted("/media/usb"))
        #expect(!Disks { $0.hasPrefix("/media/safe") ? safe : root }.isUnmounted("/media/safe"))
        // One common disk of two is enough.
        for name in ["sda2", "sdb1"] { try temporary.write("", to: "btrfs/uuid/devices/\(name)") }
        let other = Disks.FileSystem(number: 8 << 8 | 18, disks: ["\(folder)/devices/sdb"])
        #expect(fileSystem("/home/ann", number: 33, in: folder).disks.contains { $0.hasSuffix("/sdb") })
        #expect(fileSystem("/home/ann", number: 33, in: folder).isOnOneDisk(with: other))
        let (one, two) = (fileSystem("/tank/a", number: 50, in: folder), fileSystem("/tank/b", number: 51, in: folder))
        #expect(one.isOnOneDisk(with: two) && !one.isOnOneDisk(with: fileSystem("/pond", number: 52, in: folder)))
        let memory = [("/run", 60), ("/tmp", 61)].map { fileSystem($0.0, number: $0.1, in: folder) }
        #expect(!memory[0].isOnOneDisk(with: memory[1]))
        // The last file system mounted at a folder is the visible one.
        #expect(Self.mounts.mount(of: "/mnt/x")?.source == "/dev/sde1")
    }

    @Test("on the real machine, a folder and its files are on one disk, and a memory file system is another")
    func real() throws {
        let folder = try TemporaryFolder()
        let home = try #require(Disks.real.fileSystem(folder.path))
        #expect(Disks.real.fileSystem(ofFolder: "\(folder.path)/not/there") == home)
        #expect(Disks.real.fileSystem("\(folder.path)/not") == nil)
        guard let memory = Disks.real.fileSystem("/dev/shm"), memory.number != home.number else { return }
        #expect(!memory.isOnOneDisk(with: home))
    }

    @Test("shares after the third are put into the two folders alternately")
    func turns() throws {
        let places = SharePlaces(backup: "/usb", recovery: "/safe")
        let name = try WalletName("known")
        let folders = (1...7).map { places.folder(of: ShareLocation(index: $0), of: name, in: Self.home) }
        #expect(folders == ["/home/ann/.fueki/wallets/known", "/usb", "/safe", "/usb", "/safe", "/usb", "/safe"])
    }
}
