// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
internal import MusicSequences
internal import MusicalTime
internal import Realtime

/// What is heard while a take is recorded: a song, clicks, or both, after a count-in.
///
/// Its time is the music's, in nanoseconds from its own beginning, as it is heard: a sound card
/// that runs fast, or a pause, moves no note of the take against the song.
struct Guide {
  /// When the song begins, after the count-in.
  let start: HostTime
  private var run: PlayRun
  /// A place that the guide never comes to, and when it would be there.
  private let far: (tick: Tick, time: Int64)
  /// The host time at which the guide's beginning was heard, as far as is known now.
  private var origin: Int64

  /// A guide that has begun to play a sequence, the first ticks of which are a count-in.
  init(_ run: PlayRun, _ sequence: MusicSequence, countIn: Int64) throws {
    self.run = run
    let tempi = try sequence.tempoMap
    func time(_ tick: Tick) throws -> Int64 {
      try (tempi.seconds(at: tick) * 1_000_000_000).rounded(.nearest).value
    }
    start = HostTime(nanoseconds: try time(Tick(countIn)))
    let end = try tempi.seconds(at: sequence.length) + Self.longest
    let tick = try tempi.tick(atSeconds: end, rounding: .floor).value
    far = (tick, try time(tick))
    origin = DeadlineWait.now
    while failure == nil, run.playback.hostTime(of: far.tick) == nil {
      DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000)
    }
    look()
  }

  /// A recording is over before then: a week, in seconds.
  private static let longest: Ratio = 604_800

  /// What ended the guide before its time; or nil.
  var failure: (any Error)? { run.playback.failure }

  /// What becomes readable when its ports come or go.
  var descriptors: [Int32] { run.ports?.descriptors ?? [] }

  /// Connects ports again that are back, and learns where the music stands.
  mutating func update() throws {
    try run.reconnect()
    look()
  }

  /// The guide's time at an instant.
  func time(at host: HostTime) -> HostTime { host.advanced(saturating: -origin) }

  /// The instant of a time of the guide's.
  func hostTime(of time: HostTime) -> HostTime { time.advanced(saturating: origin) }

  /// Ends it, and everything that sounds.
  func silence() {
    run.silence()
  }

  /// Falls silent, stops the process, and goes on where it was once continued.
  mutating func pause() {
    run.pause()
    while failure == nil, run.playback.hostTime(of: far.tick) == nil {
      DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000)
    }
    look()
  }

  private mutating func look() {
    guard let heard = run.playback.hostTime(of: far.tick) else { return }
    origin = heard.nanoseconds - far.time
  }
}
