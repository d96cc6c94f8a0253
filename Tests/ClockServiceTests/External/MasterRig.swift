// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import TestSupport

/// An input that delivers messages of a test.
final class ScriptedInput: EventInput {
  var waiting = HostEventBuffer()

  var descriptors: [Int32] { [] }

  func drain(into buffer: inout HostEventBuffer) {
    for event in waiting.events { buffer.append(event, payloads: waiting.payloads.span) }
    waiting.removeAll()
  }
}

/// A lane controlled by a scripted master, stepped every 5 ms and at every message, as a thread
/// does.
struct MasterRig {
  let scheduler: EventScheduler
  let sink = RecordingSink()
  private let input = ScriptedInput()
  private(set) var now = HostTime.zero
  /// Host time minus the time in which the scheduler's windows are measured.
  private(set) var distance: Int64 = 0
  private let latency: Int?
  private var script: [(time: Int64, message: Message)] = []
  let told: Told

  /// The reported events of the master, and of the clock.
  final class Told {
    var events: [FollowerEvent] = []
    /// The reported events of the clock.
    var own: [ClockEvent] = []
  }

  init(
    _ source: ExternalClock.Source, map: TempoMap, spacing: Int64 = 120,
    offset: Timecode? = nil, generators: [any ClockGenerator] = [], isArmed: Bool = true,
    latency: Int? = nil
  ) {
    self.latency = latency
    scheduler = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: [ScriptedSource(spacing: spacing)],
      router: Router(),
      reference: latency.map { ReferenceClock(rate: .hertz48000, latency: $0) } ?? ReferenceClock())
    let told = Told()
    self.told = told
    let lane = scheduler.lane
    lane.horizon = .milliseconds(100)
    lane.generators = generators
    lane.master = ExternalClock(following: source, tempoMap: map, offset: offset)
    lane.master?.isArmed = isArmed
    lane.masterInput = input
    lane.onEvent = { event in
      guard case .master(let master) = event else { return told.own.append(event) }
      told.events.append(master)
    }
    scheduler.router.addObserver(sink)
    scheduler.router.addRoute(Route(to: scheduler.router.addDestination(sink)))
  }

  var lane: EventLane { scheduler.lane }

  /// Changes the relation of output time to host time, as its device reports.
  mutating func setDistance(_ distance: Int64) {
    self.distance = distance
    let buffered = Int64(latency ?? 0) * 1_000_000 / 48
    var device = PeriodFollower(nominalRate: .hertz48000)
    device.update(frames: 48, at: HostTime(nanoseconds: 1_000_000 + buffered + distance))
    scheduler.reference.look(SampleClock(device, delay: 0), at: SampleTime(frames: 48))
  }

  private var position: ReferenceTime {
    ReferenceTime(nanoseconds: now.nanoseconds - distance)
  }

  /// Sends messages at an instant in nanoseconds.
  mutating func send(_ statuses: [UInt8], at time: Int64, data: (UInt8, UInt8) = (0, 0)) {
    for status in statuses {
      script.append((time, Message(status: status, data1: data.0, data2: data.1)))
    }
  }

  /// Sends evenly spaced clocks; returns the time of the next one.
  @discardableResult
  mutating func sendClocks(_ count: Int, from time: Int64, every period: Int64) -> Int64 {
    for index in 0..<Int64(count) { send([0xF8], at: time + index * period) }
    return time + Int64(count) * period
  }

  /// Sends a message in a step with an earlier position, as at the start of a step.
  mutating func bring(_ message: Message, at time: Int64, before distance: Int64) throws {
    try run(to: time - distance)
    input.waiting.append(
      HostEvent(time: HostTime(nanoseconds: time), payload: .message(message)))
    try scheduler.step(at: position)
  }

  /// Advances the time, message by message.
  mutating func run(to end: Int64) throws {
    while now.nanoseconds < end {
      let tick = (now.nanoseconds / 5_000_000 + 1) * 5_000_000
      let due = script.first?.time ?? .max
      now = HostTime(nanoseconds: min(tick, max(due, now.nanoseconds + 1), end))
      while let next = script.first, next.time <= now.nanoseconds {
        input.waiting.append(
          HostEvent(
            time: HostTime(nanoseconds: next.time), payload: .message(next.message)))
        script.removeFirst()
      }
      try scheduler.step(at: position)
    }
  }
}

extension StampedEvent {
  /// The status of a message.
  var status: UInt8? {
    guard case .message(let message) = payload else { return nil }
    return message.status
  }

  /// True for an event of the scripted source.
  var isScripted: Bool {
    guard case .message(let message) = payload else { return false }
    return message.status == 0xFE
  }
}
