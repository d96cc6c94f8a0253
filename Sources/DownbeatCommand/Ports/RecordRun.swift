// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import MIDIMessages
internal import MusicalTime
internal import Realtime
internal import SequencePlayback

/// A recording under way.
struct RecordRun {
  /// How often the file is written meanwhile, in nanoseconds.
  private static let savePeriod: Int64 = 10_000_000_000

  let input: InputPort
  var follower: PortFollower
  let wait: SignalWait
  var recorder: Recorder
  let filter: MessageFilter
  /// How long it records, in nanoseconds.
  let limit: Int64?
  var take: RecordedFile

  private var received = EventBuffer()
  private var overflows = 0

  init(
    input: InputPort, follower: PortFollower, wait: SignalWait, recorder: Recorder,
    filter: MessageFilter, limit: Int64?, take: RecordedFile
  ) {
    self.input = input
    self.follower = follower
    self.wait = wait
    self.recorder = recorder
    self.filter = filter
    self.limit = limit
    self.take = take
  }

  private static var now: HostTime { HostTime(nanoseconds: DeadlineWait.now) }

  /// Begins now instead of with the first event.
  mutating func startNow() {
    recorder.start(at: Self.now)
  }

  /// Records to the end; returns the number of the signal that was the end, if one was.
  mutating func record() throws -> Int32? {
    var nextSave = DeadlineWait.now + Self.savePeriod
    while true {
      let end = limit.flatMap { limit in
        recorder.startTime.map { $0.advanced(byNanoseconds: limit) }
      }
      let deadline = min(end?.nanoseconds ?? .max, nextSave)
      switch wait.until(deadline, readable: input.descriptors + follower.descriptors) {
      case .readable:
        try receive()
      case .deadline where end.map { Self.now >= $0 } ?? false:
        try finish(at: end ?? Self.now)
        return nil
      case .deadline:
        try take.saveMeanwhile(recorder, until: Self.now)
        nextSave = DeadlineWait.now + Self.savePeriod
      case .signal(let number):
        try finish(at: Self.now)
        return number
      }
    }
  }

  /// What the kernel has still got belongs to the recording.
  private mutating func finish(at end: HostTime) throws {
    try receive()
    try take.save(recorder, until: end)
  }

  private mutating func receive() throws {
    try follower.update { try input.connect(to: $0) }
    received.removeAll()
    try input.drain(into: &received)
    var chosen = EventBuffer(capacity: received.events.count, payloadCapacity: 0)
    for event in received.events where passes(event) {
      chosen.append(event, payloads: received.payloads.span)
    }
    recorder.take(chosen)
    if recorder.startTime == nil, let first = recorder.firstTime { recorder.start(at: first) }
    if input.overflows > overflows {
      overflows = input.overflows
      Terminal.report("events came faster than they were read; some are lost")
    }
  }

  private func passes(_ event: TimedEvent) -> Bool {
    switch event.payload {
    case .message(let message): filter.passes(message)
    case .sysEx: filter.kinds.contains(.sysEx)
    case .parameter, .fact: false
    }
  }
}
