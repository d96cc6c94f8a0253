// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CommandKit
internal import FileNames
internal import Glibc
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// The work of sending the messages of a script on time, and reading more from standard input, in
/// the run loop.
struct SendRun {
  /// The form of standard input.
  enum Input {
    case words, bytes
  }

  /// The time by which messages are passed to the ports ahead, in nanoseconds.
  private static let horizon: Int64 = 400_000_000
  private static let period: Int64 = 50_000_000

  private let ports: OutputPorts
  private var feed: PortFeed
  private var pending = HostEventBuffer()
  private var origin: HostTime
  private var script: SendScript
  private var input: Input?
  private var parser = MessageParser()
  private var line: [UInt8] = []
  private var bar = ProgressBar(label: "sysex")

  init(
    ports: OutputPorts, origin: HostTime, script: SendScript, input: Input?
  ) {
    self.ports = ports
    feed = PortFeed(ports)
    self.origin = origin
    self.script = script
    self.input = input
  }

  /// Runs to the end of the script.
  ///
  /// - Parameter loop: The run loop.
  /// - Returns: The signal that ended it; nil at the end of the script.
  /// - Throws: `EndpointError` if a port is lost, `Failure` if the input is not valid.
  mutating func play(in loop: RunLoop) throws -> Int32? {
    defer { bar.clear() }
    return try loop.run(&self)
  }

  /// True if all messages were passed on and are due, and the input has ended.
  private var isAll: Bool {
    feed.sent == pending.events.count && input == nil
      && DeadlineWait.now >= origin.advanced(saturating: script.time).nanoseconds
  }

  /// Silences the ports and stops the process; when it is continued, the script continues at the
  /// same position.
  mutating func stop(by signals: SignalWatch) {
    let stopped = HostTime(nanoseconds: DeadlineWait.now)
    // A SysEx that is cut off is sent again, with the messages after it.
    let first = firstLongSysEx(before: stopped)
    ports.silence()
    signals.pause()
    let length = DeadlineWait.now - stopped.nanoseconds
    origin = origin.advanced(byNanoseconds: length)
    // Messages that were passed on but not sent yet are sent again.
    let sent = feed.sent
    let later = pending.events.firstIndex { $0.time >= stopped } ?? pending.events.count
    feed.takeBack(from: min(first ?? later, later))
    var rest = HostEventBuffer()
    for var event in pending.events[feed.sent...] {
      event.time = event.time.advanced(byNanoseconds: length)
      rest.append(event, payloads: pending.payloads.span)
    }
    JSONReport.count(feed.sent - sent)
    feed.removeFirst(feed.sent)
    pending = rest
  }

  /// The index of the first long SysEx that was due before a time and has not been sent completely;
  /// nil for none.
  private func firstLongSysEx(before time: HostTime) -> Int? {
    var owed = ports.members.map { $0.port.sysExProgress(at: time).total }.max() ?? 0
    var first: Int?
    for index in pending.events.indices.prefix(feed.sent).reversed() where owed > 0 {
      let event = pending.events[index]
      guard case .sysEx(let place) = event.payload, place.count > ALSAOutputPort.longestAtOnce,
        event.time < time
      else { continue }
      owed -= Int(place.count) + 2
      first = index
    }
    return first
  }

  private func isDrained() throws -> Bool {
    let limit = HostTime(nanoseconds: DeadlineWait.now + Self.period)
    return try ports.members.allSatisfy { try $0.port.drain(until: limit) }
  }

  /// Moves the messages read by the script to the pending ones, with host times.
  private mutating func takeWords() {
    if feed.sent == pending.events.count {
      pending.removeAll()
      feed.takeBack(from: 0)
    }
    let words = script.buffer
    for var event in words.events {
      event.time = event.time.advanced(byNanoseconds: origin.nanoseconds)
      pending.append(event, payloads: words.payloads.span)
    }
    script.buffer.removeAll()
  }

  private mutating func showProgress() {
    // The slowest of several ports.
    let now = HostTime(nanoseconds: DeadlineWait.now)
    let under = ports.members.map { $0.port.sysExProgress(at: now) }
    guard let progress = under.max(by: { $0.total - $0.sent < $1.total - $1.sent }) else { return }
    guard progress.total > SendRun.longSysEx else { return }
    bar.show(Double(progress.sent) / Double(progress.total))
  }

  private static let longSysEx = 1024

  private mutating func readInput() throws {
    let descriptor = Console.current.inputDescriptor
    guard input != nil, DescriptorPoll.poll(descriptor, for: Int32(POLLIN), within: 0) > 0 else {
      return
    }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR { return }
    guard count >= 0 else { throw Failure(.noInput, "standard input: cannot be read") }
    // New input is due now, or after the delays in earlier lines.
    script.time = max(script.time, DeadlineWait.now - origin.nanoseconds)
    if input == .bytes {
      parser.parse(
        chunk.span.extracting(0..<count), time: HostTime(nanoseconds: script.time),
        into: &script.buffer)
    } else {
      try readLines(chunk[..<count], isEnd: count == 0)
    }
    if count == 0 { input = nil }
  }

  private mutating func readLines(_ bytes: ArraySlice<UInt8>, isEnd: Bool) throws {
    line += bytes
    while let end = line.firstIndex(of: 0x0A) {
      try script.read(line: FileName.text(of: line[..<end]))
      line.removeFirst(end + 1)
    }
    if isEnd { try script.read(line: FileName.text(of: line)) }
    guard line.count <= 1 << 20 else {
      throw Failure(.badData, "standard input: a line is longer than 1 MiB")
    }
  }
}

extension SendRun: RunLoopBody {
  var descriptors: [Int32] { input == nil ? [] : [Console.current.inputDescriptor] }
  var deadline: Int64? { DeadlineWait.now + (isAll ? 0 : Self.period) }

  mutating func turn() throws -> Bool {
    try readInput()
    takeWords()
    let limit = HostTime(nanoseconds: DeadlineWait.now + Self.horizon)
    JSONReport.count(try feed.send(pending, before: limit))
    showProgress()
    return try !isAll || !isDrained()
  }
}
