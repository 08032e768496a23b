internal import Foundation

/// A colour of the pages, as `#rrggbb`.
public struct PageColor: Equatable, Sendable, CustomStringConvertible {
    /// The three components, each from 0 to 255.
    public let red, green, blue: UInt8

    /// Reads `#rrggbb`; nil for anything else.
    public init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 7, digits[0] == UInt8(ascii: "#") else { return nil }
        var channels: [UInt8] = []
        for start in [1, 3, 5] {
            let pair = digits[start...start + 1]
            // Digits only: the initialiser of integers would accept a sign as well.
            guard pair.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let channel = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
            else { return nil }
            channels.append(channel)
        }
        self.init(red: channels[0], green: channels[1], blue: channels[2])
    }

    init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    public var description: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    package static let white = PageColor(red: 255, green: 255, blue: 255)
    static let black = PageColor(red: 0, green: 0, blue: 0)

    /// The relative luminance (WCAG 2.2): 0 of black, 1 of white.
    private var luminance: Double {
        func linear(_ channel: UInt8) -> Double {
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Returns the contrast with another colour (WCAG 2.2): from 1 to 21.
    func contrast(with other: PageColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// Returns the mixture with another colour: this one at 0 %, the other one at 100 %.
    func mixed(with other: PageColor, percent: Int) -> PageColor {
        func mixed(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8((Int(from) * (100 - percent) + Int(to) * percent) / 100)
        }
        return PageColor(
            red: mixed(red, other.red), green: mixed(green, other.green), blue: mixed(blue, other.blue))
    }
}
