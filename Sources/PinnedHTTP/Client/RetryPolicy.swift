package import Secrets

/// The repetition of requests that allow it (``HTTPRequest/Repetition/allowed``).
///
/// The pause before an attempt is random, from nothing to a bound that doubles each time ("full jitter"): clients that
/// failed together do not come back together.
public struct RetryPolicy: Sendable {
    /// The highest number of attempts, at least 1.
    public var attempts: Int
    /// The longest pause before the second attempt.
    public var firstPause: Duration
    /// The longest pause before any attempt.
    public var longestPause: Duration
    /// The longest time that a server may ask for by `Retry-After`. If it asks for more, its answer is returned.
    public var longestRetryAfter: Duration

    /// Creates a policy.
    public init(
        attempts: Int = HTTPLimits.attempts, firstPause: Duration = HTTPLimits.firstPause,
        longestPause: Duration = HTTPLimits.longestPause, longestRetryAfter: Duration = HTTPLimits.longestRetryAfter
    ) {
        self.attempts = max(1, attempts)
        self.firstPause = max(.zero, firstPause)
        self.longestPause = max(.zero, longestPause)
        self.longestRetryAfter = max(.zero, longestRetryAfter)
    }

    /// One attempt for every request.
    public static let never = RetryPolicy(attempts: 1)

    /// Returns the longest pause after so many failed attempts.
    func bound(after failures: Int) -> Duration {
        var bound = firstPause
        for _ in 1..<max(1, min(failures, 32)) where bound < longestPause { bound *= 2 }
        return min(bound, longestPause)
    }

    /// Returns a random pause after so many failed attempts.
    package func pause(after failures: Int, random: any RandomSource) -> Duration {
        let bits = random.publicBytes(count: 4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return bound(after: failures) * (Double(bits) / Double(UInt32.max))
    }

    /// Returns whether an error may pass.
    ///
    /// A certificate or a pin that was refused does not become right, and each attempt would give an attacker another.
    package static func mayPass(_ reason: HTTPFailure.Reason) -> Bool {
        switch reason {
        case .notConnected, .closed, .timedOut: true
        case .notHTTP, .tooLarge, .untrusted, .notPinned, .notEncrypted, .cancelled: false
        }
    }

    /// Returns the pause that an answer asks for; nil if the answer is final.
    ///
    /// - Parameter now: seconds since 1970, for a date in `Retry-After`.
    package func delay(asked response: HTTPResponse, now: UInt64) -> Duration? {
        guard [429, 502, 503, 504].contains(response.status) else { return nil }
        guard let text = response.header("Retry-After") else { return .zero }
        let seconds: Int
        if let number = AnswerHead.decimal(text.utf8) {
            seconds = number
        } else if let date = HTTPDate.seconds(text) {
            seconds = date > now ? Int(clamping: date - now) : 0
        } else {
            return .zero
        }
        let asked = Duration.seconds(seconds)
        return asked <= longestRetryAfter ? asked : nil
    }
}
