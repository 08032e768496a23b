internal import Encoding
internal import TestSupport
internal import Testing

@Suite("Reading and writing bytes")
struct ByteReaderTests {
    @Test("integers of every width are read as they were written, in both orders")
    func integers() throws {
        var writer = ByteWriter()
        writer.append(0x01)
        writer.bigEndian(UInt16(0x0203))
        writer.littleEndian(UInt16(0x0203))
        writer.bigEndian(UInt32(0x0405_0607))
        writer.littleEndian(UInt32(0x0405_0607))
        writer.bigEndian(UInt64(0x0809_0a0b_0c0d_0e0f))
        writer.littleEndian(UInt64(0x0809_0a0b_0c0d_0e0f))
        writer.bigEndian(UInt8(0xff))
        writer.append([0xaa, 0xbb])
        #expect(
            hex(writer.bytes)
                == "01" + "0203" + "0302" + "04050607" + "07060504" + "08090a0b0c0d0e0f" + "0f0e0d0c0b0a0908" + "ff"
                + "aabb")
        // A slice, whose indices do not begin at zero.
        var reader = try ByteReader(([0] + writer.bytes)[1...], limit: 32)
        #expect(try reader.uint8() == 0x01)
        #expect(try reader.bigEndian(UInt16.self) == 0x0203)
        #expect(try reader.littleEndian(UInt16.self) == 0x0203)
        #expect(try reader.bigEndian(UInt32.self) == 0x0405_0607)
        #expect(try reader.littleEndian(UInt32.self) == 0x0405_0607)
        #expect(try reader.bigEndian(UInt64.self) == 0x0809_0a0b_0c0d_0e0f)
        #expect(try reader.littleEndian(UInt64.self) == 0x0809_0a0b_0c0d_0e0f)
        #expect(try reader.bigEndian(UInt8.self) == 0xff)
        #expect(reader.offset == 30)
        #expect(throws: EncodingError.leftOver(count: 2)) { try reader.finish() }
        #expect(Array(reader.rest()) == [0xaa, 0xbb])
        try reader.finish()
    }

    @Test("reading beyond the end fails, and loses nothing")
    func truncated() throws {
        var reader = try ByteReader([1, 2, 3], limit: 3)
        #expect(throws: EncodingError.truncated) { try reader.bytes(4) }
        #expect(throws: EncodingError.truncated) { try reader.bytes(.max) }
        #expect(throws: EncodingError.truncated) { try reader.bytes(-1) }
        #expect(throws: EncodingError.truncated) { try reader.bigEndian(UInt32.self) }
        #expect(Array(try reader.bytes(3)) == [1, 2, 3])
        #expect(throws: EncodingError.truncated) { try reader.uint8() }
        #expect(Array(try reader.bytes(0)).isEmpty)
    }

    @Test("input beyond the limit is refused")
    func limit() throws {
        #expect(throws: EncodingError.tooLong(limit: 2)) { try ByteReader([1, 2, 3], limit: 2) }
        _ = try ByteReader([1, 2], limit: 2)
    }
}
