// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import MusicalTime
package import OpenSoundControl

/// What Open Sound Control is told of a clock, as a value: beats ahead of their time, and what
/// happens to it, each in a bundle with its instant.
package struct OSCTeller {
  /// How far ahead beats are told.
  package static let ahead = Duration.milliseconds(200)
  /// The most beats at a time: of a meter in 64ths at a tempo of 999, ahead.
  private static let mostBeats = 64

  /// The beats that were told and have not come yet.
  private var told: [BeatForecast.Beat] = []

  /// What is to be told now.
  ///
  /// - Parameters:
  ///   - events: what has happened since the last call.
  ///   - clock: how the clock runs.
  ///   - context: the maps by which it is counted.
  ///   - tags: how time tags lie on the host's clock.
  ///   - now: the time.
  /// - Returns: packets, those that were asked for first in front.
  /// - Throws: `TimeError` where a place does not fit.
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
      // What was told of beats after it holds no more.
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

  /// Whether a beat is where it was told to be, to a tenth of a millisecond.
  private static func isSame(_ told: BeatForecast.Beat, _ beat: BeatForecast.Beat) -> Bool {
    told.tick == beat.tick && abs(told.time.nanoseconds(since: beat.time)) <= 100_000
      && told.beatsPerMinute == beat.beatsPerMinute
  }

  /// A place in seconds, and where bars are counted as bar and beat.
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
  /// What it is called, where the clock was or is, and when; nil for what moves nothing.
  fileprivate var move: (name: String, tick: Tick, time: HostTime)? {
    switch self {
    case .started(let tick, let time): ("start", tick, time)
    case .stopped(_, let tick, let time): ("stop", tick, time)
    case .located(let tick, let time): ("locate", tick, time)
    default: nil
    }
  }
}
