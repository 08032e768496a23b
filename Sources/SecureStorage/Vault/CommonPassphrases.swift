/// The words and phrases that people choose most, in lower case and the normal form NFKD, without blanks, and without
/// digits and punctuation at their end.
enum CommonPassphrases {
    static let stems = [
        // The word itself, and variations of it.
        "password", "passwort", "passphrase", "passw0rd", "p@ssword", "p@ssw0rd", "pass", "passcode", "mypassword",
        "mypassphrase", "secret", "topsecret", "geheim", "kennwort", "motdepasse", "contrasen\u{303}a", "changeme",
        "default",
        "test", "testing", "temp", "guest", "admin", "administrator", "root", "login", "user", "username",
        "welcome", "hello", "helloworld", "hallo", "letmein", "opensesame", "sesame", "abracadabra", "whatever",
        "access",
        // Rows of keys with gaps.
        "qwerty", "qwertz", "azerty", "qazwsx", "zaq1zaq", "1q2w3e4r", "1qaz2wsx", "abc", "asdf", "asd", "zxcvbn",
        // What people like.
        "iloveyou", "ichliebedich", "ihateyou", "princess", "sunshine", "monkey", "dragon", "football", "baseball",
        "soccer", "superman", "batman", "pokemon", "starwars", "master", "shadow", "michael", "jennifer", "charlie",
        "freedom", "trustno", "ninja", "killer", "flower", "cheese", "summer", "winter", "computer", "internet",
        // Money.
        "bitcoin", "satoshi", "satoshinakamoto", "ethereum", "crypto", "wallet", "mywallet", "bitcoinwallet", "money",
        "tothemoon", "hodl", "notyourkeysnotyourcoins",
        // Known sentences.
        "maytheforcebewithyou", "tobeornottobe", "tobeornottobethatisthequestion",
        "thequickbrownfoxjumpsoverthelazydog",
    ]
}
