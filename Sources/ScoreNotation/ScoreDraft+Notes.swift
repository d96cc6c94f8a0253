// SPDX-License-Identifier: Apache-2.0

/// The marks after a note or chord: its length, velocity and articulation.
struct NoteMarks {
  var duration: Int64
  var velocity: Int64?
  var accent: Int64 = 0
  var gate: Int64?
}

extension ScoreDraft {
  private static let markForm =
    "after a note: a length (/8), ' (short), _ (full), > (loud) or a velocity (!90)"

  /// Plays a note or rest, sets a velocity, or extends a note.
  mutating func playWord(_ token: ScoreToken, part: Int) throws(ScoreError) {
    var text = Substring(token.text)
    guard token.isWord else { throw unknown(token) }
    switch token.text.first {
    case "r":
      text.removeFirst()
      let marks = try marks(text, of: token, part: part)
      parts[part].state.duration = marks.duration
      parts[part].state.lastNotes = 0..<0
      try advance(part, by: marks.duration, at: token)
    case "~": try prolong(token, part: part)
    case "v": try setVelocity(token, part: part)
    default:
      guard let pitch = ScorePitch(&text) else { throw unknown(token) }
      let key = try key(of: pitch, at: token, part: part)
      let marks = try marks(text, of: token, part: part)
      try sound([key], marks, part: part, at: token)
    }
  }

  private func unknown(_ token: ScoreToken) -> ScoreError {
    ScoreError(
      token, "is not a note, rest, drum or setting",
      allowed: "\(ScorePitch.form); v80 is a velocity, @program 1 a setting, kick x--- drum steps")
  }

  /// Plays a chord: `[c4 e g]/2`.
  mutating func playChord(
    _ rest: inout ArraySlice<ScoreToken>, part: Int
  ) throws(ScoreError) {
    let opening = rest.removeFirst()
    var keys: [Int] = []
    while let token = rest.popFirst() {
      guard token.isWord else { break }
      var text = Substring(token.text)
      if text.first == "]" {
        text.removeFirst()
        guard !keys.isEmpty else {
          throw ScoreError(opening, "does not contain a note", allowed: ScorePitch.form)
        }
        let marks = try marks(text, of: token, part: part)
        return try sound(keys, marks, part: part, at: token)
      }
      guard let pitch = ScorePitch(&text), text.isEmpty else {
        throw ScoreError(
          token, "is not a note of a chord", allowed: "\(ScorePitch.form); lengths follow the ]")
      }
      keys.append(try key(of: pitch, at: token, part: part))
    }
    throw ScoreError(opening, "is not closed", allowed: "close the chord with ]")
  }

  private mutating func key(
    of pitch: ScorePitch, at token: ScoreToken, part: Int
  ) throws(ScoreError) -> Int {
    let octave = pitch.octave.map { $0 + octaveShift } ?? parts[part].state.octave
    parts[part].state.octave = octave
    let transposition = parts[part].state.transposition
    guard let key = pitch.key(octave: octave), (0...127).contains(key + transposition) else {
      throw ScoreError(token, "is outside the keys 0…127", allowed: "c-1 to g9")
    }
    return key + transposition
  }

  private func marks(
    _ text: Substring, of token: ScoreToken, part: Int
  ) throws(ScoreError) -> NoteMarks {
    var marks = NoteMarks(duration: parts[part].state.duration)
    var text = text
    if text.first == "/" {
      let length = text.prefix { $0.isNumber || "/.*~".contains($0) }
      text = text.dropFirst(length.count)
      marks.duration = try ScoreDuration(length, of: token, ticksPerWhole: ticksPerWhole).ticks
    }
    while let mark = text.popFirst() {
      switch mark {
      case "'": marks.gate = 45
      case "_": marks.gate = 100
      case ">": marks.accent += 16
      case "!":
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        text = text.dropFirst(digits.count)
        guard let velocity = Int64(digits), (1...127).contains(velocity) else {
          throw ScoreError(token, "needs a velocity after !", allowed: "!1 to !127")
        }
        marks.velocity = velocity
      default:
        throw ScoreError(token, "has an unknown ending", allowed: Self.markForm)
      }
    }
    return marks
  }

  private mutating func sound(
    _ keys: [Int], _ marks: NoteMarks, part: Int, at token: ScoreToken
  ) throws(ScoreError) {
    let state = parts[part].state
    let first = parts[part].notes.count
    singNext(part)
    let velocity = marks.velocity ?? state.velocity.value(at: state.position)
    for key in keys {
      parts[part].notes.append(
        PartDraft.DraftNote(
          start: state.position, length: marks.duration, key: key,
          velocity: min(127, velocity + marks.accent), gate: marks.gate ?? state.gate,
          channel: parts[part].channel, feel: parts[part].feel))
    }
    parts[part].state.lastNotes = first..<parts[part].notes.count
    parts[part].state.duration = marks.duration
    try advance(part, by: marks.duration, at: token)
  }

  /// `~/8` extends the last note or chord.
  private mutating func prolong(_ token: ScoreToken, part: Int) throws(ScoreError) {
    let notes = parts[part].state.lastNotes
    guard !notes.isEmpty else {
      throw ScoreError(token, "needs a note before it", allowed: "a note or chord, then ~/8")
    }
    let text = Substring(token.text).dropFirst()
    let length = try ScoreDuration(text, of: token, ticksPerWhole: ticksPerWhole).ticks
    for index in notes { parts[part].notes[index].length += length }
    try advance(part, by: length, at: token)
  }

  /// `v80` sets the velocity; `v100/1` changes it gradually over a whole note.
  private mutating func setVelocity(_ token: ScoreToken, part: Int) throws(ScoreError) {
    let text = Substring(token.text).dropFirst()
    let digits = text.prefix { $0 != "/" }
    guard let velocity = Int64(digits), (1...127).contains(velocity) else {
      throw ScoreError(
        token, "is not a velocity", allowed: "v1 to v127; v100/1 changes gradually over a length")
    }
    var length: Int64 = 0
    if digits.count < text.count {
      let over = text.dropFirst(digits.count)
      length = try ScoreDuration(over, of: token, ticksPerWhole: ticksPerWhole).ticks
    }
    let position = parts[part].state.position
    let now = parts[part].state.velocity.value(at: position)
    parts[part].state.velocity = PartState.Ramp(
      from: now, to: velocity, start: position, length: length)
  }

  mutating func advance(
    _ part: Int, by ticks: Int64, at token: ScoreToken
  ) throws(ScoreError) {
    let position = parts[part].state.position + ticks
    guard position <= ScoreReader.tickLimit else {
      throw ScoreError(
        token, "makes the score too long", allowed: "at most \(ScoreReader.tickLimit) ticks")
    }
    parts[part].state.position = position
  }
}
