internal import Crypto
internal import Encoding

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The public part of an entry, and its ciphertext: the bytes that are hashed into the tree.
struct SealedEntry {
    private static let version: UInt8 = 1
    static let nonceSize = 12
    static let tagSize = 16

    /// The begin of an epoch, in its first entry.
    struct Opening: Equatable {
        static let envelopeSize = 32 + 64 + 16

        /// The epoch from whose secret the new one was made; nil if there was none.
        let predecessor: UInt32?
        /// The secret for the reader: the key of HPKE, and the ciphertext.
        let envelope: [UInt8]
    }

    let epoch: UInt32
    let nonce: [UInt8]
    let opening: Opening?
    /// The ciphertext and its tag.
    let ciphertext: ArraySlice<UInt8>

    /// Reads an entry. Nil if it is not well formed.
    init?(decoding bytes: ArraySlice<UInt8>) {
        do {
            var reader = try ByteReader(bytes, limit: AuditLimits.entry)
            guard try reader.uint8() == Self.version else { return nil }
            let kind = try reader.uint8()
            epoch = try reader.bigEndian(UInt32.self)
            nonce = Array(try reader.bytes(Self.nonceSize))
            switch kind {
            case 0: opening = nil
            case 1:
                let flag = try reader.uint8()
                let predecessor = try reader.bigEndian(UInt32.self)
                guard flag == 1 || (flag == 0 && predecessor == 0) else { return nil }
                opening = Opening(
                    predecessor: flag == 1 ? predecessor : nil,
                    envelope: Array(try reader.bytes(Opening.envelopeSize)))
            default: return nil
            }
            ciphertext = reader.rest()
            guard ciphertext.count >= Self.tagSize + AuditLimits.padding,
                (ciphertext.count - Self.tagSize).isMultiple(of: AuditLimits.padding)
            else { return nil }
        } catch {
            return nil
        }
    }

    /// The bytes before the ciphertext.
    private var header: [UInt8] { Self.header(epoch: epoch, nonce: nonce, opening: opening) }

    private static func header(epoch: UInt32, nonce: [UInt8], opening: Opening?) -> [UInt8] {
        var writer = ByteWriter(reserving: 160)
        writer.append(version)
        writer.append(opening == nil ? 0 : 1)
        writer.bigEndian(epoch)
        writer.append(nonce)
        if let opening {
            writer.append(opening.predecessor == nil ? 0 : 1)
            writer.bigEndian(opening.predecessor ?? 0)
            writer.append(opening.envelope)
        }
        return writer.bytes
    }

    /// The entry as bytes.
    var encoded: [UInt8] { header + ciphertext }

    private static func context(log: TreeHash, sequence: UInt64, header: [UInt8]) -> [UInt8] {
        Purpose.entry + log.bytes + sequence.bigEndianBytes + header
    }

    /// Seals a record.
    ///
    /// - Parameter nonce: random. A counter would repeat after an interrupted write, or when a machine is set back to
    ///   an earlier state, and a repeated nonce discloses both plaintexts.
    static func seal(
        _ record: AuditRecord, key: SymmetricKey, epoch: UInt32, nonce: [UInt8], opening: Opening?, log: TreeHash,
        sequence: UInt64
    ) -> [UInt8] {
        let header = header(epoch: epoch, nonce: nonce, opening: opening)
        let text = record.encoded
        let size = (text.count + 2 + AuditLimits.padding - 1) / AuditLimits.padding * AuditLimits.padding
        var plaintext: [UInt8] = []
        plaintext.reserveCapacity(size)
        plaintext += [UInt8(truncatingIfNeeded: text.count >> 8), UInt8(truncatingIfNeeded: text.count)]
        plaintext += text
        plaintext += repeatElement(0, count: size - plaintext.count)
        do {
            let box = try AES.GCM.seal(
                plaintext, using: key, nonce: AES.GCM.Nonce(data: nonce),
                authenticating: context(log: log, sequence: sequence, header: header))
            var entry = header
            entry.reserveCapacity(header.count + size + tagSize)
            entry += box.ciphertext
            entry += box.tag
            return entry
        } catch {
            // Only a wrong size of key or nonce would be refused, and both sizes are fixed.
            preconditionFailure("AES-256-GCM refused to seal")
        }
    }

    enum Opened {
        case record(AuditRecord)
        /// A byte, the key, the log or the sequence number differs.
        case forged
        /// The seal is valid, and the record in it is not well formed.
        case unreadable
    }

    /// Opens the entry.
    func open(key: SymmetricKey, log: TreeHash, sequence: UInt64) -> Opened {
        let context = Self.context(log: log, sequence: sequence, header: header)
        guard let nonce = try? AES.GCM.Nonce(data: nonce),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce, ciphertext: ciphertext.dropLast(Self.tagSize), tag: ciphertext.suffix(Self.tagSize)),
            let plaintext = try? AES.GCM.open(box, using: key, authenticating: context)
        else { return .forged }
        let bytes = [UInt8](plaintext)
        guard var reader = try? ByteReader(bytes, limit: bytes.count),
            let count = try? reader.bigEndian(UInt16.self), let text = try? reader.bytes(Int(count)),
            reader.rest().allSatisfy({ $0 == 0 }), let record = try? AuditRecord(decoding: Array(text))
        else { return .unreadable }
        return .record(record)
    }
}
