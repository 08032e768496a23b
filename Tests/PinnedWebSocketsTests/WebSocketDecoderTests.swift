import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport
@testable import PinnedWebSockets

@Suite("Frames of a WebSocket server")
struct WebSocketDecoderTests {
    /// Decodes bytes in pieces of the given sizes, the last again and again.
    private func items(
        _ bytes: [UInt8], limit: Int = 1_000, piece: () -> Int = { 1 << 20 }
    ) throws(WebSocketViolation) -> [WebSocketDecoder.Item] {
        var decoder = WebSocketDecoder(limit: limit)
        var items: [WebSocketDecoder.Item] = []
        var rest = bytes[...]
        repeat {
            decoder.append(rest.prefix(max(1, piece())))
            rest = rest.dropFirst(max(1, piece()))
            while let item = try decoder.next() { items.append(item) }
        } while !rest.isEmpty
        return items
    }

    private func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        switch payload.count {
        case 0..<126: [first, UInt8(payload.count)] + payload
        case 126...0xFFFF: [first, 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
        default: [first, 127, 0, 0, 0, 0] + (0..<4).map { UInt8(payload.count >> (24 - 8 * $0) & 0xFF) } + payload
        }
    }

    @Test("the examples of RFC 6455, section 5.7, are read")
    func examples() throws {
        #expect(try items([0x81, 0x05] + Array("Hello".utf8)) == [.message(.text("Hello"))])
        #expect(
            try items([0x01, 0x03] + Array("Hel".utf8) + [0x80, 0x02] + Array("lo".utf8)) == [.message(.text("Hello"))])
        #expect(try items([0x89, 0x05] + Array("Hello".utf8)) == [.ping(Array("Hello".utf8))])
        for size in [256, 65_536] {
            let payload = [UInt8](repeating: 7, count: size)
            #expect(try items(frame(0x82, payload), limit: 1 << 17) == [.message(.binary(payload))])
        }
    }

    @Test("the client's frames are masked: the examples of RFC 6455, section 5.7, and each length's shortest form")
    func encoded() {
        let hello = WebSocketFrame.encode(.text, Array("Hello".utf8), mask: 0x37FA_213D)
        #expect(hello == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        for (size, head) in [
            (0, [0x82, 0x80]), (125, [0x82, 0xFD]), (126, [0x82, 0xFE, 0, 126]), (65_535, [0x82, 0xFE, 0xFF, 0xFF]),
            (65_536, [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])] {
            let bytes = WebSocketFrame.encode(.binary, Array(repeating: 0, count: size), mask: 0x0102_0304)
            #expect(bytes.starts(with: head + [1, 2, 3, 4]))
            #expect(bytes.count == head.count + 4 + size)
            // The payload of zeros is the mask, again and again.
            #expect(bytes.dropFirst(head.count + 4).enumerated().allSatisfy { $0.element == UInt8($0.offset % 4 + 1) })
        }
    }

    @Test("any pieces of the bytes give the same items")
    func pieces() throws {
        let random = SeededRandom(seed: 7)
        let text = "naïve – 🙂 – Ünïcode"
        var bytes = frame(0x01, Array(text.utf8.prefix(3)))
        bytes += frame(0x89, [1, 2]) + frame(0x00, Array(text.utf8.dropFirst(3).prefix(9)))
        bytes += frame(0x8A, []) + frame(0x00, []) + frame(0x80, Array(text.utf8.dropFirst(12)))
        bytes += frame(0x82, Array(repeating: 9, count: 300)) + frame(0x88, [3, 233] + Array("away".utf8))
        let expected: [WebSocketDecoder.Item] = [
            .ping([1, 2]), .pong([]), .message(.text(text)), .message(.binary(Array(repeating: 9, count: 300))),
            .close(code: 1001),
        ]
        #expect(try items(bytes) == expected)
        #expect(try items(bytes, piece: { 1 }) == expected)
        for _ in 0..<200 {
            let size = 1 + random.below(40)
            #expect(try items(bytes, piece: { size }) == expected, "pieces of \(size)")
        }
    }

    @Test(
        "every violation has its error",
        arguments: [
            ([0xC1, 0x00], .reservedBits), ([0xA1, 0x00], .reservedBits), ([0x91, 0x00], .reservedBits),
            ([0x83, 0x00], .opcode), ([0x8B, 0x00], .opcode), ([0x8F, 0x00], .opcode),
            ([0x81, 0x81, 0, 0, 0, 0, 0x61], .masked), ([0x88, 0x80], .masked),
            ([0x82, 126, 0, 125], .length), ([0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .length),
            ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], .length),
            ([0x09, 0x00], .controlFrame), ([0x08, 0x00], .controlFrame), ([0x89, 126, 0, 126], .controlFrame),
            ([0x00, 0x00], .fragment), ([0x80, 0x00], .fragment), ([0x01, 0x00, 0x81, 0x00], .fragment),
            ([0x01, 0x00, 0x02, 0x00], .fragment), ([0x81, 0x00, 0x80, 0x00], .fragment),
            ([0x82, 126, 0x03, 0xE9], .tooLarge(limit: 1_000)),
            ([0x82, 127, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .tooLarge(limit: 1_000)),
            ([0x81, 0x01, 0xFF], .notUTF8), ([0x81, 0x03, 0xED, 0xA0, 0x80], .notUTF8),
            ([0x81, 0x02, 0xC0, 0x80], .notUTF8),
            ([0x81, 0x01, 0xC3], .notUTF8), ([0x88, 0x03, 0x03, 0xE8, 0xFF], .notUTF8),
            ([0x88, 0x01, 0x03], .closeCode), ([0x88, 0x02, 0x03, 0xE7], .closeCode),
            ([0x88, 0x02, 0x03, 0xEC], .closeCode),
            ([0x88, 0x02, 0x03, 0xED], .closeCode), ([0x88, 0x02, 0x03, 0xEE], .closeCode),
            ([0x88, 0x02, 0x03, 0xF7], .closeCode), ([0x88, 0x02, 0x0B, 0xB7], .closeCode),
            ([0x88, 0x02, 0x13, 0x88], .closeCode), ([0x88, 0x02, 0x00, 0x00], .closeCode),
        ] as [([UInt8], WebSocketViolation)])
    func violations(_ bytes: [UInt8], _ violation: WebSocketViolation) {
        #expect(throws: violation) { try items(bytes) }
        #expect(throws: violation) { try items(bytes, piece: { 1 }) }
    }

    @Test("the limit is for all fragments together, and is checked before a payload is read")
    func limit() throws {
        let half = [UInt8](repeating: 1, count: 500)
        #expect(try items(frame(0x02, half) + frame(0x80, half)) == [.message(.binary(half + half))])
        #expect(throws: WebSocketViolation.tooLarge(limit: 1_000)) {
            try items(frame(0x02, half) + frame(0x00, half) + [0x80, 0x01])
        }
        let empty = (0..<WebSocketLimits.fragments - 1).flatMap { _ in [0x00, 0x00] as [UInt8] }
        #expect(try items([0x02, 0x00] + empty).isEmpty)
        #expect(throws: WebSocketViolation.tooManyFragments) { try items([0x02, 0x00] + empty + [0x80, 0x00]) }
    }
}

@Suite("The upgrade to WebSocket")
struct WebSocketUpgradeTests {
    private static let accept = "Sec-WebSocket-Accept: "

    private func upgrade(headers: [HTTPHeader] = []) throws -> WebSocketUpgrade {
        let origin = try Origin(host: "stream.example.test", port: 9443).required
        return WebSocketUpgrade(
            try WebSocketRequest("/ws?streams=a", at: origin, headers: headers).required, random: SeededRandom(seed: 1))
    }

    @Test("the answer to a key is that of RFC 6455, section 1.3")
    func key() { #expect(WebSocketUpgrade.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") }

    @Test("the request has the headers of the protocol, and offers no extension")
    func request() throws {
        let text = String(
            decoding: try upgrade(headers: [HTTPHeader("X-Key", "k")]).encoded(userAgent: "t"), as: UTF8.self)
        #expect(text.hasPrefix("GET /ws?streams=a HTTP/1.1\r\nHost: stream.example.test:9443\r\n"))
        #expect(
            text.contains("\r\nX-Key: k\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"))
        #expect(!text.lowercased().contains("extensions"))
        #expect(text.hasSuffix("=\r\n\r\n"))
    }

    @Test(
        "headers of the protocol are not the caller's",
        arguments: ["Sec-WebSocket-Key", "sec-websocket-extensions", "Upgrade", "Host"])
    func reserved(_ name: String) throws {
        let origin = try Origin(host: "stream.example.test").required
        #expect(WebSocketRequest("/", at: origin, headers: [HTTPHeader(name, "x")]) == nil)
        #expect(WebSocketRequest("no-slash", at: origin) == nil)
    }

    @Test("an answer in any pieces is read, with the frames behind it")
    func pieces() throws {
        for size in [1, 7, 1_000] {
            var upgrade = try upgrade()
            let request = String(decoding: upgrade.encoded(userAgent: ""), as: UTF8.self)
            let key = try #require(request.split(separator: "Sec-WebSocket-Key: ").last).dropLast(2)
            let answer =
                "HTTP/1.1 101 \r\nupgrade: WebSocket\r\nCONNECTION: a, upgrade\r\n"
                + "Sec-WebSocket-Accept: \(WebSocketUpgrade.accept(String(key)))\r\n\r\n"
            var rest = Array(answer.utf8) + [0x81, 0x00]
            var frames: [UInt8]?
            while !rest.isEmpty, frames == nil {
                if case .upgraded(let bytes)? = try upgrade.append(rest.prefix(size)) { frames = bytes }
                rest.removeFirst(min(size, rest.count))
            }
            #expect(frames.map { $0 + rest } == [0x81, 0x00])
        }
    }

    @Test("an answer with too many headers is refused before its end")
    func manyHeaders() throws {
        var upgrade = try upgrade()
        _ = try upgrade.append(Array("HTTP/1.1 101 \r\n".utf8))
        for _ in 0..<HTTPLimits.answerHeaders { _ = try upgrade.append(Array("a:\r\n".utf8)) }
        #expect(throws: WebSocketHandshakeFault.notHTTP) { _ = try upgrade.append(Array("a:\r\n".utf8)) }
    }

    @Test("no text about a stream's request has its target or the value of a header")
    func descriptions() throws {
        let origin = try Origin(host: "stream.example.test").required
        let request = try WebSocketRequest("/ws/needle", at: origin, headers: [HTTPHeader("A", "needle")]).required
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(request)", String(reflecting: request), dumped] { #expect(!text.contains("needle")) }
    }

    @Test("an answer without an end is refused at the limit")
    func endless() throws {
        var upgrade = try upgrade()
        #expect(throws: WebSocketHandshakeFault.notHTTP) {
            _ = try upgrade.append(Array("HTTP/1.1 101 \r\n".utf8))
            for _ in 0..<1_000 { _ = try upgrade.append(Array("a: \(String(repeating: "b", count: 100))\r\n".utf8)) }
        }
    }
}
