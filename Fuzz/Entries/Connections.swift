internal import Encoding
internal import X509

@testable internal import PinnedHTTP
@testable internal import PinnedWebSockets

extension FuzzEntry {
    /// Answers of servers and proxies, and pin policies.
    static let connections: [FuzzEntry] = [
        // The first byte is the size of the pieces.
        FuzzEntry("http-answer", seeds: SeedAnswer.all.map { [7] + $0.utf8 }) { input in
            guard let size = input.first, size > 0 else { return nil }
            var decoder = AnswerDecoder(toHead: false, limit: 1_000)
            var rest = input.dropFirst()
            while !rest.isEmpty {
                try decoder.append(rest.prefix(Int(size)))
                rest = rest.dropFirst(Int(size))
            }
            try? decoder.end(isWhole: true)
            precondition((decoder.answer?.body.count ?? 0) <= 1_000, "longer than the limit")
            return input
        },
        FuzzEntry("http-head", texts: ["HTTP/1.1 200 OK\nContent-Length: 5\nDate: Sun, 06 Nov 1994 08:49:37 GMT"]) {
            text in
            let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0)[...] }
            guard let head = AnswerHead(parsing: lines) else { throw EncodingError.unsupported }
            _ = try? BodyFraming(of: head, toHead: false)
            _ = head.values("date").map(HTTPDate.seconds)
            return text
        },
        // The first byte is the size of the pieces: any pieces give the same items.
        FuzzEntry("websocket-frames", seeds: SeedFrames.all.map { [3] + $0 }) { input in
            guard let size = input.first, size > 0 else { return nil }
            let whole = SeedFrames.items(input.dropFirst(), pieces: .max)
            let pieces = SeedFrames.items(input.dropFirst(), pieces: Int(size))
            precondition(whole.0 == pieces.0 && whole.1 == pieces.1, "read differently in pieces")
            if let violation = whole.1 { throw violation }
            return input
        },
        FuzzEntry("websocket-upgrade", texts: [SeedFrames.upgrade]) { text in
            let origin = try Origin(host: "a.test").required()
            let request = try WebSocketRequest("/", at: origin).required()
            var upgrade = WebSocketUpgrade(request, random: SeedRandom(1))
            for byte in text.utf8 {
                if case .upgraded? = try upgrade.append([byte]) { break }
            }
            return text
        },
        FuzzEntry(
            "socks-replies", seeds: [[5, 0, 5, 0, 0, 1, 127, 0, 0, 1, 0, 80], [5, 0, 5, 0, 0, 3, 1, 97, 0, 80]]
        ) {
            input in
            var handshake = SOCKSHandshake(to: try Origin(host: "a.test").required(), login: nil)
            _ = try handshake.next()
            for byte in input { _ = try handshake.next([byte]) }
            return input
        },
        FuzzEntry("pin-policy", texts: [SeedAnswer.policy]) { text in
            let policy = try PinPolicy(decoding: Array(text.utf8))
            _ = policy.entry(for: "api.example.org")
            return text
        },
        FuzzEntry(
            "signed-pin-policy",
            seeds: [
                SignedPinPolicy(policy: Array(SeedAnswer.policy.utf8), signature: Array(repeating: 1, count: 64))
                    .encoded
            ]
        ) { input in
            let signed = try SignedPinPolicy(decoding: input)
            precondition((try? SignedPinPolicy(decoding: signed.encoded)) == signed, "written differently")
            return input
        },
        FuzzEntry("pin", texts: [SeedAnswer.pin]) { text in Pin(text).map(\.description) },
        FuzzEntry("http-origin", texts: ["api.example.org", "127.0.0.1", "::1"]) { text in
            guard let origin = Origin(host: text) else { return nil }
            precondition(Origin(host: origin.host) == origin, "read differently")
            return text
        },
    ]
}

private enum SeedAnswer {
    static let all = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0\r\nA: b\r\n\r\n",
        "HTTP/1.0 404 Not Found\r\n\r\nbody",
    ]
    static let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    static let policy = """
        {"format":1,"serial":3,"unpinned":"refuse","hosts":[{"host":"example.org","pins":["\(pin)"],
        "backups":["sha256/AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="],"subdomains":true,
        "except":["cdn.example.org"],"expires":"2027-06-30T00:00:00Z","afterExpiry":"connect","mode":"report-only",
        "tls12":true}]}
        """
}

private enum SeedFrames {
    static let all: [[UInt8]] = [
        [0x81, 0x02, 0x68, 0x69], [0x01, 0x01, 0x68, 0x89, 0x01, 0x70, 0x80, 0x01, 0x69], [0x82, 126, 0, 126],
        [0x88, 0x04, 0x03, 0xE8, 0x6F, 0x6B], [0x8A, 0x00, 0x82, 0x00],
    ]
    static let upgrade =
        "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"

    static func items(
        _ bytes: ArraySlice<UInt8>, pieces size: Int
    ) -> ([WebSocketDecoder.Item], WebSocketViolation?) {
        var decoder = WebSocketDecoder(limit: 1_000)
        var items: [WebSocketDecoder.Item] = []
        var rest = bytes
        do throws(WebSocketViolation) {
            while !rest.isEmpty {
                decoder.append(rest.prefix(size))
                rest = rest.dropFirst(size)
                while let item = try decoder.next() { items.append(item) }
            }
        } catch { return (items, error) }
        return (items, nil)
    }
}
