internal import Foundation
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import ServerHTTP

@Suite("The log")
struct LogWriterTests {
    private static func line(_ number: Int) -> [UInt8] { Array("line \(number)\n".utf8) }

    private static func writer(_ descriptor: Int32, capacity: Int = 1 << 16) -> LogWriter {
        LogWriter(to: descriptor, capacity: capacity) { Array("dropped \($0)\n".utf8) }
    }

    /// The contents of a log of lines numbered from 0 on.
    private struct Account {
        /// The lines that are present.
        var kept = 0
        /// The lines that are reported as missing.
        var missing = 0

        /// Checks that each line is present or reported as missing at its position.
        init(_ text: String) throws {
            #expect(text.isEmpty || text.hasSuffix("\n"), "the last line has no end")
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                let number = try #require(words.last.flatMap { Int($0) }, "\(line)")
                switch words.first {
                case "line":
                    try #require(
                        number == kept + missing, "\(line), after \(kept) lines and \(missing) that are missing")
                    kept += 1
                case "dropped": missing += number
                default: Issue.record("\(line)")
                }
            }
        }
    }

    /// The two ends of a pipe.
    private struct Pipe: ~Copyable {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
        }

        /// Fills the pipe with empty lines, which ``Account`` ignores: until the reader takes some, no write succeeds.
        func fill() throws {
            let flags = fcntl(writing, F_GETFL)
            try #require(fcntl(writing, F_SETFL, flags | O_NONBLOCK) == 0)
            let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: 4_096)
            for size in [lines.count, 1] {
                while write(writing, lines, size) > 0 {}
                try #require(errno == EAGAIN)
            }
            try #require(fcntl(writing, F_SETFL, flags) == 0)
        }

        /// Reads until the other end is closed.
        func rest() -> String { LogWriterTests.rest(of: reading) }
    }

    private static func rest(of descriptor: Int32) -> String {
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
    }

    @Test("the log contains every line, in order")
    func order() throws {
        let pipe = try Pipe()
        let writer = Self.writer(pipe.writing)
        for number in 0..<1_000 { writer.write(Self.line(number)) }
        #expect(writer.flush(within: Double(Patience.seconds)))
        close(pipe.writing)
        let account = try Account(pipe.rest())
        #expect(account.kept == 1_000)
        #expect(account.missing == 0 && writer.dropped == 0)
    }

    @Test(
        "does not wait for a reader that stalls: lines beyond its room are dropped, counted, and told of in their place"
    )
    func stalledReader() async throws {
        let pipe = try Pipe()
        // A pipe with room would take the lines that wait, at a moment that the system chooses.
        try pipe.fill()
        let writer = Self.writer(pipe.writing)
        let count = 100_000
        // Much more than the queue holds. If writing waited, the test would not end.
        for number in 0..<count { writer.write(Self.line(number)) }
        let dropped = writer.dropped
        #expect(dropped > count / 2)
        #expect(!writer.flush(within: 0), "the reader has not read yet")

        // The reader continues: queued lines arrive, then new ones, with a line about the gap.
        let text = Mutex("")
        let reading = pipe.reading
        let reader = Thread { text.withLock { $0 = Self.rest(of: reading) } }
        reader.start()
        #expect(writer.flush(within: Double(Patience.seconds)))
        writer.write(Self.line(count))
        #expect(writer.flush(within: Double(Patience.seconds)))
        close(pipe.writing)
        try await Patience.wait(for: "the reader") { reader.isFinished }
        let account = try Account(text.withLock { $0 })
        #expect(account.kept == count + 1 - dropped)
        #expect(account.missing == dropped && writer.dropped == dropped)
    }

    @Test("the log continues without a reader, and with the next one")
    func readerIsGone() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/log"
        try #require(mkfifo(path, 0o600) == 0)
        let first = open(path, O_RDONLY | O_NONBLOCK)
        let writing = open(path, O_WRONLY)
        try #require(first >= 0 && writing >= 0)
        let writer = Self.writer(writing)
        close(first)
        for number in 0..<10 {
            writer.write(Self.line(number))
            #expect(writer.flush(within: Double(Patience.seconds)))
        }
        #expect(writer.dropped == 10)
        let second = open(path, O_RDONLY | O_NONBLOCK)
        writer.write(Self.line(10))
        #expect(writer.flush(within: Double(Patience.seconds)))
        close(writing)
        let account = try Account(Self.rest(of: second))
        #expect(account.kept == 1 && account.missing == 10)
    }

    @Test("the log continues after a full disk")
    func noRoom() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        let writer = Self.writer(full)
        for number in 0..<100 { writer.write(Self.line(number)) }
        #expect(writer.flush(within: Double(Patience.seconds)))
        #expect(writer.dropped == 100)
        close(full)
    }

    @Test("a non-blocking descriptor loses no lines")
    func nonBlocking() async throws {
        let pipe = try Pipe()
        try #require(fcntl(pipe.writing, F_SETFL, O_NONBLOCK) == 0)
        let writer = Self.writer(pipe.writing, capacity: 8 << 20)
        for number in 0..<50_000 { writer.write(Self.line(number)) }
        let text = Mutex("")
        let reading = pipe.reading
        let reader = Thread { text.withLock { $0 = Self.rest(of: reading) } }
        reader.start()
        #expect(writer.flush(within: Double(Patience.seconds)))
        close(pipe.writing)
        try await Patience.wait(for: "the reader") { reader.isFinished }
        let account = try Account(text.withLock { $0 })
        #expect(account.kept == 50_000 && account.missing == 0)
    }
}
