// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import Downbeat
internal import MIDIPorts
internal import MusicSequences
internal import MusicalTime
internal import Realtime

/// The guide that plays while a take is recorded: a song, clicks, or both, after a count-in.
///
/// Its time is the audible position of the music, in nanoseconds from the start of the count-in. A
/// sound card that runs fast, or a pause, therefore does not shift the take against the song.
struct Guide {
  /// The time at which the song starts, after the count-in.
  let start: ReferenceTime
  /// The conversion from host time to the time of the music, as last measured.
  private(set) var base = TimeBase.host
  private var run: PlayRun

  /// Creates a guide from a playback that has started.
  ///
  /// The first ticks of its sequence are the count-in.
  ///
  /// - Throws: The error that ended the playback before it was audible.
  init(_ run: PlayRun, _ sequence: MusicSequence, countIn: Int64) throws {
    self.run = run
    let seconds = try sequence.tempoMap.seconds(at: Tick(countIn))
    start = ReferenceTime(nanoseconds: try (seconds * 1_000_000_000).rounded(.nearest).value)
    try waitUntilHeard()
  }

  /// The error that ended the guide early; nil for none.
  var failure: (any Error)? { run.playback.failure }

  /// The descriptors that become readable when ports appear or disappear.
  var descriptors: [Int32] { run.ports?.descriptors ?? [] }

  /// Reconnects ports that are back, and measures the position of the music.
  mutating func update() throws {
    try run.reconnect()
    try look()
  }

  /// Ends the guide, and silences all notes.
  func silence() {
    run.silence()
  }

  /// Silences the guide, suspends the process, and continues from the same position afterwards.
  mutating func stop(by signals: SignalWatch) throws {
    run.stop(by: signals)
    try waitUntilHeard()
  }

  private mutating func waitUntilHeard() throws {
    while failure == nil, try !look() { DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000) }
  }

  /// Measures the position of the music.
  ///
  /// Returns false if it is stopped, or not audible yet.
  @discardableResult
  private mutating func look() throws -> Bool {
    guard let anchor = try run.playback.snapshot.anchor(at: MonotonicClock.now) else {
      return false
    }
    let origin = try anchor.hostTime(atSeconds: 0, rounding: .nearest).value
    base = TimeBase(origin: origin)
    return true
  }
}
