/// Texts that would have an effect if they ever became part of a statement.
package enum Injections {
    package static let texts = [
        "'; DROP TABLE accounts; --", "' OR '1'='1", "\" OR \"\"=\"", "$1", "?1", ":name",
        "\\'; SELECT pg_sleep(10); --", "%s%n",
        "$$; DROP TABLE devices; $$", "/* */", "\u{2019}; --", "NULL", "", " ", "\u{feff}", "\u{202e}", "\u{1F600}",
        "\u{0301}", "\r\n\t", "\u{1}", "E'\\000'", "' || (SELECT hash FROM recovery_codes) || '",
        "1); DELETE FROM refresh_tokens; --", "\\x00", "CAST('x' AS BYTEA)",
    ]
}
