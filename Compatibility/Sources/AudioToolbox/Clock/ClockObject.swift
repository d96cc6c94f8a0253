// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import ClockService
internal import CoreMIDI
internal import Foundation
internal import MIDIMessages
internal import MusicalTime
internal import Synchronization

/// A Core Audio clock: a transport without a song.
final class ClockObject: Sendable {
  let transport: Transport
  let feed: ClockFeed
  /// The device whose samples the clock counts.
  let timebase = ClockTimebase()
  let midiClock = ClockFan()
  let timecode = ClockFan()
  let listeners = ClockListenerList()
  let settings = Mutex(ClockSettings())
  let name = ClockName()
  /// The position of the next or latest start.
  private let startTick = Mutex(Ratio.zero)
  /// The media time, in seconds, from which the manually set tempo applies; nil if none was set.
  private let tempoStart = Mutex<Ratio?>(nil)
  private let ear = Mutex<ClockEar?>(nil)

  init() throws {
    let settings = ClockSettings()
    let map = TempoMap(ppqn: ClockSettings.ppqn)
    let offset = try settings.offsetLabel()
    var clock = MusicClock(tempoMap: map)
    (clock.frameRate, clock.smpteOffset) = (settings.rate, offset)
    var sync = ClockSync()
    sync.outputs = [
      .init(MIDIClockGenerator(tempoMap: map, sendsWhileStanding: false), to: midiClock),
      .init(MTCGenerator(tempoMap: map, offset: offset), to: timecode),
    ]
    feed = try ClockFeed()
    transport = try Transport(clock, sync: sync) { [timebase] in timebase.frames() }
    try transport.observe { [weak self] event in self?.take(event) }
  }

  /// Ends the clock; its listeners are not called any more.
  func end() {
    listeners.removeAll()
    transport.end()
    ear.withLock { $0 = nil }
  }

  /// Waits until the clock has carried out earlier commands and its snapshot shows them: usually a
  /// few milliseconds, at most 20 s.
  func settle() {
    // A command may start a second step that uses the result of the first, so wait twice.
    for _ in 0..<2 {
      let done = DispatchSemaphore(value: 0)
      transport.perform { _ in done.signal() }
      // If the clock's thread has ended, nothing signals; on a busy machine the thread may be slow.
      guard transport.failure == nil, done.wait(timeout: .now() + .seconds(10)) == .success else {
        return
      }
    }
  }

  var start: Ratio { startTick.withLock { $0 } }

  /// Stores the position of the next start.
  func noteStart(_ ticks: Ratio) {
    startTick.withLock { $0 = ticks }
  }

  /// Sets the tempo manually and stores the position from which it applies.
  ///
  /// - Throws: `ClockError` if the clock is stopped or follows a master, or if the tempo is out of
  ///   range.
  func setTempo(_ tempo: Tempo) throws(ClockError) {
    try transport.setTempo(tempo)
    // This runs in the same step: the tempo changes at the end of the lane's latest window.
    transport.perform { [self] scheduler in
      let lane = scheduler.lane
      let tick = lane.position(at: lane.end).tick
      tempoStart.withLock { $0 = lane.clock.tempoMap.seconds(at: tick) }
    }
    settle()
  }

  /// The media time, in seconds, from which the tempo at an instant applies: that of the manually
  /// set tempo, or of the entry in the tempo map.
  func tempoStart(_ snapshot: ClockSnapshot, at time: HostTime) -> Ratio {
    if snapshot.clock.tempoOverride != nil, let start = tempoStart.withLock({ $0 }) { return start }
    let map = snapshot.clock.tempoMap
    let tick = max(snapshot.position(at: time).tick, .zero)
    return map.seconds(at: map.changes.last { $0.tick <= tick }?.tick ?? .zero)
  }

  /// Waits until a start takes effect: the clock reports it up to 100 ms earlier.
  private static func wait(until time: HostTime) {
    let rest = Double(time.nanoseconds - MonotonicClock.now.nanoseconds) / 1e9
    if rest > 0 { Thread.sleep(forTimeInterval: min(rest, 0.2)) }
  }

  private func take(_ event: ClockEvent) {
    switch event {
    case .startTimeSet(let tick):
      if transport.snapshot.mode != .alone { noteStart(Ratio(tick.value)) }
      listeners.tell(.startTimeSet)
    case .started(let tick, let time):
      if transport.snapshot.mode != .alone { noteStart(Ratio(tick.value)) }
      Self.wait(until: time)
      listeners.tell(.started)
    case .stopped(_, let tick, _):
      noteStart(Ratio(tick.value))
      listeners.tell(.stopped)
    case .armed: listeners.tell(.armed)
    case .disarmed: listeners.tell(.disarmed)
    case .master(.wrongFormat): listeners.tell(.wrongSMPTEFormat)
    case .located, .changed, .master: break
    }
  }

  /// Follows the sync source of the settings.
  ///
  /// The clock is not armed yet.
  ///
  /// - Throws: `ClockError.runs` if the clock is running.
  func follow(_ mode: CAClockSyncMode) throws(ClockError) {
    switch mode {
    case .midiClockTransport:
      try transport.follow(.midiClock(MIDIClockFollower()), input: feed)
    case .mtcTransport:
      let rate = settings.withLock(\.rate)
      var followed = MTCFollower.Settings()
      followed.format = rate.mtcCode
      try transport.follow(.timecode(MTCFollower(settings: followed), rate: rate), input: feed)
    default:
      try transport.follow(nil)
    }
    if mode != .internal { transport.disarm() }
    settle()
  }

  /// Receives from a source, or from none if it is 0; returns false if the source is invalid.
  func listen(to source: MIDIEndpointRef) -> Bool {
    guard source != 0 else {
      ear.withLock { $0 = nil }
      return true
    }
    guard let new = ClockEar(source, feed) else { return false }
    ear.withLock { $0 = new }
    return true
  }
}
