/// A class of data as a type. See ``DataClass`` for the classes, and the protocols that refine this one for the
/// storages that each class allows.
public protocol Classification: Sendable {
    /// The class.
    static var dataClass: DataClass { get }
}

/// A class whose data may be kept in a ``SecretStore``.
public protocol AllowedInSecretStore: Classification {}

/// A class whose data may be kept in a ``SealedFile``.
public protocol AllowedInSealedFile: Classification {}

/// A class whose data may be kept in a ``PlainFile``.
public protocol AllowedInPlainFile: Classification {}

/// ``DataClass/critical`` data: only in a ``SecretStore``.
public enum CriticalData: AllowedInSecretStore {
    public static var dataClass: DataClass { .critical }
}

/// ``DataClass/sensitive`` data: in a ``SecretStore`` or a ``SealedFile``.
public enum SensitiveData: AllowedInSecretStore, AllowedInSealedFile {
    public static var dataClass: DataClass { .sensitive }
}

/// ``DataClass/internal`` data: in a ``SealedFile`` or a ``PlainFile``.
public enum InternalData: AllowedInSealedFile, AllowedInPlainFile {
    public static var dataClass: DataClass { .internal }
}

/// ``DataClass/public`` data: in a ``PlainFile``.
public enum PublicData: AllowedInPlainFile {
    public static var dataClass: DataClass { .public }
}
