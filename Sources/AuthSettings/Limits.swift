/// The limits of settings.
enum Limits {
    /// The number of characters of the operator's name, which has to fit the heading of the page on a phone.
    static let serviceNameCharacters = 1...64
    /// The maximum size of the operator's logo: an image of some hundred pixels is smaller, and every visitor loads it.
    static let logoBytes = 256 << 10
    /// The lowest contrast of text with its background (WCAG 2.2, 1.4.3, level AA).
    static let contrast = 4.5
}
