package import AuthAPI
package import SQLStore

extension SQLValue {
    package static func id<Named>(_ id: Identifier<Named>) -> SQLValue { .bytes(id.bytes) }
    package static func id<Named>(_ id: Identifier<Named>?) -> SQLValue { id.map { .bytes($0.bytes) } ?? .null }
}

extension SQLRow {
    package func id<Named>(_ column: Int, as type: Identifier<Named>.Type = Identifier<Named>.self)
        throws(StoreError) -> Identifier<Named>
    {
        guard let id = Identifier<Named>(bytes: try bytes(column)) else { throw .unexpectedColumn(column) }
        return id
    }
}
