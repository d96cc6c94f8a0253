// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import JSONText
package import MusicalTime

/// The contents of the page for a clock, as a value: its state, its maps and its texts.
///
/// A page uses it until the next one arrives: it contains future beats with their times, and the
/// speed at which the other values change.
package struct WebScene {
  /// The time ahead and back for which beats are included, in nanoseconds.
  private static let reach: Int64 = 4_000_000_000
  private static let mostBeats = 64
  /// The shift of a beat from which it is sent again, in nanoseconds.
  private static let tolerance: Int64 = 3_000_000

  package let clock: ClockSnapshot
  package let context: TimeContext
  package let title: String
  /// The name of the sync source; empty for none.
  package let source: String
  package let markers: [(tick: Tick, name: String)]

  package init(
    clock: ClockSnapshot, context: TimeContext, title: String, source: String,
    markers: [(tick: Tick, name: String)]
  ) {
    (self.clock, self.context, self.title) = (clock, context, title)
    (self.source, self.markers) = (source, markers)
  }

  /// The beats around a time.
  ///
  /// - Throws: `TimeError` if a position does not fit.
  package func beats(around now: HostTime) throws(TimeError) -> [BeatForecast.Beat] {
    try BeatForecast.beats(
      of: clock, in: context,
      now.advanced(saturating: -Self.reach)..<now.advanced(saturating: Self.reach),
      atMost: Self.mostBeats)
  }

  /// The scene at a time as JSON.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - beats: The beats around it.
  /// - Returns: The document that is sent to pages.
  /// - Throws: `TimeError` if a position does not fit.
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
    // Each as its time, bar, number, and the number of beats in its bar.
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

  /// A host time in milliseconds, the unit that pages use.
  package static func milliseconds(_ time: HostTime) -> JSONValue {
    let micros = time.nanoseconds / 1000
    let rest = "\(micros % 1000)"
    return .decimal("\(micros / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest)
  }

  /// The bar, the beat, the number of beats in the bar, and the meter.
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

  /// The position in seconds and frames, and the speed at which it changes.
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

  /// The last marker passed and the next one, with its time if it will be reached.
  private func marks(at tick: Tick, _ now: HostTime) -> [(name: String, value: JSONValue)] {
    let next = markers.first { $0.tick > tick }
    let due = next.flatMap { clock.time(of: $0.tick, from: now) }
    return [
      ("marker", JSONValue.text(orNull: markers.last { $0.tick <= tick }?.name)),
      ("next", JSONValue.text(orNull: next?.name)), ("nextAt", due.map(Self.milliseconds) ?? .null),
    ]
  }

  /// The state of the clock other than its position; a page must be updated if it changes.
  package func words(at now: HostTime) -> String {
    let mark = markers.last { $0.tick <= clock.position(at: now).tick }?.name ?? ""
    let standing = clock.isRunning ? "" : "\(clock.position(at: now).tick)"
    // A measured tempo of a master always varies a little; beats that move are sent in any case.
    let own = clock.mode == .alone ? clock.beatsPerMinute(at: now) : nil
    let tempo = own.map { $0.decimal(1) } ?? ""
    return [
      title, "\(clock.isRunning)", clock.lock?.word ?? "", "\(clock.isUncertain)", mark, tempo,
      standing,
    ].joined(separator: "\n")
  }

  /// Returns true if the next beat differs from the one that was sent.
  ///
  /// - Parameters:
  ///   - told: The beats that were sent.
  ///   - now: The current time.
  /// - Returns: True if pages must be updated.
  /// - Throws: `TimeError` if a position does not fit.
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
  /// The markers in order of time.
  package var orderedMarkers: [(tick: Tick, name: String)] {
    markers.map { ($0.value, $0.key) }.sorted { $0.0 < $1.0 }
  }
}
