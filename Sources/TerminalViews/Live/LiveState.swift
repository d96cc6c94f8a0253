// SPDX-License-Identifier: Apache-2.0

/// What a live view shows, as a value: whatever runs fills in what it has.
package struct LiveState: Hashable, Sendable {
  /// What is played, recorded or followed.
  package var title = ""
  /// The number in a list, `2/7`; empty where there is none.
  package var place = ""
  /// How it runs, in a word or a sign.
  package var mode = Mode.running
  /// Where it is, and of how much: `1:23 / 3:45`.
  package var time = ""
  /// Where it is in the music: `33.2.120`.
  package var music = ""
  /// Positions in large digits, the most important first.
  package var large: [String] = []
  /// What else is known, the most important first: the last are left out where there is no room.
  package var fields: [Field] = []
  package var bar: SongBar?
  /// The words around those that are sung.
  package var words: [WordLine] = []
  package var channels: [ChannelRow] = []
  /// The index of the channel that keys act on.
  package var selected: Int?
  /// What was said last.
  package var message = ""
  /// What keys there are, shown over the rest; nil where it is not asked for.
  package var help: [KeyHelp]?
  /// The page of `help` that is shown, from 0, on a small terminal.
  package var helpPage = 0
  /// What a person should know who knows nothing.
  package var hint = ""

  package init() {}

  /// How it runs.
  package enum Mode: Hashable, Sendable {
    case running, paused, waiting, recording

    var sign: String {
      switch self {
      case .running: "▶"
      case .paused: "■"
      case .waiting: "…"
      case .recording: "●"
      }
    }

    var word: String {
      switch self {
      case .running: ""
      case .paused: "paused"
      case .waiting: "waiting"
      case .recording: "recording"
      }
    }

    var tone: CellStyle.Tone {
      switch self {
      case .running: .good
      case .paused, .waiting: .warning
      case .recording: .bad
      }
    }
  }

  /// A value with its name.
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String
    package var tone: CellStyle.Tone

    package init(_ name: String, _ value: String, _ tone: CellStyle.Tone = .plain) {
      self.name = name
      self.value = value
      self.tone = tone
    }
  }

  /// The whole of a song on one line; places are parts of it, 0…1.
  package struct SongBar: Hashable, Sendable {
    package var position: Double
    package var markers: [Marker]
    /// Where what is repeated begins, and where it ends.
    package var first: Double?
    package var last: Double?

    package init(
      position: Double, markers: [Marker] = [], first: Double? = nil, last: Double? = nil
    ) {
      self.position = position
      self.markers = markers
      self.first = first
      self.last = last
    }
  }

  /// A place with a name.
  package struct Marker: Hashable, Sendable {
    package var name: String
    package var place: Double

    package init(_ name: String, at place: Double) {
      self.name = name
      self.place = place
    }
  }

  /// A line of words.
  package struct WordLine: Hashable, Sendable {
    package var sung: String
    package var rest: String
    package var isCurrent: Bool

    package init(sung: String = "", rest: String, isCurrent: Bool = false) {
      self.sung = sung
      self.rest = rest
      self.isCurrent = isCurrent
    }
  }

  /// What a channel does.
  package struct ChannelRow: Hashable, Sendable {
    /// From 1.
    package var number: Int
    package var name: String
    /// 0…1.
    package var level: Double
    /// Whether a note of it sounds.
    package var isActive: Bool
    package var isMuted: Bool
    package var isSoloed: Bool
    /// Whether it is heard: neither muted nor left out by a solo of others.
    package var isHeard: Bool

    package init(
      number: Int, name: String, level: Double = 0, isActive: Bool = false, isMuted: Bool = false,
      isSoloed: Bool = false, isHeard: Bool = true
    ) {
      self.number = number
      self.name = name
      self.level = level
      self.isActive = isActive
      self.isMuted = isMuted
      self.isSoloed = isSoloed
      self.isHeard = isHeard
    }
  }

  /// Keys and what they do.
  package struct KeyHelp: Hashable, Sendable {
    package var keys: String
    package var action: String

    package init(_ keys: String, _ action: String) {
      self.keys = keys
      self.action = action
    }
  }
}
