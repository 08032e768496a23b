package import AuthAPI
package import SQLStore
package import Secrets
package import Time

/// The time of the tests.
package let now = Timestamp(milliseconds: 1_764_000_000_123)

extension Timestamp {
    package func plus(_ milliseconds: Int64) -> Timestamp { adding(Span(milliseconds: milliseconds)) }
}

/// Creates an id of one repeated byte.
package func id<Named>(_ byte: UInt8, as type: Identifier<Named>.Type = Identifier<Named>.self) -> Identifier<Named> {
    guard let id = Identifier<Named>(bytes: [UInt8](repeating: byte, count: 16)) else { preconditionFailure("16") }
    return id
}

package func bytes(_ byte: UInt8, _ count: Int = 32) -> [UInt8] { [UInt8](repeating: byte, count: count) }

/// Creates a sealing key of one repeated byte.
package func sealingKey(_ byte: UInt8) -> SecretBytes {
    SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: byte) }
}

package let sealer = ColumnSealer(key: sealingKey(7), number: 1, random: SystemRandom())
