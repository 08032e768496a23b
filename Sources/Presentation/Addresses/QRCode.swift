internal import CQREncode
internal import ErrorTexts
package import Texts

/// A text as a QR code that a telephone reads from the terminal (ISO/IEC 18004, by libqrencode).
package struct QRCode {
    /// The quiet zone around the code, in modules, as the standard requires.
    private static let margin = 4

    private let width: Int
    /// The modules in row order; true for a dark one.
    private let dark: [Bool]

    /// - Returns: nil for a text that is too long for a code: more than 2,300 bytes.
    package init?(_ content: String) {
        guard let code = QRcode_encodeString(content, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        guard let modules = code.pointee.data else { return nil }
        width = Int(code.pointee.width)
        dark = (0..<width * width).map { modules[$0] & 1 == 1 }
    }

    /// Returns one line for two rows of modules, with the quiet zone around the code.
    ///
    /// - Parameter isStyled: whether the code is black on white, independent of the terminal's colours. Otherwise light
    ///   modules are drawn and dark ones left out, which is correct on a dark terminal.
    package func text(isStyled: Bool) -> StyledText {
        let span = -Self.margin..<(width + Self.margin)
        return StyledText(
            lines: stride(from: span.lowerBound, to: span.upperBound, by: 2).map { row in
                let line = span.map { column in
                    // The last row has no partner: the lower half of its line is not drawn.
                    let (upper, lower) = (isDark(row, column), row + 1 < span.upperBound && isDark(row + 1, column))
                    let isLast = row + 1 >= span.upperBound
                    return switch isStyled ? (upper, lower) : (!upper, !lower && !isLast) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                }
                return StyledText(line.joined(), isStyled ? .print : .plain)
            })
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool {
        (0..<width).contains(row) && (0..<width).contains(column) && dark[row * width + column]
    }
}
