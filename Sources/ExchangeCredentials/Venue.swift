/// An exchange that this library knows.
public enum Venue: String, CaseIterable, Sendable {
    /// Binance's spot exchange: its REST API, version 3.
    case binance
    /// Kraken's spot exchange: its REST API, version 0.
    case kraken
}
