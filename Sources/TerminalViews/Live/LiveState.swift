// SPDX-License-Identifier: Apache-2.0

/// The contents of a live view, as a value; values that do not apply are left empty.
package struct LiveState: Hashable, Sendable {
  /// The title of the song, recording or clock.
  package var title = ""
  /// The number in a list, such as `2/7`; empty for none.
  package var place = ""
  /// The state, shown as a sign or a word.
  package var mode = Mode.running
  /// The position and the length: `1:23 / 3:45`.
  package var time = ""
  /// The position in bars and beats: `33.2.120`.
  package var music = ""
  /// Positions in large digits, the most important first.
  package var large: [String] = []
  /// Other values, the most important first; the last are left out if space is short.
  package var fields: [Field] = []
  package var bar: SongBar?
  /// The lines of words near the current one.
  package var words: [WordLine] = []
  package var channels: [ChannelRow] = []
  /// The index of the selected channel; nil for none.
  package var selected: Int?
  /// The last message.
  package var message = ""
  /// The list of keys, shown in front of the rest; nil if it is hidden.
  package var help: [KeyHelp]?
  /// The page of `help`, from 0, on a small terminal.
  package var helpPage = 0
  /// The most important keys, shown at the bottom.
  package var hint = ""

  package init() {}

  /// The state of the transport.
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

  /// A progress bar of the song; positions are fractions of the song, 0…1.
  package struct SongBar: Hashable, Sendable {
    package var position: Double
    package var markers: [Marker]
    /// The start and end of the loop; nil if they are not set.
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

  /// A named position.
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

  /// The state of a channel.
  package struct ChannelRow: Hashable, Sendable {
    /// The channel number, from 1.
    package var number: Int
    package var name: String
    /// The level, 0…1.
    package var level: Double
    /// True if a note sounds.
    package var isActive: Bool
    package var isMuted: Bool
    package var isSoloed: Bool
    /// True if the channel is played: neither muted nor excluded by a solo.
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

  /// Keys and their action.
  package struct KeyHelp: Hashable, Sendable {
    package var keys: String
    package var action: String

    package init(_ keys: String, _ action: String) {
      self.keys = keys
      self.action = action
    }
  }
}
