internal import Encoding
internal import Testing

/// The built `fuekid` as a separate process, on 127.0.0.1. These tests run one at a time: each needs the machine's cores.
@Suite("The built server", .serialized, .timeLimit(.minutes(20)))
enum ServerTests {}

/// The pages of the built server in Chromium. These tests run one at a time, beside those of ``ServerTests``: a browser
/// mostly waits, and every expectation is waited for.
@Suite("The pages of the built server", .serialized, .timeLimit(.minutes(20)))
enum BrowserTests {}

/// There is another one among the tests' own.
typealias JSON = Encoding.JSON
