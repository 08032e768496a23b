/// Tests whether a random source has failed, over a sample of it: a stuck device, a value that comes too often, a short
/// period.
///
/// Take the sample before keys are made, and before the source is mixed with others: a mixture looks random even if one
/// source has failed. The first two tests are those of NIST SP 800-90B, section 4.4, for bytes of 8 bits of entropy; the
/// third finds periods that they cannot see. A good source fails with a probability below 2^-29 in each call.
///
/// - Warning: No test can tell that a source is good. A predictable generator with a good algorithm, such as one with a
///   known seed, passes.
public enum RandomHealth {
    /// The sign of a failed source.
    public enum Flaw: Equatable, Sendable {
        /// One byte came six times in a row. A good source does that with probability 2^-40 at each byte.
        case repetition
        /// One byte came 19 times or more among 512. The probability is 2^-37 for each 512 bytes of a good source.
        case proportion
        /// Eight bytes came twice. The probability is 2^-45 for a sample of a good source.
        case period
    }

    /// The size of the sample: the least that SP 800-90B, section 4.3, has for tests at start-up.
    static let sampleSize = 1024
    /// `1 + 40 / 8` (section 4.4.1).
    static let repetitionCutoff = 6
    /// Section 4.4.2: the window, and one more than the least number of hits that a good source has in all but 2^-40 of the
    /// windows, by the binomial distribution of 512 trials of probability 1/256.
    static let window = 512
    static let proportionCutoff = 19

    /// Takes a sample, and returns the sign of a failed source; nil without one.
    public static func flaw(of source: some RandomSource) -> Flaw? {
        flaw(in: source.publicBytes(count: sampleSize))
    }

    static func flaw(in sample: [UInt8]) -> Flaw? {
        var run = 0
        var last: UInt8?
        for byte in sample {
            run = byte == last ? run + 1 : 1
            last = byte
            if run >= repetitionCutoff { return .repetition }
        }
        for start in stride(from: 0, through: sample.count - window, by: window) {
            let window = sample[start..<(start + window)]
            if window.count(where: { $0 == window.first }) >= proportionCutoff { return .proportion }
        }
        // Every eight bytes in a row, as a number.
        var words = Set<UInt64>(minimumCapacity: sample.count)
        var word: UInt64 = 0
        for (position, byte) in sample.enumerated() {
            word = word << 8 | UInt64(byte)
            if position >= 7, !words.insert(word).inserted { return .period }
        }
        return nil
    }
}
