// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import Downbeat
internal import MIDIPorts
internal import MusicSequences
internal import MusicalTime
internal import Realtime

/// What is heard while a take is recorded: a song, clicks, or both, after a count-in.
///
/// Its time is the music's, in nanoseconds from its own beginning, as it is heard: a sound card
/// that runs fast, or a pause, moves no note of the take against the song.
struct Guide {
  /// When the song begins, after the count-in.
  let start: ReferenceTime
  /// Where the music's time lies on the host's clock, as far as is known now.
  private(set) var base = TimeBase.host
  private var run: PlayRun

  /// A guide that has begun to play a sequence, the first ticks of which are a count-in.
  ///
  /// - Throws: what ended it before it was heard.
  init(_ run: PlayRun, _ sequence: MusicSequence, countIn: Int64) throws {
    self.run = run
    let seconds = try sequence.tempoMap.seconds(at: Tick(countIn))
    start = ReferenceTime(nanoseconds: try (seconds * 1_000_000_000).rounded(.nearest).value)
    try waitUntilHeard()
  }

  /// What ended the guide before its time; or nil.
  var failure: (any Error)? { run.playback.failure }

  /// What becomes readable when its ports come or go.
  var descriptors: [Int32] { run.ports?.descriptors ?? [] }

  /// Connects ports again that are back, and learns where the music stands.
  mutating func update() throws {
    try run.reconnect()
    try look()
  }

  /// Ends it, and everything that sounds.
  func silence() {
    run.silence()
  }

  /// Falls silent, stops the process, and goes on where it was once continued.
  mutating func stop(by signals: SignalWatch) throws {
    run.stop(by: signals)
    try waitUntilHeard()
  }

  private mutating func waitUntilHeard() throws {
    while failure == nil, try !look() { DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000) }
  }

  /// Learns where the music's time lies; false where it stands, or is not heard yet.
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
