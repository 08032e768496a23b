internal import Foundation
internal import TestSupport
internal import Testing

@Suite(
    "Core dumps", .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/limits"), "there is no /proc here"))
struct CoreDumpTests {
    @Test("the command disables core dumps for itself, whatever the shell allows")
    func forbidden() throws {
        let folder = try TemporaryFolder()
        // The command waits for its input while its limits are read.
        let outcome = try Program.run(
            "/bin/sh",
            [
                "-c",
                """
                ulimit -S -c unlimited
                mkfifo input
                '\(FuekiCommand.binaries)/fueki' psbt inspect - <input >/dev/null 2>&1 &
                exec 3>input
                # It forbids them before it reads: by then they stay forbidden.
                until grep -q 'core file size *0 *0' /proc/$!/limits || ! kill -0 $!; do sleep 0.05; done
                grep 'core file' /proc/self/limits /proc/$!/limits
                exec 3>&-
                wait
                """,
            ], in: folder.path)
        let limits = outcome.output.split(separator: "\n").map {
            $0.split(separator: " ").drop { !$0.hasSuffix("size") }.dropFirst().prefix(2).map(String.init)
        }
        #expect(limits.count == 2)
        #expect(limits.first?.first != "0", "the control: the shell allows them")
        #expect(limits.last == ["0", "0"])
    }
}
