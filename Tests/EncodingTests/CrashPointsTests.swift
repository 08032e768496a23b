internal import TestSupport
internal import Testing

@Suite("Crash points")
struct CrashPointsTests {
    /// The trace that strace writes of a program that reads `reads` times, and then replaces a file.
    private static func trace(reads: Int, writes: Int = 1) -> [String] {
        let read = #"7  read(3</f/in>, "x"..., 9) = 9"#
        let write = [
            #"7  openat(3</f>, ".a.tmp", O_WRONLY|O_CREAT, 0600) = 4</f/.a.tmp>"#,
            #"7  write(4</f/.a.tmp>, "fsync(\"x\""..., 9) = 9"#,
            "7  fsync(4</f/.a.tmp>)              = 0",
            "7  close(4</f/.a.tmp>)              = 0",
            #"7  renameat(3</f>, ".a.tmp", 3</f>, "a") = 0"#,
            "7  fsync(3</f>)                     = 0",
            "7  close(3</f>)                     = 0",
        ]
        return [String](repeating: read, count: reads) + [[String]](repeating: write, count: writes).joined()
            + ["7  +++ exited with 0 +++"]
    }

    private static func points(_ seed: UInt64, reads: Int = 40, writes: Int = 1) -> CrashPoints {
        CrashPoints(trace: trace(reads: reads, writes: writes), extent: .sample(seed: seed))
    }

    @Test("all calls are tried on demand, and a name that the program never calls has none")
    func all() {
        let points = CrashPoints(trace: Self.trace(reads: 5), extent: .all)
        #expect(points.numbers(of: "read") == [1, 2, 3, 4, 5])
        #expect(points.numbers(of: "close") == [1, 2])
        #expect(points.numbers(of: "unlinkat") == [])
        #expect(Self.points(1).numbers(of: "unlinkat") == [])
    }

    @Test("the calls at a boundary and those just before and after it are in every sample")
    func boundaries() {
        for seed in UInt64(0)..<50 {
            let points = Self.points(seed)
            for name in ["fsync", "close"] { #expect(points.numbers(of: name) == [1, 2], "seed \(seed)") }
            for name in ["write", "renameat"] { #expect(points.numbers(of: name) == [1], "seed \(seed)") }
        }
    }

    @Test("a sample has a quarter of the other calls, the same for the same seed; every call is in some sample")
    func others() {
        let samples = (UInt64(0)..<50).map { Self.points($0).numbers(of: "read") }
        #expect(samples.allSatisfy { $0.count == 10 && $0 == $0.sorted() && Set($0).isSubset(of: 1...40) })
        #expect(samples == (UInt64(0)..<50).map { Self.points($0).numbers(of: "read") })
        #expect(Set(samples).count > 1)
        #expect(Set(samples.joined()) == Set(1...40))
    }

    @Test(
        "where boundaries are most of the calls, a sample has each kind of them at each file, and a quarter of the rest"
    )
    func kinds() {
        for seed in UInt64(0)..<50 {
            // Odd numbers are flushes of the file, even ones those of the folder.
            let flushes = Self.points(seed, reads: 0, writes: 9).numbers(of: "fsync")
            #expect(flushes.contains { $0 % 2 == 1 } && flushes.contains { $0 % 2 == 0 }, "seed \(seed)")
            #expect((6...7).contains(flushes.count), "seed \(seed): \(flushes)")
        }
    }

    @Test("a removal that found no file is not a boundary")
    func nothingRemoved() {
        let miss = #"7  unlinkat(3</f>, ".a.tmp", 0) = -1 ENOENT (No such file or directory)"#
        let points = CrashPoints(trace: [String](repeating: miss, count: 8), extent: .sample(seed: 1))
        #expect(points.numbers(of: "unlinkat").count == 2)
    }
}
