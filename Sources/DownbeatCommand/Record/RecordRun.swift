// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import JSONText
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import Realtime
internal import SequencePlayback
internal import SongTools
internal import SoundTools

/// A running recording.
struct RecordRun {
  /// The interval at which the file is saved, in nanoseconds.
  private static let savePeriod: Int64 = 10_000_000_000
  /// The interval at which the guide is checked, in nanoseconds.
  private static let lookPeriod: Int64 = 100_000_000

  let input: InputPorts
  let loop: RunLoop
  var recorder: Recorder
  let filter: MessageFilter
  /// The length of the recording in nanoseconds; nil without a limit.
  let limit: Int64?
  var take: RecordedFile
  /// The song or clicks that play meanwhile, with the time of the recording; nil for none.
  var guide: Guide?
  var live: LiveRecord?

  private var received = HostEventBuffer()
  private var overflows = 0
  private var nextSave = DeadlineWait.now + savePeriod

  init(
    input: InputPorts, loop: RunLoop, recorder: Recorder, filter: MessageFilter, limit: Int64?,
    take: RecordedFile, guide: Guide?, live: LiveRecord?
  ) {
    self.input = input
    self.loop = loop
    self.recorder = recorder
    self.filter = filter
    self.limit = limit
    self.take = take
    self.guide = guide
    self.live = live
    if let guide { self.recorder.start(at: guide.start) }
  }

  /// The conversion from host time to the time of the recording.
  private var base: TimeBase { guide?.base ?? .host }

  /// The current time of the recording.
  private var now: ReferenceTime { base.time(at: HostTime(nanoseconds: DeadlineWait.now)) }

  /// Starts the recording now instead of with the first event.
  mutating func startNow() {
    recorder.start(at: now)
  }

  /// Records to the end.
  ///
  /// Returns the number of the signal that ended the recording; nil for none.
  ///
  /// - Throws: The error that ended the guide early. The events recorded before are saved.
  mutating func record() throws -> Int32? {
    live?.frame.display.enter()
    // Messages about the file are printed after the display is closed.
    defer { live?.frame.display.leave() }
    let loop = loop
    let number = try loop.run(&self)
    if number != nil { try finish(at: now) }
    return number
  }

  /// The end of the take; nil without a limit, and before the start.
  private var end: ReferenceTime? {
    limit.flatMap { limit in recorder.startTime.map { $0.advanced(saturating: limit) } }
  }

  private mutating func saveMeanwhile() throws {
    guard DeadlineWait.now >= nextSave else { return }
    try take.saveMeanwhile(recorder, until: now)
    nextSave = DeadlineWait.now + Self.savePeriod
  }

  /// Reads the events that the kernel has queued, and saves the file.
  private mutating func finish(at end: ReferenceTime) throws {
    // The file is saved before the guide is silenced, because a plug-in may hang then.
    defer { guide?.silence() }
    try receive()
    try take.save(recorder, until: end)
  }

  /// Suspends the recording for Ctrl-Z.
  ///
  /// Events until the process continues are omitted, except note-offs, which are recorded at the
  /// time of the stop.
  mutating func stop(by signals: SignalWatch) throws {
    try receive()
    let stopped = now
    live?.frame.display.leave()
    if guide == nil { signals.pause() } else { try guide?.stop(by: signals) }
    live?.frame.display.enter()
    received.removeAll()
    try input.drain(into: &received)
    let base = base
    received.filter { event in
      guard case .message(let message) = event.payload, case .noteOff = message.kind else {
        return false
      }
      event.time = base.hostTime(of: stopped)
      return true
    }
    recorder.take(received, along: base)
  }

  private mutating func receive() throws {
    try input.keeper.update().told()
    received.removeAll()
    try input.drain(into: &received)
    let filter = filter
    received.filter { filter.passes($0) }
    recorder.take(received, along: base)
    live?.take(received)
    if recorder.startTime == nil, let first = recorder.firstTime { recorder.start(at: first) }
    if input.overflows > overflows {
      overflows = input.overflows
      JSONReport.tell("overflow", [("count", .integer(overflows))])
      Terminal.report(
        "events arrived faster than they were read; some are lost"
          + " (\(overflows.counted("time")) so far)")
    }
  }
}

extension RecordRun: RunLoopBody {
  var descriptors: [Int32] {
    input.descriptors + input.keeper.descriptors + (guide?.descriptors ?? [])
      + (live?.frame.display.descriptors ?? [])
  }

  var deadline: Int64? {
    let due = min(end.map { base.hostTime(of: $0).nanoseconds } ?? .max, nextSave)
    return guide == nil && live == nil ? due : min(due, DeadlineWait.now + Self.lookPeriod)
  }

  mutating func turn() throws -> Bool {
    try guide?.update()
    try receive()
    if let failure = guide?.failure {
      try finish(at: now)
      throw failure
    }
    let elapsed = recorder.startTime.map { now.nanoseconds(since: $0) }
    if live?.update(elapsed, count: recorder.count) == true {
      try finish(at: now)
      return false
    }
    if let end, now >= end {
      try finish(at: end)
      return false
    }
    try saveMeanwhile()
    return true
  }
}

extension MessageFilter {
  /// Returns true if an event may be recorded.
  fileprivate func passes(_ event: HostEvent) -> Bool {
    switch event.payload {
    case .message(let message): passes(message)
    case .sysEx: kinds.contains(.sysEx)
    case .parameter, .fact, .sysExPart: false
    }
  }
}
