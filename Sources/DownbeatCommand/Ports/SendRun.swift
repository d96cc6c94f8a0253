// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import Glibc
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Hands a script's messages to a port as they fall due, and reads more as it comes.
struct SendRun {
  /// What standard input brings.
  enum Input {
    case words, bytes
  }

  /// How far ahead of their time messages are handed on, in nanoseconds.
  private static let horizon: Int64 = 400_000_000
  private static let period: Int64 = 50_000_000

  private let port: OutputPort
  private let signals: SignalWatch
  private let wait: SignalWait
  private var origin: HostTime
  private var script: SendScript
  private var input: Input?
  private var parser = MessageParser()
  private var line: [UInt8] = []
  private var bar = ProgressBar(label: "sysex")

  init(
    port: OutputPort, signals: SignalWatch, wait: SignalWait, origin: HostTime,
    script: SendScript, input: Input?
  ) {
    self.port = port
    self.signals = signals
    self.wait = wait
    self.origin = origin
    self.script = script
    self.input = input
  }

  /// Plays to the end; returns the number of the signal that cut it short, if one did.
  mutating func play() throws -> Int32? {
    defer { bar.clear() }
    var pending = HostEventBuffer()
    var next = 0
    while true {
      take(from: &script, into: &pending, after: &next)
      let limit = HostTime(nanoseconds: DeadlineWait.now + Self.horizon)
      let sent = try port.send(pending, from: next, before: limit)
      JSONReport.count(sent)
      next += sent
      showProgress()
      let end = origin.nanoseconds + script.time
      let isAll = next == pending.events.count && input == nil && DeadlineWait.now >= end
      if isAll, try isDrained() { return nil }
      let descriptors = input == nil ? [] : [STDIN_FILENO]
      switch wait.until(DeadlineWait.now + (isAll ? 0 : Self.period), readable: descriptors) {
      case .signal(SIGTSTP): pause(&pending, &next)
      case .signal(let number): return number
      case .readable: try readInput()
      case .deadline: break
      }
    }
  }

  /// Falls silent and stops; continued, it goes on where it was.
  private mutating func pause(_ pending: inout HostEventBuffer, _ next: inout Int) {
    let stopped = HostTime(nanoseconds: DeadlineWait.now)
    port.silence()
    signals.pause()
    let length = DeadlineWait.now - stopped.nanoseconds
    origin = origin.advanced(byNanoseconds: length)
    // What was handed on and has not left was forgotten with the rest.
    let first = pending.events.firstIndex { $0.time >= stopped } ?? pending.events.count
    var rest = HostEventBuffer()
    for var event in pending.events[min(first, next)...] {
      event.time = event.time.advanced(byNanoseconds: length)
      rest.append(event, payloads: pending.payloads.span)
    }
    JSONReport.count(min(first, next) - next)
    pending = rest
    next = 0
  }

  private func isDrained() throws -> Bool {
    try port.drain(until: HostTime(nanoseconds: DeadlineWait.now + Self.period))
  }

  /// Moves what the script has read to what is to be sent, as host times.
  private func take(
    from script: inout SendScript, into pending: inout HostEventBuffer, after next: inout Int
  ) {
    if next == pending.events.count {
      pending.removeAll()
      next = 0
    }
    for var event in script.buffer.events {
      event.time = event.time.advanced(byNanoseconds: origin.nanoseconds)
      pending.append(event, payloads: script.buffer.payloads.span)
    }
    script.buffer.removeAll()
  }

  private mutating func showProgress() {
    let progress = port.sysExProgress(at: HostTime(nanoseconds: DeadlineWait.now))
    guard progress.total > SendRun.longSysEx else { return }
    bar.show(Double(progress.sent) / Double(progress.total))
  }

  private static let longSysEx = 1024

  private mutating func readInput() throws {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR { return }
    guard count >= 0 else { throw Failure(.noInput, "standard input: cannot be read") }
    // What comes now is due now, or where an earlier line's waits have led.
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
      try script.read(line: String(decoding: line[..<end], as: UTF8.self))
      line.removeFirst(end + 1)
    }
    if isEnd { try script.read(line: String(decoding: line, as: UTF8.self)) }
    guard line.count <= 1 << 20 else {
      throw Failure(.badData, "standard input: a line is longer than 1 MiB")
    }
  }
}
