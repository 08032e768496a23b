import Testing

@testable import Redaction

@Suite("Tokens that their services mark")
struct TokenKindTests {
    /// Where a token stands in a text that does not say what it is.
    private static let places: [(before: String, after: String)] = [
        ("", ""), ("cloning with ", " now"), ("\"", "\","), ("value=", "\n"), ("(", ")"), ("see ", "."), ("a: '", "'"),
        ("https://example.com/x/", "/y"), ("{\"v\":\"", "\"}"), ("export X=", ";"), ("<v>", "</v>"), ("\t", "\r\n"),
    ]

    @Test("generated samples of every service are redacted whole, wherever they stand")
    func recall() {
        var random = SeededGenerator()
        var (samples, missed) = (0, [String]())
        for (name, shape) in TokenShapes.all {
            for number in 0..<36 {
                let token = TokenShapes.sample(shape, &random)
                let place = Self.places[number % Self.places.count]
                let redacted = Redactor().redacted(place.before + token + place.after)
                samples += 1
                if !redacted.contains("[redacted: ") || Self.shows(token, in: redacted) {
                    missed.append("\(name): \(place.before)\(token)\(place.after) -> \(redacted)")
                }
            }
        }
        #expect(
            missed.isEmpty,
            "\(missed.count) of \(samples): \(Set(missed.map { $0.prefix { $0 != ":" } })) \(missed.prefix(8))")
        #expect(TokenShapes.all.count > 140 && samples > 5_000)
    }

    /// Whether ten characters of a token are left.
    private static func shows(_ token: String, in text: String) -> Bool {
        let characters = Array(token)
        return (0...(characters.count - 10)).contains { text.contains(String(characters[$0..<($0 + 10)])) }
    }

    @Test("each kind has a prefix of two characters or more and a description of its format")
    func table() {
        #expect(TokenKind.all.count > 150)
        for kind in TokenKind.all {
            #expect(
                kind.prefix.utf8.count >= 2 && !kind.service.isEmpty && kind.size.lowerBound >= 8, "\(kind.service)")
        }
        #expect(Set(TokenKind.all.map(\.prefix)).count == TokenKind.all.count)
    }

    @Test(
        "names of programs that begin as tokens do stay",
        arguments: [
            "sk_buff_head_init_class_and_more", "sk_X509V3_EXT_METHOD_new_null_value",
            "re_compile_fastmap_iter_for_words",
            "sk-learn-classifier-of-many-words-in-a-row", "hf_get_model_from_pretrained_weights",
            "live_migration_of_virtual_machines",
            "key-value-stores-with-many-words-and-more", "test_that_a_very_long_name_of_a_test_is_kept_as_it_is",
            "secret_service_collection_for_alias_dbus", "GR1348941", "AKIA", "pat.example.com", "API-DESCRIPTION",
            "npm_config_registry_of_this_machine_only", "SKETCHES", "xoxb-", "sha256~", "glc_", "ops_center",
            "SG.Collections.Generic.Dictionary.KeyCollection.Enumerator.Current.Value.Text",
            "hooks.slack.com/services/README", "12:AAbc", "1.2.3-rc.1~2", "dop_v1_xxxxxxxxxxxxxxxx",
        ])
    func kept(_ text: String) { #expect(Redactor().redacted(text) == text) }

    @Test(
        "the address of a webhook is a secret",
        arguments: [
            "https://hooks.slack.com/services/T01ABCDEF/B01ABCDEF/abcdefghijklmnop1234WXYZ",
            "https://discord.com/api/webhooks/112233445566778899/abcDEF123abcDEF123abcDEF123",
            "https://example.webhook.office.com/webhookb2/7b1c6f0e-4f5b-4a51@9d0f/IncomingWebhook/3f1c2b7a9e55",
            "https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_/sendMessage",
        ])
    func hooks(_ address: String) {
        let redacted = Redactor().redacted("POST \(address) 200")
        #expect(redacted.hasPrefix("POST https://") && redacted.hasSuffix(" 200"))
        #expect(!redacted.contains("abcdefghijklmnop") && !redacted.contains("abcDEF") && !redacted.contains("3f1c2b"))
        #expect(!redacted.contains("AAHdq"))
    }
}
