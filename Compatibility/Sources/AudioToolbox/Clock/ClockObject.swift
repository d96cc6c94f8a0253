// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import ClockService
internal import CoreMIDI
internal import Foundation
internal import MIDIMessages
internal import MusicalTime
internal import Synchronization

/// A clock: a transport without a song, in the terms in which a program asks for it.
final class ClockObject: Sendable {
  let transport: Transport
  let feed: ClockFeed
  /// The device whose samples it counts.
  let timebase = ClockTimebase()
  let midiClock = ClockFan()
  let timecode = ClockFan()
  let listeners = ClockListenerList()
  let settings = Mutex(ClockSettings())
  let name = ClockName()
  /// Where the next start goes from, or the last went.
  private let startTick = Mutex(Ratio.zero)
  /// From where on the tempo that was set by hand holds, in seconds of the piece.
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

  /// Ends it: listeners are told of nothing any more.
  func end() {
    listeners.removeAll()
    transport.end()
    ear.withLock { $0 = nil }
  }

  /// Waits until commands have been carried out and can be seen: a step of the clock's thread, some
  /// milliseconds.
  func settle() {
    // The second is carried out in the step after the one that shows what the first found.
    for _ in 0..<2 {
      let done = DispatchSemaphore(value: 0)
      transport.perform { _ in done.signal() }
      // A clock whose thread has ended answers nobody; on a busy machine a thread may take its time.
      guard transport.failure == nil, done.wait(timeout: .now() + .seconds(10)) == .success else {
        return
      }
    }
  }

  var start: Ratio { startTick.withLock { $0 } }

  /// Notes where the next start goes from.
  func noteStart(_ ticks: Ratio) {
    startTick.withLock { $0 = ticks }
  }

  /// Sets the tempo by hand, and notes from where on it holds.
  ///
  /// - Throws: `ClockError` where the clock stands or follows, and for a tempo that does not fit.
  func setTempo(_ tempo: Tempo) throws(ClockError) {
    try transport.setTempo(tempo)
    // Carried out with it: where the lane's windows go on is where the tempo has changed.
    transport.perform { [self] scheduler in
      let lane = scheduler.lane
      let tick = lane.position(at: lane.end).tick
      tempoStart.withLock { $0 = lane.clock.tempoMap.seconds(at: tick) }
    }
    settle()
  }

  /// From where on the tempo holds that counts at an instant: the one by hand or the map's.
  func tempoStart(_ snapshot: ClockSnapshot, at time: HostTime) -> Ratio {
    if snapshot.clock.tempoOverride != nil, let start = tempoStart.withLock({ $0 }) { return start }
    let map = snapshot.clock.tempoMap
    let tick = max(snapshot.position(at: time).tick, .zero)
    return map.seconds(at: map.changes.last { $0.tick <= tick }?.tick ?? .zero)
  }

  /// Waits for the instant of a start, of which a clock tells a tenth of a second before at most.
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

  /// Follows what the settings say; not armed yet.
  ///
  /// - Throws: `ClockError.runs` where the clock runs.
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

  /// Listens to a source, or with 0 to none; returns whether it is one.
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
