internal import Encoding
internal import Secrets
internal import StoreTestSupport
internal import Testing
internal import Time

@testable internal import ServerHTTP

@Suite("Lines of the log")
struct LogLineTests {
    @Test("a request's line has the members that log collectors know")
    func golden() {
        var line = LogLine(at: now, LogTimes(), level: "info", message: "request")
        RequestRecord(
            method: "POST", route: "/api/auth/token", status: 429, microseconds: 1_234_056, bytes: 0,
            address: "2001:db8:0:0::/64", id: "0123456789abcdef", limit: "address", code: "rate_limited"
        ).add(to: &line)
        #expect(
            String(decoding: line.finish(), as: UTF8.self) == """
                {"at":"2025-11-24T16:00:00.123Z","level":"info","message":"request","method":"POST",\
                "route":"/api/auth/token","status":429,"ms":1234.056,"bytes":0,"address":"2001:db8:0:0::/64",\
                "request_id":"0123456789abcdef","code":"rate_limited","limit":"address"}

                """)
    }

    @Test("unknown members of a request's line are left out")
    func optionals() throws {
        var line = LogLine(at: now, LogTimes(), level: "info", message: "request")
        RequestRecord(
            method: "GET", route: "none", status: 200, microseconds: 0, bytes: nil, address: nil, id: "a"
        ).add(to: &line)
        let json = try JSON(decoding: line.finish().dropLast())
        #expect(
            json.object?.members.map(\.name) == [
                "at", "level", "message", "method", "route", "status", "ms", "request_id",
            ])
    }

    @Test("any text is escaped to one line of JSON, and reads back as the same text")
    func escapes() throws {
        let texts = [
            "", "plain", "\"quoted\"", "back\\slash", "line\nfeed\r\n", "\u{0}\u{1}\u{1f}\u{7f}", "\u{1b}[2J",
            "Grüße, 世界 👋", "\u{2028}", String(repeating: "x", count: 5_000),
        ]
        for text in texts {
            var line = LogLine(at: now, LogTimes(), level: "info", message: text)
            line.add("member", text)
            line.add(named: text + "!", text)
            let bytes = line.finish()
            #expect(bytes.filter { $0 == UInt8(ascii: "\n") }.count == 1 && bytes.last == UInt8(ascii: "\n"))
            #expect(!bytes.dropLast().contains { $0 < 0x20 || $0 == 0x7f })
            let json = try JSON(decoding: Array(bytes.dropLast()), limit: 1 << 20)
            #expect(json["message"]?.string == text)
            #expect(json["member"]?.string == text)
            #expect(json[text + "!"]?.string == text)
        }
    }

    @Test("numbers are written in decimal", arguments: [Int64.min, -1, 0, 7, 1_000, .max])
    func numbers(_ number: Int64) throws {
        var line = LogLine(at: now, LogTimes(), level: "info", message: "m")
        line.add("number", number)
        line.add("ms", milliseconds: number)
        let text = String(decoding: line.finish(), as: UTF8.self)
        #expect(text.contains("\"number\":\(number),"))
        let whole = max(0, number)
        let rest = "00\(whole % 1000)".suffix(3)
        #expect(text.hasSuffix("\"ms\":\(whole / 1000).\(rest)}\n"))
    }

    @Test(
        "moments are in UTC, and the kept second is not another one's",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_399_999, "2000-02-28T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_764_000_000_123, "2025-11-24T16:00:00.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (253_402_300_799_001, "9999-12-31T23:59:59.001Z"),
        ] as [(Int64, String)])
    func times(_ milliseconds: Int64, _ text: String) {
        let times = LogTimes()
        for other in [milliseconds, milliseconds + 1_000, milliseconds] {
            var bytes: [UInt8] = []
            times.append(Timestamp(milliseconds: other), to: &bytes)
            let made = String(decoding: bytes, as: UTF8.self)
            #expect((made == text) == (other == milliseconds), "\(made)")
        }
    }

    @Test("ids are 32 hexadecimal digits, and no two are equal")
    func ids() async {
        let ids = RequestIDs(random: SystemRandom())
        let made = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { (0..<1_000).map { _ in ids.next() } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(made).count == 4_000)
        #expect(made.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{32}/) != nil })
    }
}
