// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime

/// A score while it is being read: its head, its phrases, its parts.
struct ScoreDraft {
  /// Words to stand for other words.
  struct Phrase {
    let parameters: [String]
    let tokens: [ScoreToken]
  }

  var ticksPerWhole: Int64 = 4 * 480
  var title: String?
  var texts: [(MetaEvent.TextType, String)] = []
  var phrases: [String: Phrase] = [:]
  var parts: [PartDraft] = []
  var tempi: [(tick: Int64, tempo: Tempo)] = []
  var meters: [(tick: Int64, signature: TimeSignature)] = []
  var keys: [(tick: Int64, sharps: Int8, isMinor: Bool)] = []
  var markers: [(tick: Int64, text: String)] = []
  /// The words read so far, repeats written out.
  var work = 0

  static let statements =
    "title, by, copyright, text, tempo, meter, key, ppqn, def, or the name of a part and a colon"

  /// Reads one statement.
  mutating func read(_ statement: [ScoreToken]) throws(ScoreError) {
    let head = statement[0]
    let rest = statement.dropFirst()
    guard head.isWord else {
      throw ScoreError(head, "begins no statement", allowed: "begin with \(Self.statements)")
    }
    switch head.text {
    case "title": title = try text(rest, of: head)
    case "by": texts.append((.text, try text(rest, of: head)))
    case "copyright": texts.append((.copyright, try text(rest, of: head)))
    case "text": texts.append((.text, try text(rest, of: head)))
    case "tempo": tempi.append((0, try tempo(try single(rest, of: head))))
    case "meter": meters.append((0, try meter(try single(rest, of: head))))
    case "key": keys.append(try key(rest, of: head))
    case "ppqn": try setResolution(try single(rest, of: head))
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
      throw ScoreError(token, "comes after music", allowed: "set the resolution before the parts")
    }
    guard let number = Int(token.text), (1...32767).contains(number) else {
      throw ScoreError(token, "is no resolution", allowed: "ticks a quarter note, 1…32767")
    }
    ticksPerWhole = Int64(number) * 4
  }

  private mutating func define(
    _ rest: ArraySlice<ScoreToken>, of head: ScoreToken
  ) throws(ScoreError) {
    guard let equals = rest.firstIndex(where: { $0.text == "=" }), let name = rest.first,
      equals > rest.startIndex
    else {
      throw ScoreError(head, "has no '='", allowed: "as in 'def riff a b = $a/8 $b $a $b'")
    }
    let words = rest[rest.startIndex..<equals]
    for word in words where !word.isWord || !Self.isName(word.text) {
      throw ScoreError(word, "is no name", allowed: "letters and digits, a letter first")
    }
    guard phrases[name.text] == nil else {
      throw ScoreError(name, "is defined already", allowed: "give it another name")
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
      throw ScoreError(head, "begins no statement", allowed: "begin with \(Self.statements)")
    }
    let index = part(named: String(head.text.dropLast()))
    try play(rest, part: index, depth: 0)
  }

  /// The part of a name; a new one gets the next free channel, and channel 10 where it is drums.
  private mutating func part(named name: String) -> Int {
    if let index = parts.firstIndex(where: { $0.name == name }) { return index }
    let isDrums = name.lowercased().hasPrefix("drum") || name.lowercased().hasPrefix("perc")
    let taken = Set(parts.map(\.channel))
    let free = Channel.all.first { $0 != .percussion && !taken.contains($0) }
    let channel = isDrums ? Channel.percussion : free ?? Channel(index: 0)
    parts.append(PartDraft(name: name, channel: channel, ticksPerWhole: ticksPerWhole))
    return parts.count - 1
  }
}
