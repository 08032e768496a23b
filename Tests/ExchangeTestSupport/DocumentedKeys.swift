/// The keys of the exchanges' documentation: public test values.
package enum DocumentedKeys {
    package static let binanceKey = "vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A"
    package static let binanceSecret = "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j"
    package static let binancePEM = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIIJEYWtGBrhACmb9Dvy+qa8WEf0lQOl1s4CLIAB9m89u
        -----END PRIVATE KEY-----

        """
    package static let krakenSecret =
        "kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg=="
    /// A key in the form of Kraken's: Base64 of 42 bytes.
    package static let krakenKey = "8wYlDpWL9mFQ/XkWqvA+E3mYlTb/KZrVnF4uJZt0aOqTqk+S1hGgB7mP"
}
