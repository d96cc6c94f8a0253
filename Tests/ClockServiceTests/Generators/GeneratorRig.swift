// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime

/// A generator on an internal clock, run window by window, with the events that it sent.
struct GeneratorRig {
  let generator: any ClockGenerator
  private let map: TempoMap
  private let playRate: Ratio
  private var run: TempoRun?
  private var buffer = EventBuffer()
  private var start = ReferenceTime(nanoseconds: .max)
  private(set) var end = ReferenceTime.zero

  init(_ generator: any ClockGenerator, map: TempoMap, playRate: Ratio = 1) {
    self.generator = generator
    self.map = map
    self.playRate = playRate
  }

  /// Prepares a start and starts the clock.
  mutating func start(from tick: Tick, at time: Int64) throws {
    start = ReferenceTime(nanoseconds: time)
    generator.prepareStart(at: tick, time: start)
    run = TempoRun(map: map, tick: tick, time: start, playRate: playRate)
  }

  mutating func stop(at time: Int64) {
    run = nil
    generator.stop(at: ReferenceTime(nanoseconds: time))
    start = ReferenceTime(nanoseconds: .max)
    cancel(from: time)
  }

  /// Cancels the events due at or after an instant; the clock continues.
  mutating func rewind(to time: Int64) {
    generator.rewind(to: ReferenceTime(nanoseconds: time))
    cancel(from: time)
  }

  private mutating func cancel(from time: Int64) {
    end = min(end, ReferenceTime(nanoseconds: time))
    // Events in the kernel's queue are cancelled too.
    var kept = EventBuffer()
    for event in buffer.events where event.time < end {
      guard case .sysEx(let place) = event.payload else {
        kept.append(event)
        continue
      }
      let range = Int(place.offset)..<Int(place.offset + place.count)
      kept.append(
        sysEx: buffer.payloads.span.extracting(range), time: event.time, track: 0, generation: 0)
    }
    buffer = kept
  }

  /// Requests all events up to an instant.
  mutating func run(to time: Int64) throws {
    let limit = ReferenceTime(nanoseconds: time)
    let standing = end..<max(end, min(limit, start))
    if !standing.isEmpty {
      let quarter = Ratio(
        Int64(map.tempo(at: 0).tenNanosecondsPerQuarter), over: 1)
      generator.emitStanding(
        standing, nanosecondsPerQuarter: try quarter * 10, into: &buffer)
    }
    guard limit > standing.upperBound else { return end = limit }
    try run?.forEachPiece(of: standing.upperBound..<limit) { part, timeline in
      generator.emit(part, along: timeline, into: &buffer)
    }
    end = limit
  }

  /// The events so far: status and data bytes in hexadecimal, and the time.
  var sent: [(bytes: String, time: Int64)] {
    buffer.events.compactMap { event in
      switch event.payload {
      case .message(let message):
        let bytes = [message.status, message.data1, message.data2].prefix(message.length)
        return (bytes.map(Self.hex).joined(separator: " "), event.time.nanoseconds)
      case .sysEx(let place):
        let bytes = buffer.payloads[Int(place.offset)..<Int(place.offset + place.count)]
        let all = [0xF0] + bytes + [0xF7]
        return (all.map(Self.hex).joined(separator: " "), event.time.nanoseconds)
      case .fact, _: return nil
      }
    }
  }

  /// The events other than clocks and quarter frames.
  var announced: [String] {
    sent.map(\.bytes).filter { $0 != "F8" && !$0.hasPrefix("F1") }
  }

  /// The times of one message.
  func times(of bytes: String) -> [Int64] {
    sent.filter { $0.bytes == bytes }.map(\.time)
  }

  private static func hex(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.count == 1 ? "0" + digits : digits
  }
}

/// A running tempo map: the segments of a clock in its time.
struct TempoRun {
  let map: TempoMap
  let tick: Tick
  let time: ReferenceTime
  var playRate: Ratio = 1

  func forEachPiece(
    of window: ReferenceWindow, _ body: (ReferenceWindow, Timeline<Tick, ReferenceTime>) -> Void
  ) throws {
    var line = try line(at: tick)
    var start = max(window.lowerBound, time)
    while start < window.upperBound {
      while line.validUntil <= start {
        line = try self.line(at: Tick(line.firstCount(atOrAfter: line.validUntil)))
      }
      let end = min(window.upperBound, line.validUntil)
      body(start..<end, line)
      start = end
    }
  }

  private func line(at place: Tick) throws -> Timeline<Tick, ReferenceTime> {
    try map.timeline(at: place, originTick: tick, origin: time, playRate: playRate)
  }
}

extension TempoMap {
  /// One tempo, in microseconds per quarter note.
  static func constant(_ microseconds: Int, ppqn: Int = 480) throws -> TempoMap {
    try steps([(0, microseconds)], ppqn: ppqn)
  }

  /// Tempi in microseconds per quarter note, by tick.
  static func steps(_ steps: [(Int64, Int)], ppqn: Int = 480) throws -> TempoMap {
    guard let resolution = PPQN(ppqn) else { throw TimeError.badDivision(0) }
    let changes = steps.compactMap { step in
      Tempo(microsecondsPerQuarter: step.1).map {
        TempoChange(tick: Tick(step.0), tempo: $0)
      }
    }
    return try TempoMap(division: .ppqn(resolution), changes: changes)
  }
}
