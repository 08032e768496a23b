import Foundation
import Testing

@testable import Redaction

@Suite("Names and places of secrets")
struct PlaceTests {
    private static func redacted(_ text: String) -> String { Redactor().redacted(text) }

    @Test(
        "a value behind a name is redacted",
        arguments: [
            "DB_PASS=hunter2", "DB_PASS=swordfish", "pass: hunter2", "pswd=hunter2", "db.password = hunter2",
            "pw=hunter2",
            "auth=Zx81kq0PLm22Wq9s", "otp=271828", "\"otp\": \"271828\"", "passcode: 47110", "appKey=abcd1234efgh",
            "SECRET_KEY_BASE=3f786850e387550fdab836ed7e6dc881de23001b3f786850e387550fdab836ed",
            "AWS_ACCESS_KEY_ID=ZKIA2Q7RTLM4XYP5WVUN", "dsn=ada:hunter2pw@tcp(db:3306)/app",
            "STRIPE_KEY=q83JfLw0aPz71MnXc55T",
            "APP_KEY=3f786850e387550fdab836ed7e6dc881", "SUPABASE_SERVICE_ROLE_KEY: q83JfLw0aPz71MnXc55T",
            "\"serviceKey\": \"q83JfLw0aPz71MnXc55T\"", "LoginRequest(username=ada, password=swordfish)",
            "{User:ada Password:swordfish}", "password = swordfish\n", "export TOKEN=abc12345",
            "user: ada, password: swordfish, ip: 1",
        ])
    func names(_ text: String) {
        let redacted = Self.redacted(text)
        #expect(redacted.contains("[redacted: "), "\(redacted)")
        #expect(
            ["hunter2", "swordfish", "Zx81", "271828", "47110", "abcd1234", "3f78", "2Q7R", "q83J", "abc12345"]
                .allSatisfy {
                    !redacted.contains($0)
                }, "\(redacted)")
        #expect(Self.redacted(redacted) == redacted)
    }

    @Test(
        "a secret at a place without a sign is redacted, and nothing beside it",
        arguments: [
            ("curl -u ada:§ https://x", "hunter2"), ("curl -uada:§ https://x", "hunter2"),
            ("curl --silent --user ada:§ https://x", "hunter2"), ("curl \\\n  -u 'ada:§' https://x", "hunter2"),
            ("mysql -p§ -u root db", "hunter2"), ("mysqldump -u root --password § db", "hunter2"),
            ("pg_tool --db-password § --verbose", "swordfish"), ("fueki --token § x", "abc12345"),
            ("sshpass -p § ssh h", "hunter2"), ("redis-cli -h db -a § ping", "hunter2"),
            ("docker login -u ada -p § registry", "hunter2"), ("smbclient -U ada%§ //host/x", "hunter2"),
            ("machine example.com login ada password § account x", "hunter2"),
            ("machine example.com\n  login ada\n  password §\n", "swordfish"), ("requirepass §\n", "hunter2"),
            ("db.example.com:5432:app:ada:§\n", "s3cr3t"), ("*:*:*:ada:§", "swordfish"),
            ("{\"auths\":{\"https://index.docker.io/v1/\":{\"auth\":\"§\"}}}", "YWRhOmh1bnRlcjI="),
            ("<password>§</password>", "swordfish"), ("<ns:apiKey>§</ns:apiKey>", "a1b2c3d4"),
            ("<add key=\"DbPassword\" value=\"§\"/>", "hunter2"),
            ("<property name='api.token' value='§'/>", "abc12345"),
            ("define('DB_PASSWORD', '§');", "hunter2"), ("setenv(\"API_TOKEN\", \"§\", 1);", "abc12345"),
            ("CREATE USER ada IDENTIFIED BY '§';", "hunter2"), ("ALTER USER ada WITH PASSWORD '§';", "swordfish"),
            ("password=\u{1B}[32m§\u{1B}[0m next", "hunter2"), ("\u{1B}[36mpassword\u{1B}[0m=§ next", "hunter2"),
            ("\u{1B}[1;36mtoken\u{1B}[0m: \u{1B}[33m§\u{1B}[39m", "abc12345"),
            ("{\"m\":\"\\u001b[36mpassword\\u001b[0m=§\"}", "hunter2"), ("\\x1b[36mpassword\\x1b[0m=§", "hunter2"),
        ])
    func places(_ text: String, _ secret: String) {
        let redacted = Self.redacted(text.replacing("§", with: secret))
        let parts = text.split(separator: "§", omittingEmptySubsequences: false)
        #expect(!redacted.contains(secret), "\(redacted)")
        #expect(redacted.hasPrefix(parts[0]) && redacted.hasSuffix(parts[1]), "\(redacted)")
        #expect(redacted.dropFirst(parts[0].count).hasPrefix("[redacted: "), "\(redacted)")
        #expect(Self.redacted(redacted) == redacted)
    }

    @Test(
        "what manuals, programs and tables write about secrets stays",
        arguments: [
            "use --password to set a password", "  --password PASSWORD   the password", "fueki --token <token>",
            "mysql -p db",
            "mkdir -p a/b", "docker run -p 8080:80 x", "curl -u $USER:$PASSWORD https://x", "ssh -p 22 host",
            "git commit -a --author x", "let password = try prompt.password()", "self.token = token",
            "password: String,",
            "init(password: borrowing SecretBytes)", "password = getpass.getpass()", "token = parser.next(after: name)",
            "if token == expected { return }", "    secret: key1,", "f(secret: seed2)", "PASS: test-of-something",
            "case .password: \"The password must have 12 characters.\"", "\"max_tokens\": 4096, \"total_tokens\": 57",
            "password: **********", "password=${DB_PASSWORD}", "password: {{ vault_password }}", "token=$TOKEN",
            "tokens: 12, seeds: 4", "pin = 4", "first pass: determine the size", "https://user:password@example.com/",
            "https://example.com/r?branch=feature-123-some-long-name-of-a-branch", "src/a.swift:12:5: error: no",
            "10:22:33:44:55:66", "2001:db8:85a3:8d3:1319:8a2e:370:7348",
            "\"key\": \"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b\"",
            "public_key=MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE", "auth: true", "auth=none",
            "Authorization: the header has a token", "Basic authentication and bearer tokens are explained there",
            "\"password\": {\"type\": \"string\", \"minLength\": 8}", "found({\"Secrets\": [\"Curves\"]})", "PWD=/root",
            "private static let header = [UInt8](\"-----BEGIN PRIVATE KEY-----\".utf8)", "class FooPass : public Bar {",
            "the passphrase: the words that open it", "let key: SecureEnclave.P256.Signing.PrivateKey",
        ])
    func kept(_ text: String) { #expect(Self.redacted(text) == text) }

    @Test(
        "JSON stays JSON, and no secret in an array, an object or a number is left",
        arguments: [
            #"{"password": ["s3cret","swordfish"], "n": [1,2]}"#,
            #"{"password": {"old": "s3cret", "new": 47111}, "n": 5}"#,
            #"{"pin": 47111}"#, #"{"pin" : 47111 , "n":5}"#, #"{"passcode":[47111,47112]}"#,
            #"{"body":"{\"pin\":47111,\"password\":[\"s3cret\"]}"}"#, #"{"m":"Authorization: Bearer s3cret99","x":1}"#,
            #"{"m":"Cookie: a=\"s3cret\"; b=c","x":1}"#, #"{"m":"password=s3cret\"","x":1}"#,
            #"{"m":"password=\"s3cret\" x","x":"y"}"#, #"{"tokens":["s3cret99",{"a":"s3cret98"}],"x":1}"#,
            #"{"password": [], "token": {}, "secret": null, "credentials": {"id": "s3cret99"}}"#,
            #"{"m":"-----BEGIN PRIVATE KEY-----\ns3cret","x":1}"#, #"[{"m":"curl -u a:s3cret","x":1}]"#,
            #"{"m":"curl -u \"a:s3cret\" x","x":1}"#, #"{"password":"s3cret\\"}"#, #"{"password":"s3\"cret"}"#,
            "{\"password\":\n  [\n    \"s3cret\"\n  ]\n}", #"{"m":"mysql -ps3cret","x":[1]}"#,
            #"{"m":"https://u:s3cret9@h/?code=s3cret","x":1}"#, #"{"otp":471110}"#,
            #"{"m":"{\"a\":\"{\\\"pin\\\":47111}\"}"}"#,
        ])
    func json(_ text: String) throws {
        let redacted = Self.redacted(text)
        _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
        _ = try JSONSerialization.jsonObject(with: Data(redacted.utf8))
        #expect(["s3", "swordfish", "4711"].allSatisfy { !redacted.contains($0) }, "\(redacted)")
        #expect(redacted.contains("[redacted: ") && Self.redacted(redacted) == redacted, "\(redacted)")
    }

    @Test("random JSON with secrets in it stays JSON")
    func randomJSON() throws {
        var random = SeededGenerator()
        let words = [
            "password", "token", "m", "pin", "word", "list", "key", "Cookie", "auth", "legal", "winner", "\u{1B}[1mx",
        ]
        func value(_ depth: Int) -> Any {
            switch Int.random(in: 0..<(depth > 3 ? 5 : 7), using: &random) {
            case 0: return Int.random(in: 0...999_999, using: &random)
            case 1: return PatternTests.phrase
            case 2: return "password=\"a b\\\" \(words.randomElement(using: &random) ?? "")=x1y2z3w4 -u a:b"
            case 3:
                return ["x1y2z3w4q5", "Authorization: Bearer a1b2c3d4", "-----BEGIN PRIVATE KEY-----\nAA", "legal"]
                    .randomElement(using: &random) ?? ""
            case 4: return NSNull()
            case 5: return (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth + 1) }
            default:
                return Dictionary(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        (words.randomElement(using: &random) ?? "", value(depth + 1))
                    }, uniquingKeysWith: { first, _ in first })
            }
        }
        for _ in 0..<2_000 {
            var data = try JSONSerialization.data(withJSONObject: ["v": value(0)], options: [.sortedKeys])
            if Bool.random(using: &random) {
                data = try JSONSerialization.data(withJSONObject: ["b": String(decoding: data, as: UTF8.self)])
            }
            let text = String(decoding: data, as: UTF8.self)
            let redacted = Self.redacted(text)
            #expect((try? JSONSerialization.jsonObject(with: Data(redacted.utf8))) != nil, "\(text) -> \(redacted)")
        }
    }
}
