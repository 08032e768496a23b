/// The purpose of each derived key, as the text that separates it from the others (HKDF's `info`).
enum Purpose {
    static let slot = [UInt8]("fueki vault v1 slot".utf8)
    static let deviceAuthorization = [UInt8]("fueki vault v2 device authorization".utf8)
    static let deviceSlot = [UInt8]("fueki vault v2 device slot".utf8)
    static let header = [UInt8]("fueki vault v1 header".utf8)
    static let index = [UInt8]("fueki vault v1 index".utf8)
    static let item = [UInt8]("fueki vault v1 item".utf8)
    static let values = [UInt8]("fueki sealed file v1".utf8)
}
