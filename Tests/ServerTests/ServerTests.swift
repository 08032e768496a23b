internal import Encoding
internal import Testing

/// The built `fuekid` as a process of its own, on 127.0.0.1. One after the other: each wants the machine's cores for itself.
@Suite("The built server", .serialized, .timeLimit(.minutes(20)))
enum ServerTests {}

/// There is another one among the tests' own.
typealias JSON = Encoding.JSON
