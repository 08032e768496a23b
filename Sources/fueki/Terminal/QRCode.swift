internal import CQREncode

/// A text as a code that a telephone reads from the terminal (ISO/IEC 18004, by libqrencode).
///
/// Light modules are drawn, dark ones are left out: right on a dark terminal, and readers take the opposite, too.
struct QRCode {
    /// One line for two rows of modules, with the quiet zone around it.
    let text: String

    /// Light space around the code, in modules: half of what the standard asks for is enough for readers, and keeps the code on
    /// the screen.
    private static let margin = 2

    /// - Returns: nothing for a text that no code has room for, which is more than 2,300 bytes.
    init?(_ content: String) {
        guard let code = QRcode_encodeString(content, 0, QR_ECLEVEL_M, QR_MODE_8, 1) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return nil }
        func isLight(_ row: Int, _ column: Int) -> Bool {
            guard (0..<width).contains(row), (0..<width).contains(column) else { return true }
            return modules[row * width + column] & 1 == 0
        }
        let span = -Self.margin..<(width + Self.margin)
        text = stride(from: span.lowerBound, to: span.upperBound, by: 2).map { row in
            span.map { column in
                // Below the last row there is no second one.
                let lower = row + 1 < span.upperBound && isLight(row + 1, column)
                switch (isLight(row, column), lower) {
                case (true, true): return "█"
                case (true, false): return "▀"
                case (false, true): return "▄"
                case (false, false): return " "
                }
            }.joined()
        }.joined(separator: "\n")
    }
}
