import Secrets

/// Bytes that are all the same.
struct Fixed: RandomSource {
    let byte: UInt8

    init(_ byte: UInt8) { self.byte = byte }

    func fill(_ bytes: UnsafeMutableRawBufferPointer) { for place in bytes.indices { bytes[place] = byte } }
}
