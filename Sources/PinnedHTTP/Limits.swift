/// The limits of requests and answers.
public enum HTTPLimits {
    /// The default maximum size of an answer's body: 4 MiB. Larger answers are asked for explicitly.
    public static let answerBytes = 4 << 20
    /// The default time-out of an answer: the usual one of HTTP clients.
    public static let answerTimeout = Duration.seconds(30)
    /// The default time-out of a connection with its TLS handshake.
    public static let connectTimeout = Duration.seconds(10)
    /// The maximum length of a path with its query: most servers refuse longer ones.
    public static let targetBytes = 8_000
    /// The maximum size of one header: most servers refuse longer ones.
    public static let headerBytes = 8_000
    /// The maximum number of headers of a request.
    public static let requestHeaders = 50
}
