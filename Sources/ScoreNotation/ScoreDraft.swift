// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime

/// A score that is being read: its settings, phrases and parts.
struct ScoreDraft {
  /// A named sequence of words, with parameters.
  struct Phrase {
    let parameters: [String]
    let tokens: [ScoreToken]
  }

  var ticksPerWhole: Int64 = 4 * 480
  /// The division if ticks are parts of a frame; nil if they are parts of a note.
  var frames: Division?
  var format = MusicSequence.Format.simultaneous
  /// True after the first pattern of format 2 has begun.
  private(set) var hasPattern = false
  var title: String?
  var texts: [(MetaEvent.TextType, String)] = []
  var phrases: [String: Phrase] = [:]
  var parts: [PartDraft] = []
  /// The indices of the parts by name.
  private var partIndices: [String: Int] = [:]
  var tempi: [(tick: Int64, tempo: Tempo)] = []
  var meters: [(tick: Int64, signature: TimeSignature)] = []
  var keys: [(tick: Int64, sharps: Int8, isMinor: Bool)] = []
  var markers: [(tick: Int64, text: String)] = []
  /// The number added to written octaves, so that octave 4 begins at middle C.
  var octaveShift = 0
  /// True if music can be written without the name of a part.
  var allowsBareMusic = false
  /// The number of words read so far, including repeats.
  var work = 0

  static let statements =
    "title, by, copyright, text, tempo, meter, key, ppqn, smpte, format, pattern, def, or the name "
    + "of a part and a colon"

  /// Reads one statement.
  mutating func read(_ statement: [ScoreToken]) throws(ScoreError) {
    let head = statement[0]
    let rest = statement.dropFirst()
    if let name = barePart(of: head) {
      return try play(statement[...], part: try part(named: name, at: head), depth: 0)
    }
    guard head.isWord else {
      throw ScoreError(head, "is not a statement", allowed: "begin with \(Self.statements)")
    }
    switch head.text {
    case "title": title = try text(rest, of: head)
    case "by": texts.append((.text, try text(rest, of: head)))
    case "copyright": texts.append((.copyright, try text(rest, of: head)))
    case "text": texts.append((.text, try text(rest, of: head)))
    case "tempo": try setTempo(try single(rest, of: head))
    case "meter": meters.append((0, try meter(try single(rest, of: head))))
    case "key": keys.append(try key(rest, of: head))
    case "ppqn": try setResolution(try single(rest, of: head))
    case "smpte": try setFrames(rest, of: head)
    case "format": try setFormat(try single(rest, of: head))
    case "def": try define(rest, of: head)
    default: try readMusic(head, rest)
    }
  }

  private func single(
    _ rest: ArraySlice<ScoreToken>, of head: ScoreToken
  ) throws(ScoreError) -> ScoreToken {
    guard let token = rest.first, rest.count == 1 else {
      throw ScoreError(head, "needs one word after it", allowed: "as in 'tempo 120'")
    }
    return token
  }

  private func text(
    _ rest: ArraySlice<ScoreToken>, of head: ScoreToken
  ) throws(ScoreError) -> String {
    guard let token = rest.first, rest.count == 1, token.kind == .quoted else {
      throw ScoreError(head, "needs a text in quotes", allowed: "as in '\(head.text) \"words\"'")
    }
    return token.text
  }

  private mutating func setResolution(_ token: ScoreToken) throws(ScoreError) {
    guard parts.isEmpty else {
      throw ScoreError(token, "is too late", allowed: "set the resolution before the parts")
    }
    guard let number = Int(token.text), (1...32767).contains(number) else {
      throw ScoreError(token, "is not a resolution", allowed: "ticks per quarter note, 1…32767")
    }
    ticksPerWhole = Int64(number) * 4
  }

  private mutating func setTempo(_ token: ScoreToken) throws(ScoreError) {
    guard frames == nil else {
      throw ScoreError(token, "is too late", allowed: "set one tempo, before 'smpte'")
    }
    tempi.append((0, try tempo(token)))
  }

  /// `smpte 25 40`: ticks are parts of a frame.
  ///
  /// The tempo determines the ticks of a quarter note.
  private mutating func setFrames(
    _ rest: ArraySlice<ScoreToken>, of head: ScoreToken
  ) throws(ScoreError) {
    guard parts.isEmpty else {
      throw ScoreError(head, "is too late", allowed: "set the frame rate before the parts")
    }
    let rates: [String: FrameRate] = ["24": .fps24, "25": .fps25, "30": .fps30]
    guard rest.count == 2, let first = rest.first, let rate = rates[first.text],
      let ticks = rest.last.flatMap({ UInt8($0.text) }), ticks > 0
    else {
      throw ScoreError(
        head, "needs two numbers", allowed: "frames 24, 25 or 30, then ticks 1…255: 'smpte 25 40'")
    }
    let second = Int64(Int(first.text) ?? 25) * Int64(ticks)
    let tempo = tempi.last?.tempo ?? .standard
    let quarter = second * Int64(tempo.tenNanosecondsPerQuarter)
    guard quarter % 100_000_000 == 0, quarter > 0 else {
      throw ScoreError(
        head, "gives a quarter note that is not a whole number of ticks at this tempo",
        allowed: "set a tempo such as 120 or 100 before it; the tempo then cannot change")
    }
    ticksPerWhole = quarter / 100_000_000 * 4
    frames = .smpte(rate, ticksPerFrame: ticks)
  }

  private mutating func setFormat(_ token: ScoreToken) throws(ScoreError) {
    guard let number = UInt16(token.text), let wanted = MusicSequence.Format(rawValue: number)
    else { throw ScoreError(token, "is not a format", allowed: "0, 1 or 2") }
    format = wanted
  }

  /// `pattern "Verse"` begins a pattern of format 2, an independent piece.
  ///
  /// Phrases remain defined.
  mutating func beginPattern(_ statement: [ScoreToken]) throws(ScoreError) {
    guard format == .pattern else {
      throw ScoreError(
        statement[0], "needs format 2", allowed: "write 'format 2' before the first pattern")
    }
    guard hasPattern || parts.isEmpty else {
      throw ScoreError(statement[0], "is too late", allowed: "begin with a pattern")
    }
    let name = try text(statement.dropFirst(), of: statement[0])
    var next = ScoreDraft()
    (next.ticksPerWhole, next.frames, next.format) = (ticksPerWhole, frames, format)
    (next.phrases, next.work, next.title, next.hasPattern) = (phrases, work, name, true)
    next.allowsBareMusic = allowsBareMusic
    // Statements before the first pattern concern the whole file, which begins with that pattern.
    if !hasPattern {
      (next.texts, next.tempi, next.meters, next.keys) = (texts, tempi, meters, keys)
      if let title { next.texts.insert((.text, title), at: 0) }
    }
    self = next
  }

  private mutating func define(
    _ rest: ArraySlice<ScoreToken>, of head: ScoreToken
  ) throws(ScoreError) {
    guard let equals = rest.firstIndex(where: { $0.text == "=" }), let name = rest.first,
      equals > rest.startIndex
    else {
      throw ScoreError(head, "needs '='", allowed: "as in 'def riff a b = $a/8 $b $a $b'")
    }
    let words = rest[rest.startIndex..<equals]
    for word in words where !word.isWord || !Self.isName(word.text) {
      throw ScoreError(
        word, "is not a name", allowed: "letters and digits, beginning with a letter")
    }
    guard phrases[name.text] == nil else {
      throw ScoreError(name, "is already defined", allowed: "give it another name")
    }
    let body = Array(rest[(equals + 1)...])
    phrases[name.text] = Phrase(parameters: words.dropFirst().map(\.text), tokens: body)
  }

  static func isName(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  private mutating func readMusic(
    _ head: ScoreToken, _ rest: ArraySlice<ScoreToken>
  ) throws(ScoreError) {
    guard head.text.last == ":", Self.isName(String(head.text.dropLast())) else {
      let notes = allowsBareMusic ? "\(ScorePitch.form); or " : ""
      throw ScoreError(head, "is not a statement", allowed: "\(notes)begin with \(Self.statements)")
    }
    let index = try part(named: String(head.text.dropLast()), at: head)
    try play(rest, part: index, depth: 0)
  }

  /// The part of music that begins without the name of one; nil if it is not such music.
  private func barePart(of head: ScoreToken) -> String? {
    guard allowsBareMusic else { return nil }
    guard head.isWord else { return ["(", "[", "{"].contains(head.text) ? "piano" : nil }
    let text = head.text
    if GeneralMIDI.shortDrumNames[text] != nil { return "drums" }
    let isVelocity = text.first == "v" && text.dropFirst().first?.isNumber == true
    let isRest = text == "r" || text.hasPrefix("r/")
    let isMusic = isVelocity || isRest || text.hasPrefix("@") || text.hasPrefix("$")
    return isMusic || ScoreReader.isNote(text) ? "piano" : nil
  }

  /// The index of a named part.
  ///
  /// A new part gets the next free channel, or channel 10 for drums.
  private mutating func part(
    named name: String, at head: ScoreToken
  ) throws(ScoreError) -> Int {
    if let index = partIndices[name] { return index }
    guard parts.count < ScoreReader.partLimit else {
      throw ScoreError(
        head, "is one part too many", allowed: "at most \(ScoreReader.partLimit) parts")
    }
    let isDrums = name.lowercased().hasPrefix("drum") || name.lowercased().hasPrefix("perc")
    let taken = Set(parts.map(\.channel))
    let free = Channel.all.first { $0 != .percussion && !taken.contains($0) }
    let channel = isDrums ? Channel.percussion : free ?? Channel(index: 0)
    partIndices[name] = parts.count
    parts.append(PartDraft(name: name, channel: channel, ticksPerWhole: ticksPerWhole))
    return parts.count - 1
  }
}
