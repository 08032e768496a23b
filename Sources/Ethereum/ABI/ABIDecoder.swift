internal import Amounts

extension ABI {
    /// Reads the arguments of a call, without the selector before them.
    ///
    /// Accepted input encodes to the same bytes again: each value follows the one before, so that none is read twice,
    /// and every byte has a meaning.
    ///
    /// - Throws: ``EthereumError/badABI(_:)``.
    public static func decode(_ bytes: some Collection<UInt8>, as types: [ABIType]) throws(EthereumError) -> [ABIValue]
    {
        guard bytes.count <= EthereumLimits.ethereumTransactionBytes else {
            throw .badABI(.tooLong(limit: EthereumLimits.ethereumTransactionBytes))
        }
        let decoder = Decoder(bytes: Array(bytes))
        let (values, end) = try decoder.values(types, at: 0)
        guard end == decoder.bytes.count else { throw .badABI(.leftOver(count: decoder.bytes.count - end)) }
        return values
    }

    private struct Decoder {
        let bytes: [UInt8]

        /// Reads adjacent values, whose offsets count from the first; returns them and the end of the last.
        func values(_ types: [ABIType], at start: Int) throws(EthereumError) -> (values: [ABIValue], end: Int) {
            var position = start
            var tail = start + types.reduce(0) { $0 + $1.headSize }
            guard tail <= bytes.count else { throw .badABI(.truncated) }
            var values: [ABIValue] = []
            for type in types {
                guard type.headSize > 0 else { throw .badABI(.wrongType) }
                if type.isDynamic {
                    guard try count(at: position, else: .offset) == tail - start else { throw .badABI(.offset) }
                    let (value, end) = try dynamic(type, at: tail)
                    values.append(value)
                    tail = end
                } else {
                    values.append(try fixed(type, at: position))
                }
                position += type.headSize
            }
            return (values, tail)
        }

        private func dynamic(_ type: ABIType, at start: Int) throws(EthereumError) -> (value: ABIValue, end: Int) {
            switch type {
            case .bytes:
                let (bytes, end) = try content(at: start)
                return (.bytes(bytes), end)
            case .string:
                let (bytes, end) = try content(at: start)
                guard let text = String(validating: bytes, as: UTF8.self) else { throw .badABI(.text) }
                return (.string(text), end)
            case .array(let element, let fixed):
                let count = if let fixed { fixed } else { try count(at: start, else: .truncated) }
                let first = fixed == nil ? start + 32 : start
                // Each takes at least 32 bytes, which must exist before memory is allocated.
                guard count <= (bytes.count - first) / 32 else { throw .badABI(.truncated) }
                let (values, end) = try values([ABIType](repeating: element, count: count), at: first)
                return (.array(values), end)
            case .tuple(let types):
                let (values, end) = try values(types, at: start)
                return (.tuple(values), end)
            default: throw .badABI(.wrongType)
            }
        }

        private func fixed(_ type: ABIType, at start: Int) throws(EthereumError) -> ABIValue {
            switch type {
            case .array(let element, let count):
                return .array(try values([ABIType](repeating: element, count: count ?? 0), at: start).values)
            case .tuple(let types): return .tuple(try values(types, at: start).values)
            default: break
            }
            let word = try word(at: start)
            switch type {
            case .uint(let bits):
                guard let number = try? UInt256(bytes: word), number.bitWidth <= bits else { throw .badABI(.dirty) }
                return .uint(number)
            case .int(let bits):
                guard let number = try? Int256(bytes: word), number.fits(bits: bits) else { throw .badABI(.dirty) }
                return .int(number)
            case .bool:
                guard word.dropLast().allSatisfy({ $0 == 0 }), let last = word.last, last < 2 else {
                    throw .badABI(.dirty)
                }
                return .bool(last == 1)
            case .address:
                guard word.prefix(12).allSatisfy({ $0 == 0 }) else { throw .badABI(.dirty) }
                return .address(try EthereumAddress(bytes: word.dropFirst(12)))
            case .fixedBytes(let count):
                guard word.dropFirst(count).allSatisfy({ $0 == 0 }) else { throw .badABI(.dirty) }
                return .bytes(Array(word.prefix(count)))
            default: throw .badABI(.wrongType)
            }
        }

        /// Reads a length, that many bytes, and zeros up to a multiple of 32.
        private func content(at start: Int) throws(EthereumError) -> (bytes: [UInt8], end: Int) {
            let count = try count(at: start, else: .truncated)
            let first = start + 32
            guard count <= bytes.count - first else { throw .badABI(.truncated) }
            let padding = (32 - count % 32) % 32
            guard padding <= bytes.count - first - count else { throw .badABI(.truncated) }
            let end = first + count + padding
            guard bytes[(first + count)..<end].allSatisfy({ $0 == 0 }) else { throw .badABI(.dirty) }
            return (Array(bytes[first..<(first + count)]), end)
        }

        private func word(at start: Int) throws(EthereumError) -> ArraySlice<UInt8> {
            guard start >= 0, start <= bytes.count - 32 else { throw .badABI(.truncated) }
            return bytes[start..<(start + 32)]
        }

        /// Reads a number of bytes or elements. A number above the remaining size throws the fault.
        private func count(at start: Int, else fault: Fault) throws(EthereumError) -> Int {
            let word = try word(at: start)
            guard let number = (try? UInt256(bytes: word))?.uint64, let count = Int(exactly: number),
                count <= bytes.count
            else { throw .badABI(fault) }
            return count
        }
    }
}
