internal import CQREncode
internal import Terminal

/// A text as a code that a telephone reads from the terminal (ISO/IEC 18004, by libqrencode).
struct QRCode {
    /// Light space around the code, in modules, as the standard has it.
    private static let margin = 4

    private let width: Int
    /// Row by row.
    private let dark: [Bool]

    /// - Returns: nothing for a text that no code has room for, which is more than 2,300 bytes.
    init?(_ content: String) {
        guard let code = QRcode_encodeString(content, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        guard let modules = code.pointee.data else { return nil }
        width = Int(code.pointee.width)
        dark = (0..<width * width).map { modules[$0] & 1 == 1 }
    }

    /// One line for two rows of modules, with the quiet zone around it.
    ///
    /// - Parameter isStyled: whether it is black on white, whatever the terminal's colours are. Otherwise light modules are drawn and
    ///   dark ones left out, which is right on a dark terminal.
    func text(isStyled: Bool) -> StyledText {
        let span = -Self.margin..<(width + Self.margin)
        return StyledText(
            lines: stride(from: span.lowerBound, to: span.upperBound, by: 2).map { row in
                let line = span.map { column in
                    // Below the last row there is no second one: what the terminal shows there is not drawn.
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
