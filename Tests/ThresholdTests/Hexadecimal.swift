import Curves
import Secrets

/// Bytes of a hexadecimal literal. A test's own, so that a broken decoder of ours cannot hide a broken test.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
    precondition(digits.count == text.count && digits.count.isMultiple(of: 2), "not hexadecimal: \(text)")
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
}

func secret(_ bytes: [UInt8]) -> SecretBytes {
    var bytes = bytes
    return SecretBytes(moving: &bytes)
}

func reveal(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withUnsafeBytes { Array($0) } }

func scalar<Group: Curve>(_ text: String, in group: Group.Type = Group.self) throws -> SecretScalar<Group> {
    try SecretScalar(canonical: secret(hex(text)))
}
