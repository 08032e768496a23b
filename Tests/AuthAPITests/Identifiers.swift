import AuthAPI
import Encoding

func id<Named>(_ byte: UInt8) -> Identifier<Named> {
    guard let id = Identifier<Named>(bytes: [UInt8](repeating: byte, count: 16)) else {
        preconditionFailure("16 bytes are an identifier")
    }
    return id
}

func json(_ text: String) throws -> JSON { try JSON(decoding: text) }
