internal import Bitcoin
import Foundation
internal import HDKeys
import Secrets
import TestSupport
import Testing
import Threshold
import Wallet

@testable import Ceremonies
@testable import CeremoniesTestSupport
@testable import Custody
@testable import CustodyTestSupport

/// The state after `fueki psbt sign` is killed, or a system call fails, while it writes the signed file.
@Suite(
    "Crashes while a PSBT is signed",
    .enabled(if: Strace.isUsable || Strace.isRequired, Comment(rawValue: Strace.absence)), .serialized)
struct SigningCrashTests {
    @Test(
        "the signed PSBT is there as a whole, or not at all", arguments: ["signal=KILL", "error=EIO", "error=ENOSPC"])
    func output(_ fault: String) async throws {
        let command = try FuekiCommand()
        let path = command.folder.path
        try command.folder.write(WalletHomeFixture.passphrase + "\n", to: "passphrase")
        try FileManager.default.createDirectory(atPath: "\(path)/out", withIntermediateDirectories: false)
        let wallet = try await WalletCreation(
            name: try WalletName("w"), network: .regtest,
            parameters: try ThresholdParameters(threshold: 2, total: 2),
            places: SharePlaces(backup: "\(path)/backup", recovery: nil), home: WalletHome(path: "\(path)/home")
        ).run()
        let payment = try Payment(from: wallet.account)
        try Data(try payment.psbt.encoded).write(to: URL(fileURLWithPath: "\(path)/in.psbt"))
        let arguments = [
            "psbt", "sign", "w", "in.psbt", "-o", "\(path)/out/signed.psbt", "--with", "device,backup",
            "--passphrase-file", "\(path)/passphrase", "--yes", "--json",
        ]
        func outputs() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: "\(path)/out") }

        // The calls that open files are counted by folder; the others concern only the output.
        for call in ["openat", "write", "fsync", "linkat", "unlinkat"] {
            let files = call == "openat" ? ["\(path)/out/signed.psbt"] : []
            let calm = try Strace.run(command, arguments, on: files)
            #expect(calm.outcome.isSuccess, "\(calm.outcome.errors)")
            try FileManager.default.removeItem(atPath: "\(path)/out/signed.psbt")
            let numbers = CrashPoints(trace: calm.calls).numbers(of: call)
            #expect(!numbers.isEmpty, "the command never calls \(call)")
            var reached = 0
            for number in numbers {
                let injected = "\(call):\(fault):when=\(number)"
                let run = try Strace.run(command, arguments, on: files, injecting: injected)
                // Threads that wake each other write, too, and not equally often in each run: the last calls may not
                // occur.
                reached += run.wasTampered ? 1 : 0
                #expect(run.wasTampered || run.outcome.isSuccess, "\(injected)")
                let there = try outputs()
                if there.contains("signed.psbt") {
                    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(path)/out/signed.psbt")))
                    #expect(try payment.isSigned(in: try PSBT(decoding: bytes)), "\(injected)")
                } else {
                    #expect(!run.outcome.isSuccess, "\(injected)")
                }
                if fault != "signal=KILL", call != "unlinkat" {
                    #expect(there.allSatisfy { $0 == "signed.psbt" }, "\(injected): left behind")
                    // A command that cannot print its result says so (74), although the file exists.
                    if call != "write" {
                        let isDone = run.outcome.isSuccess || run.outcome.status == 74
                        #expect(there.isEmpty != isDone, "\(injected)")
                    }
                }
                for name in there { try FileManager.default.removeItem(atPath: "\(path)/out/\(name)") }
            }
            #expect(reached * 2 > numbers.count, "\(call): most of the faults were never injected")
        }
    }
}
