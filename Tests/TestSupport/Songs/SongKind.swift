// SPDX-License-Identifier: Apache-2.0

/// A small song, with the messages expected at a port, and the sound expected from the synthesiser.
///
/// Songs and messages are text: a number and hexadecimal bytes, separated by commas. In a song, the
/// number is the ticks since the previous event (480 ticks are 500 ms). In a list of messages, it
/// is the milliseconds since the start. Lengths after F0, F7 and the type of a meta event are left
/// out.
public struct SongKind: Sendable, CustomStringConvertible {
  /// The way in which a song is played.
  public enum Way: Hashable, Sendable {
    /// From start to end.
    case whole
    /// Twice from start to end, as with `--loop=2`.
    case twice
    /// With the loop of its file twice, as with `--in-file-loops --loop=2`.
    case fileLoop
    /// From a tick.
    case from(Int)
    /// Two semitones higher; drums are not transposed.
    case transposed
    /// Without its drums.
    case withoutDrums

    /// The flags of `play`.
    public var flags: String {
      switch self {
      case .whole: ""
      case .twice: "--loop=2"
      case .fileLoop: "--in-file-loops --loop=2"
      case .from(let tick): "--from \(tick)t"
      case .transposed: "--transpose 2"
      case .withoutDrums: "--no-drums"
      }
    }
  }

  /// A stretch of time in the rendered sound.
  public enum Sound: Equatable, Sendable {
    case anything
    case silence
    /// The pitch in cents above 441 Hz, and the level relative to the loudest stretch, if it is
    /// checked.
    case pitch(Int, level: Double?)
  }

  /// The kind of fault: K0 to K5 (order and state), K7 (banks), K9 (drums), K17 (loops and ends) or
  /// K19 (seeks).
  public let kind: String
  /// The case.
  public let name: String
  /// The way in which it is played.
  public let way: Way
  /// The song as a file.
  public let file: [UInt8]
  /// Messages expected at a port that accepts SysEx in parts, such as `500 90 45 64`.
  public let sent: [String]
  /// The expected sound of each stretch.
  public let sounds: [Sound]
  /// The length of a stretch in milliseconds.
  public let stretch: Int
  /// The expected end of the sound in milliseconds; nil if it is not checked.
  public let end: Int?

  /// The kind and the case.
  public var description: String { "\(kind) \(name)" }

  /// Creates a song of tracks.
  ///
  /// Without a list of messages, a port receives the events of the only track as they are written.
  /// Words for stretches of sound are `-` for silence, `?` for anything, and otherwise cents,
  /// followed by `@` and a level if it is checked.
  init(
    _ kind: String, _ name: String, _ tracks: String..., way: Way = .whole, sent: String? = nil,
    sound: String, stretch: Int = 500, end: Int? = nil
  ) {
    let events = tracks.map(Self.events)
    self.kind = kind
    self.name = name
    self.way = way
    self.stretch = stretch
    self.end = end
    file = SongBytes.file(
      tracks: events.map { track in
        (name: "", events: track.map { ($0.number, Self.stored($0.bytes)) })
      })
    self.sent =
      sent.map { Self.events($0).map { Self.line($0.number, $0.bytes) } }
      ?? Self.asWritten(events[0])
    sounds = sound.split(separator: " ").map(Self.sound)
  }

  private static func events(_ text: String) -> [(number: Int, bytes: [UInt8])] {
    text.split(separator: ",").map { event in
      let words = event.split { $0.isWhitespace }
      let bytes = words.dropFirst().map { UInt8($0, radix: 16) }
      guard let number = Int(words[0]), !bytes.contains(nil) else {
        preconditionFailure("not an event: \(event)")
      }
      return (number, bytes.compactMap(\.self))
    }
  }

  /// An event's bytes as in a file.
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes[0] >= 0xF0 else { return bytes }
    let head = bytes[0] == 0xFF ? 2 : 1
    return bytes[..<head] + [UInt8(bytes.count - head)] + bytes[head...]
  }

  private static func asWritten(_ events: [(number: Int, bytes: [UInt8])]) -> [String] {
    var tick = 0
    return events.compactMap { event in
      tick += event.number
      return event.bytes[0] == 0xFF ? nil : line((tick * 1000 + 480) / 960, event.bytes)
    }
  }

  private static func sound(_ word: Substring) -> Sound {
    switch word {
    case "?": return .anything
    case "-": return .silence
    default:
      let parts = word.split(separator: "@")
      guard let cents = Int(parts[0]) else { preconditionFailure("not a sound: \(word)") }
      return .pitch(cents, level: parts.count > 1 ? Double(parts[1]) : nil)
    }
  }

  /// A message in the form of the lists.
  public static func line(_ milliseconds: Int, _ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce("\(milliseconds)") {
      $0 + ($1 < 16 ? " 0" : " ") + String($1, radix: 16, uppercase: true)
    }
  }

  /// The messages expected at a port that accepts only complete SysEx; each is due with its last
  /// part.
  public var sentWhole: [String] {
    var parts: [Substring] = []
    return sent.compactMap { line in
      let words = line.split(separator: " ")
      let isPart = words[1] == "F0" || !parts.isEmpty
      guard isPart else { return line }
      parts += words.dropFirst()
      guard words.last == "F7" else { return nil }
      defer { parts = [] }
      return ([words[0]] + parts).joined(separator: " ")
    }
  }
}
