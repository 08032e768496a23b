/// An amount in `--json`, for every command: in the smallest unit, as decimal text.
@propertyWrapper
struct SmallestUnit: Decodable, Equatable {
    let wrappedValue: Int64

    init(wrappedValue: Int64) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Int64(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is no amount")
        }
        wrappedValue = value
    }
}
