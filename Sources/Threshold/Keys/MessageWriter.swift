package import Curves
internal import Encoding

/// Writes a message of one kind over one curve: version, kind, curve, and then the kind's fields.
package struct MessageWriter<Group: Curve> {
    private var writer: ByteWriter

    package init(kind: MessageKind, reserving: Int = 128) {
        writer = ByteWriter(reserving: reserving)
        writer.append(messageVersion)
        writer.append(kind.code)
        writer.append(Group.wireCode)
    }

    package var bytes: [UInt8] { writer.bytes }

    package mutating func byte(_ value: UInt8) { writer.append(value) }

    package mutating func bytes(_ value: some Sequence<UInt8>) { writer.append(value) }

    package mutating func count(_ value: Int) { writer.append(UInt8(value)) }

    package mutating func prefixedBytes(_ value: [UInt8]) {
        writer.bigEndian(UInt32(value.count))
        writer.append(value)
    }

    /// Writes an epoch in four bytes, big-endian.
    package mutating func epoch(_ value: Int) { writer.bigEndian(UInt32(value)) }

    package mutating func index(_ value: ParticipantIndex) { writer.append(UInt8(value.value)) }

    package mutating func point(_ value: Group.Point) { writer.append(value.encoded) }

    package mutating func scalar(_ value: Scalar<Group>) { writer.append(value.encoded) }
}
