/// The operator's colour in the style of the pages. The background of large buttons has the colour itself. Links and
/// edges, which are drawn on the page, have it mixed with black or white until their contrast is sufficient.
package struct PageTheme: Equatable, Sendable {
    /// The colours of one scheme.
    package struct Scheme: Equatable, Sendable {
        /// The background of large buttons.
        package let fill: PageColor
        /// The text on large buttons.
        package let onFill: PageColor
        /// Links, the text of small buttons, the edges of large ones.
        package let accent: PageColor
    }

    package let light: Scheme
    package let dark: Scheme

    /// The default colour of the pages.
    package static let usual = PageColor(red: 0x1f, green: 0x5f, blue: 0x4a)
    /// The backgrounds of accents: a card and the page in `style.css`, in each scheme.
    static let lightGrounds = [PageColor.white, PageColor(red: 0xf5, green: 0xf6, blue: 0xf4)]
    static let darkGrounds = [
        PageColor(red: 0x1c, green: 0x21, blue: 0x1e), PageColor(red: 0x13, green: 0x16, blue: 0x14),
    ]

    /// - Parameter accent: the operator's colour; nil for the default one.
    package init(accent: PageColor?) {
        let accent = accent ?? Self.usual
        light = Self.scheme(accent, on: Self.lightGrounds, towards: .black)
        // The default colour was chosen by hand for both schemes.
        let dark = accent == Self.usual ? PageColor(red: 0x7f, green: 0xd1, blue: 0xb2) : accent
        self.dark = Self.scheme(dark, on: Self.darkGrounds, towards: .white)
    }

    private static func scheme(_ color: PageColor, on grounds: [PageColor], towards end: PageColor) -> Scheme {
        // The smallest sufficient mixture: the last one is black or white, which has enough contrast.
        let accent = (0...100).lazy.map { color.mixed(with: end, percent: $0) }
            .first { accent in grounds.allSatisfy { accent.contrast(with: $0) >= Limits.contrast } }
        // On every colour, black or white has a contrast of at least 4.58, the square root of 21.
        let onFill = color.contrast(with: .white) >= color.contrast(with: .black) ? PageColor.white : .black
        return Scheme(fill: color, onFill: onFill, accent: accent ?? end)
    }

    /// The style sheet with the theme's colours. `style.css` has all other styles.
    package var styleSheet: String {
        """
        :root {
            --fill: light-dark(\(light.fill), \(dark.fill));
            --on-fill: light-dark(\(light.onFill), \(dark.onFill));
            --accent: light-dark(\(light.accent), \(dark.accent));
        }

        """
    }
}
