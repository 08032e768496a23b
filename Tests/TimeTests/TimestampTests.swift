import Testing
import Time

@Suite("Timestamps")
struct TimestampTests {
    @Test(
        "seconds are rounded down, also before 1970",
        arguments: zip([0, 999, 1_000, -1, -1_000, -1_001] as [Int64], [0, 0, 1, -1, -1, -2] as [Int64]))
    func seconds(milliseconds: Int64, seconds: Int64) {
        #expect(Timestamp(milliseconds: milliseconds).seconds == seconds)
    }

    @Test("no time overflows: a time beyond the limits becomes the limit")
    func limits() {
        let last = Timestamp(milliseconds: .max)
        #expect(last.milliseconds == Timestamp.limit)
        #expect(Timestamp(seconds: .max) == last)
        #expect(Timestamp(seconds: .min).milliseconds == -Timestamp.limit)
        #expect(last.adding(.days(.max)) == last)
        #expect(Timestamp(milliseconds: .min).since(last).milliseconds == -2 * Timestamp.limit)
        #expect(Timestamp.Span.days(.max) > .hours(1))
    }

    @Test("spans have the right number of milliseconds")
    func spans() {
        #expect(Timestamp.Span.days(30).milliseconds == 2_592_000_000)
        #expect(Timestamp.Span.minutes(15) == .seconds(900))
        #expect(Timestamp(seconds: 10).adding(.seconds(-3)) == Timestamp(seconds: 7))
        #expect(Timestamp(seconds: 10).since(Timestamp(seconds: 4)) == .seconds(6))
        #expect(Timestamp(seconds: 4) < Timestamp(milliseconds: 4_001))
    }
}
