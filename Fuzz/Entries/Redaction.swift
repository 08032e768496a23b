internal import Redaction
internal import Secrets

extension FuzzEntry {
    /// Texts of strangers, from which secrets are removed.
    static let redaction: [FuzzEntry] = [
        FuzzEntry(
            "redaction",
            texts: [
                "legal winner thank year wave sausage worth useful legal winner thank yellow",
                "{\"api_secret\": \"a b\", \"url\": \"https:\\/\\/u:p@h\\/?code=a%20b#x\"}",
                "Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl",
                "-----BEGIN PRIVATE KEY-----\nMHcCAQEE\n-----END PRIVATE KEY-----",
            ]
        ) { text in
            let redactor = Redactor()
            _ = redactor.redacted(redactor.redacted(text))
            var stream = RedactedStream(redactor)
            let written = stream.push(text.utf8) + stream.finish()
            precondition(String(validating: written, as: UTF8.self) != nil, "a stream of text is text")
            return text
        }
    ]
}
