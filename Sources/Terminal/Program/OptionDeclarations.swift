package import ArgumentParser

extension ArgumentHelp {
    /// The help of an option or argument with a value.
    ///
    /// - Parameter name: the name of the value in the usage, as in `--limit <number>`.
    package static func value(
        _ name: String, _ text: String, visibility: ArgumentVisibility = .default
    ) -> ArgumentHelp {
        ArgumentHelp(text, valueName: name, visibility: visibility)
    }
}

/// Options whose value is the path of a file or folder. Shells complete it.
extension Option where Value == String {
    /// Declares the required path of a file.
    package init(name: NameSpecification = .long, file help: String, extensions: [String] = []) {
        self.init(name: name, help: .value("file", help), completion: .file(extensions: extensions))
    }

    /// Declares the required path of a folder.
    package init(name: NameSpecification = .long, folder help: String) {
        self.init(name: name, help: .value("folder", help), completion: .directory)
    }
}

extension Option where Value == String? {
    /// Declares the path of a file.
    package init(name: NameSpecification = .long, file help: String, extensions: [String] = []) {
        self.init(name: name, help: .value("file", help), completion: .file(extensions: extensions))
    }

    /// Declares the path of a folder.
    package init(name: NameSpecification = .long, folder help: String) {
        self.init(name: name, help: .value("folder", help), completion: .directory)
    }
}

extension Option where Value == [String] {
    /// Declares an option that is given once for each file, at least once.
    package init(name: NameSpecification = .long, file help: String, extensions: [String] = []) {
        self.init(name: name, help: .value("file", help), completion: .file(extensions: extensions))
    }

    /// Declares an option that is given once for each file.
    package init(
        wrappedValue: [String], name: NameSpecification = .long, file help: String, extensions: [String] = []
    ) {
        self.init(
            wrappedValue: wrappedValue, name: name, help: .value("file", help),
            completion: .file(extensions: extensions))
    }

    /// Declares an option that is given once for each folder.
    package init(wrappedValue: [String], folder help: String) {
        self.init(wrappedValue: wrappedValue, help: .value("folder", help), completion: .directory)
    }
}
