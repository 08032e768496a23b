/// The version of the server.
public enum ServerVersion {
    /// The text that `fuekid --version` prints.
    public static let text = "0.1.0"
}
