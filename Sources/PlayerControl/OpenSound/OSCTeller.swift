// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import MusicalTime
package import OpenSoundControl

/// The beats and changes of a clock as packets of Open Sound Control, as a value.
///
/// Beats are sent ahead of their time, and each event is in a bundle with its time.
package struct OSCTeller {
  /// The time by which beats are sent ahead.
  package static let ahead = Duration.milliseconds(200)
  /// The maximum number of beats in one call: those of a meter in 64ths at a tempo of 999.
  private static let mostBeats = 64

  /// The beats that were sent and are not due yet.
  private var told: [BeatForecast.Beat] = []

  /// The packets to send now.
  ///
  /// - Parameters:
  ///   - events: The events since the last call.
  ///   - clock: The current state of the clock.
  ///   - context: The tempo and meter maps of the clock.
  ///   - tags: The relation of time tags to the host clock.
  ///   - now: The current time.
  /// - Returns: The packets, in the order in which to send them.
  /// - Throws: `TimeError` if a position does not fit.
  package mutating func packets(
    _ events: [ClockEvent], _ clock: ClockSnapshot, _ context: TimeContext, _ tags: OSCClock,
    at now: HostTime
  ) throws(TimeError) -> [OSCPacket] {
    var packets: [OSCPacket] = []
    for event in events {
      guard let (name, tick, time) = event.move else { continue }
      let place = try Self.place(of: tick, in: context)
      packets.append(
        .bundle(OSCBundle([.message(OSCMessage("/" + name, place))], at: tags.tag(of: time))))
      // Beats after the event that were already sent are not valid any more.
      told.removeAll { $0.time >= time }
    }
    told.removeAll { $0.time < now || !clock.isRunning }
    let beats = try BeatForecast.beats(
      of: clock, in: context, now..<(now + Self.ahead), atMost: Self.mostBeats)
    for beat in beats where !told.contains(where: { Self.isSame($0, beat) }) {
      told.removeAll { $0.tick == beat.tick && $0.time < beat.time + Self.ahead }
      told.append(beat)
      let message = OSCMessage(
        "/clock",
        [
          .int32(Int32(clamping: beat.bar)), .int32(Int32(clamping: beat.beat)),
          .double(beat.beatsPerMinute),
        ])
      packets.append(.bundle(OSCBundle([.message(message)], at: tags.tag(of: beat.time))))
    }
    return packets
  }

  /// Returns true if a beat was already sent with the same time, to a tenth of a millisecond.
  private static func isSame(_ told: BeatForecast.Beat, _ beat: BeatForecast.Beat) -> Bool {
    told.tick == beat.tick && abs(told.time.nanoseconds(since: beat.time)) <= 100_000
      && told.beatsPerMinute == beat.beatsPerMinute
  }

  /// A position in seconds, and, in a song with bars, as bar and beat.
  private static func place(
    of tick: Tick, in context: TimeContext
  ) throws(TimeError) -> [OSCValue] {
    let position = TimePosition.ticks(Ratio(tick.value))
    let seconds = OSCValue.double(try context.seconds(of: position).approximation)
    guard case .ppqn = context.tempoMap.division else { return [seconds] }
    let label = try context.meterMap.barBeat(
      at: context.quarters(of: position), divisor: 480, rounding: .floor
    ).value
    return [seconds, .int32(label.bar), .int32(Int32(label.beat))]
  }
}

extension ClockEvent {
  /// The name, position and time of an event that moves the clock; nil for other events.
  fileprivate var move: (name: String, tick: Tick, time: HostTime)? {
    switch self {
    case .started(let tick, let time): ("start", tick, time)
    case .stopped(_, let tick, let time): ("stop", tick, time)
    case .located(let tick, let time): ("locate", tick, time)
    default: nil
    }
  }
}
