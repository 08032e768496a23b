public enum ThresholdError: Error, Equatable, Sendable {
}
