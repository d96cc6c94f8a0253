// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// The state of a clock that is measured, with the same columns and members for every kind of
/// clock.
struct WatchedLine {
  /// A value that only one kind of clock has.
  struct Fact {
    let name: String
    let value: JSONValue
    /// The value as text; empty to leave it out of the line.
    var words = ""
  }

  let kind: SyncSource.Kind
  var lock = LockState.idle
  var transport = FollowedTransport.stopped
  /// True if the beats run although start and stop are not used, as in most Link sessions.
  var runsWithoutStart = false
  /// The position in quarter notes; nil if the clock does not count them.
  var beat: Double?
  /// The time code; nil if the clock does not have one.
  var label: String?
  /// The tempo in quarter notes per minute, and its standard deviation.
  var tempo: (value: Double, deviation: Double?)?
  /// The frame rate, and the speed relative to it; negative for backwards.
  var rate: (rate: FrameRate, speed: Double?)?
  /// The standard deviation of the arrivals, in nanoseconds.
  var jitter: Double?
  /// The deviation of the last arrival, in nanoseconds.
  var phaseError: Double?
  var facts: [Fact] = []

  /// Creates the line of a clock that has not been received.
  init(_ kind: SyncSource.Kind) {
    self.kind = kind
  }

  /// Sets the jitter from an estimate of clocks or quarter frames.
  mutating func set(_ estimate: TickEstimate?) {
    jitter = estimate?.jitter
    phaseError = estimate?.phaseError
  }

  /// The line in columns; at most 80 characters unless numbers are large.
  var text: String {
    let place = label ?? beat.map { "beat \($0.decimal(3))" } ?? "-"
    let motion = runsWithoutStart ? "running" : "\(transport)"
    let columns = [("\(lock)", 9), (motion, 7), (place, 13), (pace, paceWidth)]
    let scatter = jitter.map { "jitter \(($0 / 1e6).decimal(3)) ms" } ?? "jitter -"
    let words = ([scatter] + facts.map(\.words)).filter { !$0.isEmpty }.joined(separator: ", ")
    return columns.map { $0.padded(to: $1) + "  " }.joined() + words
  }

  /// The width of the column `pace`.
  private var paceWidth: Int {
    kind.isTimecode ? 20 : kind == .midi ? 16 : 10
  }

  private var pace: String {
    if let rate {
      return "\(rate.rate.name)" + (rate.speed.map { ", speed \($0.decimal(4))" } ?? "")
    }
    guard let tempo else { return lock == .acquiring ? "locking" : "-" }
    return "\(tempo.value.decimal(2)) bpm" + (tempo.deviation.map { " ±\($0.decimal(2))" } ?? "")
  }

  /// The members of a JSON document, without its version.
  var members: [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = [
      ("type", "clock"), ("kind", .text(kind.rawValue)), ("lock", .text("\(lock)")),
      ("transport", .text("\(transport)")),
    ]
    func add(_ name: String, _ value: Double?, _ places: Int) {
      if let value { members.append((name, .decimal(value.decimal(places)))) }
    }
    add("beat", beat, 6)
    if let label { members.append(("label", .text(label))) }
    add("tempo", tempo?.value, 4)
    add("tempo_sd", tempo?.deviation, 4)
    if let rate { members.append(("rate", .text(rate.rate.name))) }
    add("speed", rate?.speed, 6)
    add("jitter_ms", jitter.map { $0 / 1e6 }, 4)
    add("phase_error_ms", phaseError.map { $0 / 1e6 }, 4)
    return members + facts.map { ($0.name, $0.value) }
  }
}

extension WatchedLine.Fact {
  /// A count, which is left out of the line if it is 0.
  init(counted name: String, _ count: Int) {
    self.init(name: name, value: .integer(count), words: count == 0 ? "" : "\(count) \(name)")
  }
}
