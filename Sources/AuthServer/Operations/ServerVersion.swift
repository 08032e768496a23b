/// The version of the server.
public enum ServerVersion {
    /// As `fuekid --version` prints it.
    public static let text = "0.1.0"
}
