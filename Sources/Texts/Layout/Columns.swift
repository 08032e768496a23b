/// The maximum width of a text's lines, in columns.
package struct Columns: Sendable, Equatable {
    /// The columns for sentences of this program.
    package let sentences: Int
    /// The columns for rows of foreign text, which no terminal may break.
    package let foreign: Int

    package init(sentences: Int, foreign: Int) {
        self.sentences = sentences
        self.foreign = foreign
    }
}
