package import Curves
internal import Encoding

/// Reads a message of one kind over one curve, and refuses all others.
package struct MessageReader<Group: Curve> {
    private var reader: ByteReader

    /// Reads the three bytes of the header.
    ///
    /// - Throws: ``ThresholdError/malformed(_:)`` if they are not this version, kind and curve.
    package init(_ bytes: some Collection<UInt8>, kind: MessageKind) throws(ThresholdError) {
        do throws(EncodingError) {
            reader = try ByteReader(bytes, limit: ThresholdLimits.encodedMessageSize)
            guard try reader.uint8() == messageVersion, try reader.uint8() == kind.code,
                try reader.uint8() == Group.wireCode
            else { throw EncodingError.unsupported }
        } catch {
            throw .malformed(error)
        }
    }

    /// Reads a body without a header of its own, which was sealed in a message with one.
    package init(body bytes: [UInt8]) throws(ThresholdError) {
        do { reader = try ByteReader(bytes, limit: ThresholdLimits.encodedMessageSize) } catch {
            throw .malformed(error)
        }
    }

    package mutating func byte() throws(ThresholdError) -> UInt8 {
        do { return try reader.uint8() } catch { throw .malformed(error) }
    }

    package mutating func bytes(_ count: Int) throws(ThresholdError) -> [UInt8] {
        do { return Array(try reader.bytes(count)) } catch { throw .malformed(error) }
    }

    /// Returns all remaining bytes.
    package mutating func rest() throws(ThresholdError) -> [UInt8] { Array(reader.rest()) }

    /// Reads the number of elements that follow, in one byte.
    package mutating func count(_ allowed: ClosedRange<Int>) throws(ThresholdError) -> Int {
        let count = Int(try byte())
        guard allowed.contains(count) else { throw .malformed(.tooLong(limit: allowed.upperBound)) }
        return count
    }

    /// Reads a number in four bytes, big-endian, and then that many bytes.
    package mutating func prefixedBytes(limit: Int) throws(ThresholdError) -> [UInt8] {
        do throws(EncodingError) {
            let count = Int(try reader.bigEndian(UInt32.self))
            guard count <= limit else { throw EncodingError.tooLong(limit: limit) }
            return Array(try reader.bytes(count))
        } catch {
            throw .malformed(error)
        }
    }

    package mutating func epoch() throws(ThresholdError) -> Int {
        do { return Int(try reader.bigEndian(UInt32.self)) } catch { throw .malformed(error) }
    }

    package mutating func index() throws(ThresholdError) -> ParticipantIndex { try ParticipantIndex(Int(try byte())) }

    package mutating func point() throws(ThresholdError) -> Group.Point {
        let encoded = try bytes(Group.pointSize)
        do { return try Group.Point(encoded: encoded) } catch { throw .invalidElement }
    }

    package mutating func scalar() throws(ThresholdError) -> Scalar<Group> {
        let encoded = try bytes(scalarSize)
        do { return try Scalar(canonical: encoded) } catch { throw .invalidElement }
    }

    /// Reads this many elements.
    mutating func list<Element>(
        _ count: Int, _ element: (inout Self) throws(ThresholdError) -> Element
    ) throws(ThresholdError) -> [Element] {
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try element(&self)) }
        return elements
    }

    /// Checks that no byte is left over.
    package func finish() throws(ThresholdError) {
        do { try reader.finish() } catch { throw .malformed(error) }
    }
}
