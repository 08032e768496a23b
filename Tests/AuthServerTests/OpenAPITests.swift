internal import AuthAPI
internal import Encoding
internal import ServerHTTP
internal import Testing

@testable internal import AuthServer
@testable internal import AuthServerTestSupport

/// The schemas of `openapi.json`, compared with what the server and its clients send.
@Suite("openapi.json")
struct OpenAPITests {
    @Test("options and credentials have the members that openapi.json declares, and all that it requires")
    func ceremonies() async throws {
        try await TestServer.with { server in
            let document = try JSON(decoding: PackageResources.openapi_json, limit: 1 << 20)
            let schemas = try #require(document["components"]?["schemas"])
            func check(_ value: JSON, _ schema: JSON, at place: String) throws {
                if let name = schema["$ref"]?.string?.split(separator: "/").last {
                    return try check(value, try #require(schemas[String(name)]), at: place)
                }
                if let elements = value.array {
                    let items = try #require(schema["items"], "\(place) is not a list")
                    for element in elements { try check(element, items, at: place) }
                }
                guard let object = value.object else { return }
                for name in (schema["required"]?.array ?? []).compactMap(\.string) {
                    #expect(object.names.contains(name), "\(place).\(name) is missing")
                }
                for member in object.members {
                    let place = "\(place).\(member.name)"
                    // A member of an object that the schema leaves open.
                    guard let properties = schema["properties"] else { continue }
                    let declared = try #require(properties[member.name], "\(place) is not declared")
                    try check(member.value, declared, at: place)
                }
            }
            func schema(_ path: String, _ keys: String...) throws -> JSON {
                try keys.reduce(try #require(document["paths"]?[path]?["post"])) { try #require($0[$1]) }
            }
            let (phone, keys) = (server.device(), server.authenticator())
            for (step, isRegistration) in [("register", true), ("authenticate", false), ("register", true)] {
                let path = "/api/auth/passkey/\(step)"
                let isFirst = phone.tokens == nil
                let options =
                    isRegistration
                    ? isFirst ? try await phone.signUpOptions() : try await phone.addPasskeyOptions()
                    : try await phone.stepUpOptions()
                let answer = try schema("\(path)/options", "responses", "200", "content", "application/json", "schema")
                try check(options, answer, at: "\(step) options")
                let authenticator = isRegistration && !isFirst ? server.authenticator() : keys
                let credential =
                    isRegistration ? try authenticator.register(options) : try authenticator.authenticate(options)
                let body = try schema(
                    path, "requestBody", "content", "application/json", "schema", "properties", "credential")
                try check(credential, body, at: step)
                if isFirst { try await phone.register(credential, accountName: "Ada") }
            }
        }
    }
}
