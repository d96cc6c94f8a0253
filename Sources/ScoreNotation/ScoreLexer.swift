// SPDX-License-Identifier: Apache-2.0

/// Splits a score into statements, and statements into tokens.
///
/// A statement ends at the end of its line or at a semicolon. A line that begins with a space
/// continues the previous statement. A `#` at the start of a word begins a comment.
struct ScoreLexer {
  private let text: [Character]
  private var index = 0
  private var place = ScorePlace()
  private var statements: [[ScoreToken]] = []
  private var statement: [ScoreToken] = []
  private var previousEnd = -1
  private var tokenCount = 0

  private static let marks: Set<Character> = ["(", ")", "{", "}", "&", "|", "["]

  static func statements(of text: String) throws(ScoreError) -> [[ScoreToken]] {
    var lexer = ScoreLexer(text)
    try lexer.run()
    return lexer.statements
  }

  private init(_ text: String) {
    // Some editors write a byte order mark at the beginning.
    self.text = Array(text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...])
  }

  private mutating func advance() {
    if text[index].isNewline {
      place = ScorePlace(line: place.line + 1, column: 1)
    } else {
      place.column += 1
    }
    index += 1
  }

  private mutating func endStatement() {
    if !statement.isEmpty { statements.append(statement) }
    statement = []
  }

  private mutating func run() throws(ScoreError) {
    while index < text.count {
      let character = text[index]
      if character.isNewline {
        advance()
        if index < text.count, !text[index].isWhitespace { endStatement() }
      } else if character.isWhitespace {
        advance()
      } else if character == "#" {
        while index < text.count, !text[index].isNewline { advance() }
      } else if character == ";" {
        advance()
        endStatement()
      } else if character == "\"" {
        try quoted()
      } else if Self.marks.contains(character) {
        try append(.mark, String(character), at: place, from: index)
        advance()
        previousEnd = index
      } else {
        try word()
      }
    }
    endStatement()
  }

  private mutating func append(
    _ kind: ScoreToken.Kind, _ text: String, at place: ScorePlace, from start: Int
  ) throws(ScoreError) {
    tokenCount += 1
    // Words can be in brackets, and in phrases that are not played.
    guard tokenCount <= 3 * ScoreReader.workLimit else {
      throw ScoreError(
        place, text, "makes the score too long",
        allowed: "at most \(3 * ScoreReader.workLimit) words and brackets")
    }
    statement.append(
      ScoreToken(kind: kind, text: text, place: place, isAdjacent: start == previousEnd))
  }

  private mutating func word() throws(ScoreError) {
    let (start, begin) = (index, place)
    // In $phrase*4 the repeat is a separate word; in $note/1*4 it belongs to the length.
    var isPhrase = text[start] == "$"
    repeat {
      advance()
      if index < text.count, text[index] == "/" { isPhrase = false }
    } while index < text.count && isInsideWord(text[index]) && !(isPhrase && text[index] == "*")
    try append(.word, String(text[start..<index]), at: begin, from: start)
    previousEnd = index
  }

  private func isInsideWord(_ character: Character) -> Bool {
    !character.isWhitespace && character != "]" && character != ";" && character != "\""
      && !Self.marks.contains(character)
  }

  private mutating func quoted() throws(ScoreError) {
    let (start, begin) = (index, place)
    advance()
    while index < text.count, text[index] != "\"", !text[index].isNewline { advance() }
    guard index < text.count, text[index] == "\"" else {
      throw ScoreError(
        begin, String(text[start..<index]), "is not closed", allowed: "close it with \" on its line"
      )
    }
    try append(.quoted, String(text[start + 1..<index]), at: begin, from: start)
    advance()
    previousEnd = index
  }
}
