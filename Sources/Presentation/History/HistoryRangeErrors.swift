package import Texts

extension HistoryRangeFault: Explained {
    package var failure: Failure {
        switch self {
        case .noEntries: .usage("--limit is 1 or more")
        case .malformedStart:
            .usage(
                "--since takes a date or an age",
                hint:
                    "write '2026-11-01', '2026-11-01 10:14' (your time zone), '2026-11-01T09:14:00Z', or 90m, 12h, 7d, 2w"
            )
        }
    }
}
