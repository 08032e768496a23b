internal import CPostgres

/// Values in libpq's form: never a part of a statement's text.
struct PostgreSQLValues {
    private var storage: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// - Throws: ``StoreError/unstorable``.
    init(_ values: [SQLValue]) throws(StoreError) {
        for value in values {
            guard value.isStorable else { throw .unstorable }
            switch value {
            case .null: append(nil, isBinary: false)
            // As text, so that the database can convert it to the integer type that it expects.
            case .integer(let integer): append(Array(String(integer).utf8), isBinary: false)
            case .text(let text): append(Array(text.utf8), isBinary: false)
            case .bytes(let bytes): append(bytes, isBinary: true)
            }
        }
    }

    private mutating func append(_ bytes: [UInt8]?, isBinary: Bool) {
        offsets.append(bytes == nil ? nil : storage.count)
        lengths.append(Int32(clamping: bytes?.count ?? 0))
        formats.append(isBinary ? 1 : 0)
        guard let bytes else { return }
        storage += bytes
        // Texts end with a zero, and empty values also need an address.
        storage.append(0)
    }

    /// Calls `body` with the count, the values, their lengths and their formats.
    func withPointers<Result>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        storage.withUnsafeBytes { storage in
            let pointers = offsets.map { offset in
                offset.flatMap { storage.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
            }
            return pointers.withUnsafeBufferPointer { pointers in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(Int32(pointers.count), pointers.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}

/// The rows of a statement in libpq's binary form.
enum PostgreSQLRows {
    /// Reads the rows of a result.
    ///
    /// - Throws: ``StoreError/unexpectedColumn(_:)`` for a type that our columns do not have.
    static func read(_ result: OpaquePointer) throws(StoreError) -> [SQLRow] {
        let columns = PQnfields(result)
        let types = (0..<columns).map { PQftype(result, $0) }
        var rows: [SQLRow] = []
        rows.reserveCapacity(Int(PQntuples(result)))
        for row in 0..<PQntuples(result) {
            var values: [SQLValue] = []
            values.reserveCapacity(Int(columns))
            for (column, type) in types.enumerated() {
                values.append(try value(result, row, Int32(column), type))
            }
            rows.append(SQLRow(values))
        }
        return rows
    }

    private static func value(
        _ result: OpaquePointer, _ row: Int32, _ column: Int32, _ type: UInt32
    ) throws(StoreError) -> SQLValue {
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else { return .null }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
        // The numbers of types never change: src/include/catalog/pg_type.dat.
        switch type {
        // bool, int8, int2, int4: big-endian, of as many bytes as their names say.
        case 16, 20, 21, 23:
            guard let first = bytes.first, bytes.count <= 8 else { throw .unexpectedColumn(Int(column)) }
            let sign: UInt64 = first & 0x80 == 0 ? 0 : .max
            return .integer(Int64(bitPattern: bytes.reduce(sign) { $0 << 8 | UInt64($1) }))
        case 17: return .bytes([UInt8](bytes))
        // text, varchar
        case 25, 1043: return .text(String(decoding: bytes, as: UTF8.self))
        // void
        case 2278: return .null
        default: throw .unexpectedColumn(Int(column))
        }
    }
}
