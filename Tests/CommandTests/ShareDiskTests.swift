internal import Foundation
import TestSupport
import Testing

/// Mounts its own file systems, which the system unmounts when the command ends.
@Suite("Shares on one disk")
struct ShareDiskTests {
    private struct Created: Decodable { let warnings: [String] }
    private struct Checked: Decodable {
        let location: String
        let warnings: [String]
    }

    /// Runs a script in which `fueki` is on the path, and `mounted FOLDER` mounts a memory file system.
    private func run(_ script: String, with fueki: borrowing FuekiCommand) throws -> Program.Outcome {
        let mount = "mounted() { mkdir -p $1 && mount -t tmpfs none $1; }"
        return try Program.run(
            "/usr/bin/unshare", ["-m", "sh", "-c", "set -e; \(mount); \(script)"],
            environment: [
                "PATH": "\(FuekiCommand.binaries):/usr/bin:/bin:/usr/sbin:/sbin",
                "FUEKI_HOME": "\(fueki.folder.path)/home",
            ], in: fueki.folder.path)
    }

    private let create = """
        fueki wallet create w --network regtest --backup-dir usb --recovery-dir safe --passphrase-file passphrase
        """

    @Test("three disks cause no warning, and two places on one disk do", .enabled(if: getuid() == 0))
    func disks() throws {
        for (mounts, expected) in [
            ("mounted usb; mounted safe", []),
            ("mkdir usb; mounted safe", ["(device, backup)"]),
            ("mkdir usb safe", ["(device, backup, recovery)"]),
        ] {
            let fueki = try FuekiCommand()
            try fueki.folder.write("a passphrase that is long enough", to: "passphrase")
            let made = try run("\(mounts); \(create) --json", with: fueki)
            #expect(made.isSuccess, "\(made.errors)")
            let warnings = try JSONDecoder().decode(Created.self, from: Data(made.output.utf8)).warnings
            #expect(warnings.count == expected.count, "\(mounts)")
            for (warning, part) in zip(warnings, expected) { #expect(warning.contains(part), "\(warning)") }
        }
    }

    @Test("a person is warned before the passphrase, and at the end; check reports it for each share")
    func told() throws {
        let fueki = try FuekiCommand()
        try fueki.folder.write("a passphrase that is long enough", to: "passphrase")
        let made = try fueki.run(
            "wallet", "create", "w", "--network", "regtest", "--backup-dir", "usb", "--recovery-dir", "safe",
            "--passphrase-file", "passphrase")
        #expect(made.errors.contains("warning: this machine's disk ("))
        #expect(made.output.contains("holds 3 shares (device, backup, recovery):"))
        let checked: [Checked] = try fueki.json("wallet", "check", "w", "--passphrase-file", "passphrase")
        #expect(checked.count == 3 && checked.allSatisfy { $0.warnings.count == 1 })
        let text = try fueki.run("wallet", "check", "w", "--passphrase-file", "passphrase").output
        #expect(text.contains("they and the passphrase are enough to sign; without them no signature is possible"))
        // A reshare with --yes reports it too.
        let reshared = try fueki.run(
            "wallet", "reshare", "w", "--threshold", "2", "--shares", "3", "--backup-dir", "new", "--yes",
            "--passphrase-file", "passphrase")
        #expect(reshared.isSuccess && reshared.errors.contains("warning: this machine's disk ("), "\(reshared.errors)")
    }
}
