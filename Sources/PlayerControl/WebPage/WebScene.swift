// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import JSONText
package import MusicalTime

/// What a page shows of a clock, as a value: how it runs, in which maps, and what it is called.
///
/// A page draws from it until the next one: it has the beats that come with their instants, and what
/// else moves as it moves.
package struct WebScene {
  /// How far ahead, and back, beats are told, in nanoseconds.
  private static let reach: Int64 = 4_000_000_000
  private static let mostBeats = 64
  /// By how much a beat may move before it is told anew, in nanoseconds.
  private static let tolerance: Int64 = 3_000_000

  package let clock: ClockSnapshot
  package let context: TimeContext
  package let title: String
  /// What is followed; empty where nothing is.
  package let source: String
  package let markers: [(tick: Tick, name: String)]

  package init(
    clock: ClockSnapshot, context: TimeContext, title: String, source: String,
    markers: [(tick: Tick, name: String)]
  ) {
    (self.clock, self.context, self.title) = (clock, context, title)
    (self.source, self.markers) = (source, markers)
  }

  /// The beats around an instant.
  ///
  /// - Throws: `TimeError` where a place does not fit.
  package func beats(around now: HostTime) throws(TimeError) -> [BeatForecast.Beat] {
    try BeatForecast.beats(
      of: clock, in: context,
      now.advanced(saturating: -Self.reach)..<now.advanced(saturating: Self.reach),
      atMost: Self.mostBeats)
  }

  /// The scene at an instant, as a document.
  ///
  /// - Parameters:
  ///   - now: The instant.
  ///   - beats: Those around it.
  /// - Returns: A document of what a page draws.
  /// - Throws: `TimeError` where a place does not fit.
  package func document(
    at now: HostTime, _ beats: [BeatForecast.Beat]
  ) throws(TimeError) -> JSONValue {
    let place = TimePosition.ticks(try clock.ticks(at: now))
    let tick = clock.position(at: now).tick
    let tempo = clock.beatsPerMinute(at: now)
    let isLocking = tempo != nil && clock.lock == .acquiring
    var members: [(name: String, value: JSONValue)] = [
      ("v", 1), ("type", "clock"), ("title", .text(title)), ("source", .text(source)),
      ("now", Self.milliseconds(now)), ("running", .bool(clock.isRunning)),
      ("lock", JSONValue.text(orNull: clock.lock?.word)), ("uncertain", .bool(clock.isUncertain)),
      ("bpm", isLocking ? .null : tempo.map { .decimal($0.decimal(3)) } ?? .null),
    ]
    members += try bars(at: place)
    // Each as its instant, bar, number, and how many its bar has.
    members.append(
      (
        "beats",
        .array(
          beats.map { beat in
            .array(
              [Self.milliseconds(beat.time)]
                + [beat.bar, beat.beat, beat.count].map(JSONValue.integer))
          })
      ))
    members += try labels(at: place, tick, tempo)
    members += marks(at: tick, now)
    return .object(members)
  }

  /// Milliseconds of the host's clock, as a page counts them.
  package static func milliseconds(_ time: HostTime) -> JSONValue {
    let micros = time.nanoseconds / 1000
    let rest = "\(micros % 1000)"
    return .decimal("\(micros / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest)
  }

  /// Bar and beat, how many a bar has, and the meter.
  private func bars(
    at place: TimePosition
  ) throws(TimeError) -> [(name: String, value: JSONValue)] {
    guard case .ppqn = context.tempoMap.division else { return [("at", .null), ("meter", .null)] }
    let quarters = try context.quarters(of: place)
    let label = try context.meterMap.barBeat(at: quarters, divisor: 1, rounding: .floor).value
    let meter = try context.meterMap.signature(at: quarters)
    let place = [Int(label.bar), Int(label.beat), Int(meter.numerator)]
    return [("at", .array(place.map(JSONValue.integer))), ("meter", .text("\(meter)"))]
  }

  /// Seconds and frames, and how fast they pass.
  private func labels(
    at place: TimePosition, _ tick: Tick, _ tempo: Double?
  ) throws(TimeError) -> [(name: String, value: JSONValue)] {
    let rate = context.frameRate ?? context.assumedFrameRate ?? .fps25
    var context = context
    context.frameRate = rate
    let frames = try context.number(of: place, in: .frames)
    let seconds = try context.seconds(of: place)
    var speed = clock.isRunning ? 1.0 : 0
    if let tempo, case .ppqn = context.tempoMap.division {
      speed = tempo / context.tempoMap.tempo(at: tick).beatsPerMinute.approximation
    }
    return [
      ("seconds", .decimal(seconds.decimal(3))), ("frames", .decimal(frames.decimal(3))),
      ("fps", .decimal(rate.framesPerSecond.decimal(6))), ("nominal", .integer(Int(rate.nominal))),
      ("drop", .bool(rate.isDrop)), ("speed", .decimal(speed.decimal(6))),
    ]
  }

  /// The marker that was passed last, and the next, with its instant where it comes.
  private func marks(at tick: Tick, _ now: HostTime) -> [(name: String, value: JSONValue)] {
    let next = markers.first { $0.tick > tick }
    let due = next.flatMap { clock.time(of: $0.tick, from: now) }
    return [
      ("marker", JSONValue.text(orNull: markers.last { $0.tick <= tick }?.name)),
      ("next", JSONValue.text(orNull: next?.name)), ("nextAt", due.map(Self.milliseconds) ?? .null),
    ]
  }

  /// What is said of the clock beside where it is: where this differs, a page draws otherwise.
  package func words(at now: HostTime) -> String {
    let mark = markers.last { $0.tick <= clock.position(at: now).tick }?.name ?? ""
    let standing = clock.isRunning ? "" : "\(clock.position(at: now).tick)"
    // What is measured of a master is never quite the same; a beat that moves is told in any case.
    let own = clock.mode == .alone ? clock.beatsPerMinute(at: now) : nil
    let tempo = own.map { $0.decimal(1) } ?? ""
    return [
      title, "\(clock.isRunning)", clock.lock?.word ?? "", "\(clock.isUncertain)", mark, tempo,
      standing,
    ].joined(separator: "\n")
  }

  /// Whether the next beat comes otherwise than it was told.
  ///
  /// - Parameters:
  ///   - told: The beats that were told.
  ///   - now: The instant.
  /// - Returns: Whether a page has to know.
  /// - Throws: `TimeError` where a place does not fit.
  package func breaks(_ told: [BeatForecast.Beat], at now: HostTime) throws(TimeError) -> Bool {
    let next = try BeatForecast.beats(
      of: clock, in: context, now..<(now + .milliseconds(3500)), atMost: 1)
    guard let next = next.first else { return false }
    return !told.contains {
      $0.tick == next.tick && abs($0.time.nanoseconds(since: next.time)) < Self.tolerance
    }
  }
}

extension TimeContext {
  /// The markers in the order in which they come.
  package var orderedMarkers: [(tick: Tick, name: String)] {
    markers.map { ($0.value, $0.key) }.sorted { $0.0 < $1.0 }
  }
}
