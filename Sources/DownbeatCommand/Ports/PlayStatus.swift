// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime
internal import Realtime

/// Where the music is, drawn over itself on a terminal, at most ten times a second.
struct PlayStatus {
  private static let period: Int64 = 100_000_000

  private let context: TimeContext
  private let tempi: TempoMap
  private let part: PlaybackPart
  private let length: String
  private let showsTempo: Bool
  private var next: Int64 = 0

  /// A line for a part of a song; nil where messages do not go to a terminal.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - showsTempo: whether the song's tempo is the one it is played in.
  /// - Throws: `SequenceError`, `TimeError` where times do not fit.
  init?(_ part: PlaybackPart, showsTempo: Bool) throws {
    guard Terminal.isInteractive else { return nil }
    context = try TimeContext(of: part.sequence, findingMarkers: false)
    tempi = try part.sequence.tempoMap
    self.part = part
    self.showsTempo = showsTempo
    length = Self.text(tempi.seconds(at: part.sequence.length))
  }

  mutating func show(_ position: TransportPosition) {
    guard DeadlineWait.now >= next else { return }
    next = DeadlineWait.now + Self.period
    let tick = position.tick
    var line = "\(Self.text(tempi.seconds(at: tick))) / \(length)"
    if case .ppqn(let resolution) = part.sequence.division {
      line += "  beat \(tick.value / Int64(resolution.ticks) + 1)"
    }
    if showsTempo, case .ppqn = part.sequence.division {
      line += "  \(tempi.tempo(at: tick).beatsPerMinute.decimal(1)) bpm"
    }
    if position.pass > 0 { line += "  loop \(position.pass + 1)" }
    Terminal.draw("\r\u{1B}[K\(line)")
  }

  func clear() {
    Terminal.draw("\r\u{1B}[K")
  }

  /// Minutes and seconds.
  private static func text(_ seconds: Ratio) -> String {
    let whole = Int64(seconds.numerator / seconds.denominator)
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}
