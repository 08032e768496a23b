import Testing
import Time

@Suite("Dates and times of the calendar")
struct CivilTimeTests {
    @Test("a date and time has one form, and must exist")
    func reading() {
        #expect(CivilTime.seconds("1970-01-01T00:00:00Z") == 0)
        #expect(CivilTime.seconds("2000-03-01T00:00:00Z") == 951_868_800)
        #expect(CivilTime.seconds("2024-02-29T23:59:59Z") == 1_709_251_199)
        #expect(CivilTime.seconds("2027-06-30T00:00:00Z") == 1_814_313_600)
        for text in [
            "2027-06-30T00:00:00+00:00", "2027-06-31T00:00:00Z", "2027-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
            "1969-12-31T23:59:59Z", "2027-06-30T24:00:00Z", "2027-06-30T00:60:00Z", "2027-06-30T00:00:60Z",
            "2027-06-30 00:00:00Z", "2027-06-30T00:00:00.0Z", "2027-13-01T00:00:00Z", "2027-00-01T00:00:00Z", "",
        ] { #expect(CivilTime.seconds(text) == nil, "\(text)") }
    }

    @Test(
        "a time is written by RFC 3339, in whole seconds",
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399_999, "2000-02-28T23:59:59Z"),
            (951_782_400_000, "2000-02-29T00:00:00Z"), (1_764_000_000_123, "2025-11-24T16:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"), (-2_208_988_800_000, "1900-01-01T00:00:00Z"),
            (253_402_300_799_001, "9999-12-31T23:59:59Z"), (253_402_300_800_000, "10000-01-01T00:00:00Z"),
            (Timestamp.limit, "275760-09-13T00:00:00Z"), (-Timestamp.limit, "-271821-04-20T00:00:00Z"),
        ] as [(Int64, String)])
    func writing(_ milliseconds: Int64, _ text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test("every day from 1970 to 9999 is read as it was written")
    func roundTrip() throws {
        var previous = ""
        for day: Int64 in 0..<2_932_897 where day % 7 == 0 || day < 1_500 {
            let time = Timestamp(seconds: day * 86_400)
            let text = time.rfc3339
            #expect(CivilTime.seconds(text) == UInt64(time.seconds) && text != previous)
            previous = text
        }
    }
}
