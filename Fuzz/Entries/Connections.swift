internal import Encoding
internal import X509

@testable internal import PinnedHTTP

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
            let head = try AnswerHead(parsing: lines)
            _ = try? BodyFraming(of: head, toHead: false)
            _ = head.values("date").map(HTTPDate.seconds)
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
        FuzzEntry("origin", texts: ["api.example.org", "127.0.0.1", "::1"]) { text in
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
