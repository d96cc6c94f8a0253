// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

extension ScoreDraft {
  /// The deepest nesting of groups, branches and phrases.
  private static let depthLimit = 40

  /// Reads music into a part.
  mutating func play(
    _ tokens: ArraySlice<ScoreToken>, part: Int, depth: Int
  ) throws(ScoreError) {
    guard let first = tokens.first else { return }
    guard depth <= Self.depthLimit else {
      throw ScoreError(
        first, "is nested too deeply", allowed: "at most \(Self.depthLimit) brackets and phrases")
    }
    var rest = tokens
    while let token = rest.first {
      try charge(1 + meters.count / 64, for: token)
      if token.isMark("(") {
        let inside = try takeBracketed(&rest, closing: ")")
        try repeated(&rest) { (score) throws(ScoreError) in
          try score.play(inside, part: part, depth: depth + 1)
        }
      } else if token.isMark("{") {
        let inside = try takeBracketed(&rest, closing: "}")
        try playBranches(inside, part: part, depth: depth + 1)
      } else if token.isMark("[") {
        try playChord(&rest, part: part)
      } else if token.isMark("|") {
        try checkBar(token, part: part)
        rest.removeFirst()
      } else if token.isWord, token.text.hasPrefix("$") {
        try playPhrase(&rest, part: part, depth: depth + 1)
      } else if token.isWord, GeneralMIDI.shortDrumNames[token.text] != nil {
        let lanes = try takeLanes(&rest)
        try repeated(&rest) { (score) throws(ScoreError) in
          try score.playLanes(lanes, part: part)
        }
      } else if token.isWord, token.text.hasPrefix("@") {
        try playSetting(&rest, part: part)
      } else {
        try playWord(token, part: part)
        rest.removeFirst()
      }
    }
  }

  /// Counts work, so that nested repeats end with an error instead of filling the memory.
  mutating func charge(_ amount: Int, for token: ScoreToken) throws(ScoreError) {
    work += amount
    guard work <= ScoreReader.workLimit else {
      throw ScoreError(
        token, "makes the score too long",
        allowed: "at most \(ScoreReader.workLimit) words and events with repeats written out")
    }
  }

  private func checkBar(_ token: ScoreToken, part: Int) throws(ScoreError) {
    let position = parts[part].state.position
    guard isBarLine(position) else {
      let quarter = ticksPerWhole / 4
      throw ScoreError(
        token,
        "is inside a bar, \(position / quarter) quarters and \(position % quarter) ticks "
          + "from its start", allowed: "fill the bar before it with notes or rests")
    }
  }

  /// Removes a bracket and its contents up to the matching one.
  private func takeBracketed(
    _ rest: inout ArraySlice<ScoreToken>, closing: String
  ) throws(ScoreError) -> ArraySlice<ScoreToken> {
    let opening = rest[rest.startIndex]
    var depth = 0
    for index in rest.indices {
      if rest[index].isMark(opening.text) { depth += 1 }
      if rest[index].isMark(closing) { depth -= 1 }
      if depth == 0 {
        defer { rest = rest[(index + 1)...] }
        return rest[(rest.startIndex + 1)..<index]
      }
    }
    throw ScoreError(opening, "is not closed", allowed: "close it with \(closing)")
  }

  /// Calls a closure once, or N times if `*N` follows.
  private mutating func repeated(
    _ rest: inout ArraySlice<ScoreToken>,
    _ body: (inout ScoreDraft) throws(ScoreError) -> Void
  ) throws(ScoreError) {
    var times = 1
    if let token = rest.first, token.isWord, token.text.first == "*" {
      guard let number = Int(token.text.dropFirst()), (1...1000).contains(number) else {
        throw ScoreError(token, "is not a repeat count", allowed: "*1 to *1000")
      }
      times = number
      rest.removeFirst()
    }
    for _ in 0..<times { try body(&self) }
  }

  /// Plays branches, which begin together.
  ///
  /// The part continues after the longest.
  private mutating func playBranches(
    _ inside: ArraySlice<ScoreToken>, part: Int, depth: Int
  ) throws(ScoreError) {
    let before = parts[part].state
    var end = before.position
    for branch in Self.branches(of: inside) {
      parts[part].state = before
      try play(branch, part: part, depth: depth)
      end = max(end, parts[part].state.position)
    }
    parts[part].state = before
    parts[part].state.position = end
    parts[part].state.lastNotes = 0..<0
  }

  private static func branches(of tokens: ArraySlice<ScoreToken>) -> [ArraySlice<ScoreToken>] {
    var result: [ArraySlice<ScoreToken>] = []
    var depth = 0
    var start = tokens.startIndex
    for index in tokens.indices {
      if tokens[index].isMark("{") { depth += 1 }
      if tokens[index].isMark("}") { depth -= 1 }
      if depth == 0, tokens[index].isMark("&") {
        result.append(tokens[start..<index])
        start = index + 1
      }
    }
    return result + [tokens[start...]]
  }

  /// Plays `$name` or `$name(a b)`, with repeats.
  private mutating func playPhrase(
    _ rest: inout ArraySlice<ScoreToken>, part: Int, depth: Int
  ) throws(ScoreError) {
    let token = rest.removeFirst()
    let name = String(token.text.dropFirst())
    guard let phrase = phrases[name] else {
      let known = phrases.keys.sorted().map { "$" + $0 }.joined(separator: ", ")
      throw ScoreError(
        token, "is not defined", allowed: known.isEmpty ? "def \(name) = …" : "defined are \(known)"
      )
    }
    var arguments: ArraySlice<ScoreToken> = []
    if let open = rest.first, open.isMark("("), open.isAdjacent {
      arguments = try takeBracketed(&rest, closing: ")")
    }
    guard arguments.count == phrase.parameters.count else {
      throw ScoreError(
        token, "has \(arguments.count) words in its brackets",
        allowed: "it needs \(phrase.parameters.count): "
          + phrase.parameters.joined(separator: " "))
    }
    let body = try Self.body(of: phrase, with: Array(arguments))
    try repeated(&rest) { (score) throws(ScoreError) in
      try score.play(body[...], part: part, depth: depth)
    }
  }

  /// The words of a phrase, with its parameters replaced by the arguments.
  private static func body(
    of phrase: Phrase, with arguments: [ScoreToken]
  ) throws(ScoreError) -> [ScoreToken] {
    var result: [ScoreToken] = []
    for token in phrase.tokens {
      guard token.isWord, token.text.first == "$" else {
        result.append(token)
        continue
      }
      let name = token.text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      guard let index = phrase.parameters.firstIndex(of: String(name)) else {
        result.append(token)
        continue
      }
      // The position is that of the argument, because a mistake must be corrected there.
      let suffix = token.text.dropFirst(1 + name.count)
      result.append(arguments[index].replacing(arguments[index].text + suffix))
    }
    return result
  }
}
