import Encoding
import TestSupport
import Testing

@testable import PinnedHTTP
@testable import PinnedHTTPTestSupport

@Suite("Answers of HTTP/1.1")
struct AnswerDecoderTests {
    /// Decodes a text, given in pieces of a size.
    private func decode(
        _ text: String, toHead isHead: Bool = false, limit: Int = 1_000, pieces: Int = .max, isEnded: Bool = false,
        isWhole: Bool = true
    ) throws(AnswerDecoder.Fault) -> AnswerDecoder {
        var decoder = AnswerDecoder(toHead: isHead, limit: limit)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            try decoder.append(rest.prefix(pieces))
            rest = rest.dropFirst(min(pieces, rest.count))
        }
        if isEnded { try decoder.end(isWhole: isWhole) }
        return decoder
    }

    private func body(_ decoder: AnswerDecoder) -> String? {
        decoder.answer.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test("an answer with a length is read in pieces of any size", arguments: [1, 2, 3, 7, 1_000])
    func length(_ pieces: Int) throws {
        let text = "HTTP/1.1 201 Created\r\nContent-Length: 5\r\nX-Two:  a b \t\r\n\r\nhello"
        let decoder = try decode(text, pieces: pieces)
        #expect(body(decoder) == "hello")
        #expect(decoder.answer?.status == 201)
        #expect(decoder.answer?.header("x-two") == "a b")
        #expect(decoder.isReusable)
    }

    @Test(
        "a chunked answer is read in pieces of any size, without its extensions and trailers",
        arguments: [1, 2, 5, 999])
    func chunked(_ pieces: Int) throws {
        let text =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;name=value\r\nabc\r\n0a\r\n0123456789\r\n0\r\n"
            + "X-Trailer: one\r\n\r\n"
        let decoder = try decode(text, pieces: pieces)
        #expect(body(decoder) == "abc0123456789")
        #expect(decoder.answer?.header("x-trailer") == nil)
        #expect(decoder.isReusable)
    }

    @Test("interim answers are skipped, up to a number")
    func interim() throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        let final = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
        let decoder = try decode("HTTP/1.1 100 Continue\r\n\r\n" + interim + final)
        #expect(body(decoder) == "x")
        #expect(decoder.answer?.header("link") == nil)
        let many = String(repeating: interim, count: HTTPLimits.interimAnswers)
        #expect(body(try decode(many + final)) == "x")
        #expect(throws: AnswerDecoder.Fault.notHTTP) { try decode(interim + many + final) }
    }

    @Test("answers to HEAD, 204 and 304 have no body, whatever their headers say")
    func bodyless() throws {
        let decoder = try decode("HTTP/1.1 200 OK\r\nContent-Length: 500000\r\n\r\n", toHead: true)
        #expect(body(decoder) == "")
        #expect(decoder.isReusable)
        #expect(body(try decode("HTTP/1.1 204 No Content\r\n\r\n")) == "")
        #expect(body(try decode("HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n")) == "")
        #expect(body(try decode("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", toHead: true)) == "")
    }

    @Test("a body without a length ends with the connection, if its end was announced")
    func untilEnd() throws {
        let text = "HTTP/1.0 200 OK\r\n\r\nall of it"
        #expect(try decode(text).answer == nil)
        let decoder = try decode(text, isEnded: true)
        #expect(body(decoder) == "all of it")
        #expect(!decoder.isReusable)
        #expect(throws: AnswerDecoder.Fault.closed) { try decode(text, isEnded: true, isWhole: false) }
        #expect(throws: AnswerDecoder.Fault.tooLarge) { try decode(text, limit: 8) }
        #expect(body(try decode(text, limit: 9, isEnded: true)) == "all of it")
    }

    @Test(
        "an answer that ends too early is not complete",
        arguments: [
            "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n1",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n12\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        ])
    func early(_ text: String) {
        #expect(throws: AnswerDecoder.Fault.closed) { try decode(text, isEnded: true) }
    }

    @Test(
        "an answer whose length can be read in two ways is refused",
        arguments: [
            "Content-Length: 1\r\nContent-Length: 2", "Content-Length: 1\r\nContent-Length: 1", "Content-Length: 1, 1",
            "Content-Length: 1\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked\r\nContent-Length: 1",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: identity", "Transfer-Encoding: chunked, identity", "Transfer-Encoding:",
            "Content-Length: +1", "Content-Length: -1", "Content-Length: 0x1", "Content-Length: 1.0",
            "Content-Length:", "Content-Length: 1 1", "Content-Length: 9999999999999999999",
        ])
    func smuggling(_ headers: String) {
        #expect(throws: AnswerDecoder.Fault.notHTTP) { try decode("HTTP/1.1 200 OK\r\n\(headers)\r\n\r\nx") }
        // Not even where no body follows.
        #expect(throws: AnswerDecoder.Fault.notHTTP) {
            try decode("HTTP/1.1 304 Not Modified\r\n\(headers)\r\n\r\n", toHead: true)
        }
    }

    @Test("chunks need HTTP/1.1")
    func oldChunks() {
        #expect(throws: AnswerDecoder.Fault.notHTTP) {
            try decode("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        }
    }

    @Test(
        "heads that break the rules are refused",
        arguments: [
            "SSH-2.0-OpenSSH\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.2 200 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n",
            "HTTP/1.1 099 No\r\n\r\n", "HTTP/1.1 600 No\r\n\r\n", "HTTP/1.1 2000\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\nA: b\n\n", "HTTP/1.1 200 OK\r\nA: b\n\r\n", "HTTP/1.1 200 OK\r\nA\r: b\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\n: b\r\n\r\n", "HTTP/1.1 200 OK\r\nA\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n", "HTTP/1.1 200 OK\r\nA: \u{0}\r\n\r\n",
            "HTTP/1.1 200 OK\r\nÄ: b\r\n\r\n", "\r\nHTTP/1.1 200 OK\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n",
        ])
    func heads(_ text: String) {
        #expect(throws: AnswerDecoder.Fault.notHTTP) { try decode(text) }
    }

    @Test(
        "chunks that break the rules are refused",
        arguments: [
            "\r\n", "x\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 \n", "1\r\nab\r\n", "1\r\na\n", "1\r\na\rb",
            ";a\r\n", "1;\u{1}\r\n", "0\r\nA : b\r\n\r\n",
        ])
    func chunks(_ text: String) {
        #expect(throws: AnswerDecoder.Fault.notHTTP) {
            try decode("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + text)
        }
    }

    @Test("a body of the limit is read, one byte more is too large, in each form")
    func limits() throws {
        for head in [
            "Content-Length: 4\r\n\r\nabcd", "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n",
        ] {
            let text = "HTTP/1.1 200 OK\r\n" + head
            #expect(body(try decode(text, limit: 4)) == "abcd")
            #expect(throws: AnswerDecoder.Fault.tooLarge) { try decode(text, limit: 3) }
        }
        // Refused before the body comes.
        #expect(throws: AnswerDecoder.Fault.tooLarge) { try decode("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n") }
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(throws: AnswerDecoder.Fault.tooLarge) { try decode(chunked + "fffffffffffffff\r\n") }
        #expect(throws: AnswerDecoder.Fault.notHTTP) { try decode(chunked + "0000000000000001\r\n") }
    }

    @Test("a head, a chunk's line and trailers without an end are refused")
    func endless() {
        let line = "A: " + String(repeating: "b", count: 1_000) + "\r\n"
        let lines = String(repeating: line, count: HTTPLimits.headBytes / 1_000 + 1)
        #expect(throws: AnswerDecoder.Fault.notHTTP) { try decode("HTTP/1.1 200 OK\r\n" + lines) }
        let long = String(repeating: "b", count: HTTPLimits.headBytes)
        #expect(throws: AnswerDecoder.Fault.notHTTP) { try decode("HTTP/1.1 200 OK\r\nA: " + long, pieces: 100) }
        let many = String(repeating: "A: b\r\n", count: HTTPLimits.answerHeaders + 1)
        #expect(throws: AnswerDecoder.Fault.notHTTP) { try decode("HTTP/1.1 200 OK\r\n" + many + "\r\n") }
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(throws: AnswerDecoder.Fault.notHTTP) { try decode(chunked + "1;" + long, pieces: 100) }
        #expect(throws: AnswerDecoder.Fault.notHTTP) { try decode(chunked + "0\r\n" + lines) }
    }

    @Test("bytes that were read are not kept, although each piece ends within a line")
    func memory() {
        var unread = Unread()
        unread.append([0x61])
        for _ in 0..<10_000 {
            unread.append(Array("bcdefgh\r\n".utf8) + Array(repeating: 0x61, count: 100))
            guard case .line = unread.line(limit: 1_000) else { break }
            _ = unread.take(upTo: 99)
        }
        #expect(unread.count == 1)
        #expect(unread.stored < 100_000)
    }

    @Test("a connection is used again only if nothing speaks against it")
    func reuse() throws {
        #expect(try !decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").isReusable)
        #expect(try !decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: x ,\tClose\r\n\r\n").isReusable)
        #expect(try !decode("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").isReusable)
        // A second answer, without a request.
        #expect(try !decode("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n\r\n").isReusable)
        #expect(try decode("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").isReusable)
    }

    @Test("no mutation of an answer makes the decoder fail otherwise, or pass its limit")
    func mutations() {
        let seeds = [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n",
            "HTTP/1.0 404\r\nA:\r\n\r\nbody",
        ]
        Fuzz.mutations(of: seeds.map { Array($0.utf8) }, iterations: 5_000) { input in
            var decoder = AnswerDecoder(toHead: false, limit: 6)
            var pieces = AnswerDecoder(toHead: false, limit: 6)
            let whole = Result { () throws(AnswerDecoder.Fault) in try decoder.append(input) }
            let split = Result { () throws(AnswerDecoder.Fault) in
                for byte in input { try pieces.append([byte]) }
            }
            #expect((decoder.answer?.body.count ?? 0) <= 6)
            // The pieces do not matter.
            #expect(decoder.answer?.body == pieces.answer?.body)
            if case .success = whole, case .failure = split { Issue.record("pieces are refused") }
        }
    }

    @Test("the date of an answer is read in its one form")
    func dates() {
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.seconds("Thu, 29 Feb 2024 23:59:60 GMT") == 1_709_251_199)
        for text in [
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "",
            "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 29 Feb 2023 00:00:00 GMT",
        ] { #expect(HTTPDate.seconds(text) == nil, "\(text)") }
    }
}
