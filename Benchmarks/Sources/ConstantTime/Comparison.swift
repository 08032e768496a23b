/// A comparison of two classes of times, as in "Dude, is my code constant time?" (Reparaz, Balasch, Verbauwhede, 2017):
/// by Welch's t-test of the means, of all measurements and of several percentages of the fastest, because the time of
/// interrupts and other processes would hide everything. It also tests how many of the fastest belong to one class,
/// which finds a small difference in a long time better.
struct Comparison {
    /// The largest deviation of any test from "no difference", in standard deviations of chance.
    private(set) var deviation = 0.0
    /// The mean of the fixed class in the faster half of all measurements, in nanoseconds.
    private(set) var mean = 0.0
    /// The mean of the random class minus that of the fixed class.
    private(set) var difference = 0.0

    private static let percentiles = [100, 99, 95, 90, 75, 50, 25, 10]
    /// The smallest set that is tested.
    private static let smallest = 30.0

    init(_ measurements: [Measurement]) {
        let times = measurements.map(\.nanoseconds).sorted()
        let all = Double(measurements.count)
        let share = Double(measurements.count(where: \.isFixed)) / all
        for percentile in Self.percentiles {
            let limit = times[max(0, times.count * percentile / 100 - 1)]
            var fixed = Moments()
            var random = Moments()
            for measurement in measurements where measurement.nanoseconds <= limit {
                if measurement.isFixed {
                    fixed.add(measurement.nanoseconds)
                } else {
                    random.add(measurement.nanoseconds)
                }
            }
            let fastest = fixed.count + random.count
            if fastest < all {
                // Drawing without replacement: the hypergeometric distribution.
                let spread = (fastest * share * (1 - share) * (all - fastest) / (all - 1)).squareRoot()
                note((fixed.count - fastest * share) / spread)
            }
            guard fixed.count >= Self.smallest, random.count >= Self.smallest else { continue }
            let error = (fixed.variance / fixed.count + random.variance / random.count).squareRoot()
            if error > 0 { note((random.mean - fixed.mean) / error) }
            if percentile >= 50 {
                mean = fixed.mean
                difference = random.mean - fixed.mean
            }
        }
    }

    private mutating func note(_ deviation: Double) {
        if abs(deviation) > abs(self.deviation) { self.deviation = deviation }
    }
}

/// One measured time.
struct Measurement {
    let nanoseconds: Double
    let isFixed: Bool
}

/// Computes mean and variance in one pass (Welford).
private struct Moments {
    private(set) var count = 0.0
    private(set) var mean = 0.0
    private var squares = 0.0

    var variance: Double { squares / (count - 1) }

    mutating func add(_ value: Double) {
        count += 1
        let distance = value - mean
        mean += distance / count
        squares += distance * (value - mean)
    }
}
