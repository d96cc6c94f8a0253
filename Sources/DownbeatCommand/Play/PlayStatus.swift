// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime
internal import Realtime

/// Where the music is, drawn over itself on a terminal, at most ten times a second; elsewhere a
/// line a second where meters are shown.
struct PlayStatus {
  private let period: Int64

  private let context: TimeContext
  private let tempi: TempoMap
  private let part: PlaybackPart
  private let length: String
  private var meters: PlayMeters?
  private let isInteractive = Terminal.isInteractive
  private let showsTempo: Bool
  private var next: Int64 = 0

  /// A line for a part of a song; nil where there is nothing to show.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - showsTempo: whether the song's tempo is the one it is played in.
  ///   - meters: what shows how loud it is.
  /// - Throws: `SequenceError`, `TimeError` where times do not fit.
  init?(_ part: PlaybackPart, showsTempo: Bool, meters: PlayMeters? = nil) throws {
    guard isInteractive || meters != nil else { return nil }
    period = isInteractive ? 100_000_000 : 1_000_000_000
    self.meters = meters
    context = try TimeContext(of: part.sequence, findingMarkers: false)
    tempi = try part.sequence.tempoMap
    self.part = part
    self.showsTempo = showsTempo
    length = Self.text(tempi.seconds(at: part.sequence.length))
  }

  /// Shows a position, where the last was shown a while ago, and the drift of the device.
  mutating func show(_ position: TransportPosition, drift: @autoclosure () -> Double?) {
    guard DeadlineWait.now >= next else { return }
    meters?.drift = drift()
    next = DeadlineWait.now + period
    let tick = position.tick
    var line = "\(Self.text(tempi.seconds(at: tick))) / \(length)"
    if case .ppqn(let resolution) = part.sequence.division {
      line += "  beat \(tick.value / Int64(resolution.ticks) + 1)"
    }
    if showsTempo, case .ppqn = part.sequence.division {
      line += "  \(tempi.tempo(at: tick).beatsPerMinute.decimal(1)) bpm"
    }
    if position.pass > 0 { line += "  loop \(position.pass + 1)" }
    guard isInteractive else {
      return Terminal.say(line + (meters.map { "  " + $0.numbers } ?? ""))
    }
    if let meters { line += "  " + meters.line }
    StatusLine.show(line)
  }

  func clear() {
    guard isInteractive else { return }
    StatusLine.clear()
  }

  /// Minutes and seconds.
  private static func text(_ seconds: Ratio) -> String {
    let whole = Int64(seconds.numerator / seconds.denominator)
    let rest = whole % 60
    return "\(whole / 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}
