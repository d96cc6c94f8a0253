// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import CommandKit
internal import FileNames
internal import Glibc
internal import MIDIMessages
internal import MIDIPorts
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

  private let ports: OutputPorts
  private var feed: PortFeed
  private let signals: SignalWatch
  private let wait: SignalWait
  private var origin: HostTime
  private var script: SendScript
  private var input: Input?
  private var parser = MessageParser()
  private var line: [UInt8] = []
  private var bar = ProgressBar(label: "sysex")

  package init(
    ports: OutputPorts, signals: SignalWatch, wait: SignalWait, origin: HostTime,
    script: SendScript, input: Input?
  ) {
    self.ports = ports
    feed = PortFeed(ports)
    self.signals = signals
    self.wait = wait
    self.origin = origin
    self.script = script
    self.input = input
  }

  /// Plays to the end; returns the number of the signal that cut it short, if one did.
  package mutating func play() throws -> Int32? {
    defer { bar.clear() }
    var pending = HostEventBuffer()
    while true {
      takeWords(into: &pending)
      let limit = HostTime(nanoseconds: DeadlineWait.now + Self.horizon)
      JSONReport.count(try feed.send(pending, before: limit))
      showProgress()
      let end = origin.advanced(saturating: script.time).nanoseconds
      let isAll = feed.sent == pending.events.count && input == nil && DeadlineWait.now >= end
      if isAll, try isDrained() { return nil }
      let descriptors = input == nil ? [] : [STDIN_FILENO]
      switch wait.until(DeadlineWait.now + (isAll ? 0 : Self.period), readable: descriptors) {
      case .signal(SIGTSTP): pause(&pending)
      case .signal(let number): return number
      case .readable: try readInput()
      case .deadline: break
      }
    }
  }

  /// Falls silent and stops; continued, it goes on where it was.
  private mutating func pause(_ pending: inout HostEventBuffer) {
    let stopped = HostTime(nanoseconds: DeadlineWait.now)
    // A SysEx that is cut short is sent again, with what waits behind it.
    let first = firstLongSysEx(in: pending, before: stopped)
    ports.silence()
    signals.pause()
    let length = DeadlineWait.now - stopped.nanoseconds
    origin = origin.advanced(byNanoseconds: length)
    // What was handed on and has not left was forgotten with the rest.
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

  /// The place of the first long SysEx that was due before an instant, was handed on and has not left
  /// completely; nil if there is none.
  private func firstLongSysEx(
    in pending: borrowing HostEventBuffer, before time: HostTime
  ) -> Int? {
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

  /// Moves what the script has read to what is to be sent, as host times.
  private mutating func takeWords(into pending: inout HostEventBuffer) {
    if feed.sent == pending.events.count {
      pending.removeAll()
      feed.takeBack(from: 0)
    }
    for var event in script.buffer.events {
      event.time = event.time.advanced(byNanoseconds: origin.nanoseconds)
      pending.append(event, payloads: script.buffer.payloads.span)
    }
    script.buffer.removeAll()
  }

  private mutating func showProgress() {
    // Where it goes out at several speeds, the slowest.
    let now = HostTime(nanoseconds: DeadlineWait.now)
    let under = ports.members.map { $0.port.sysExProgress(at: now) }
    guard let progress = under.max(by: { $0.total - $0.sent < $1.total - $1.sent }) else { return }
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
      try script.read(line: FileName.text(of: line[..<end]))
      line.removeFirst(end + 1)
    }
    if isEnd { try script.read(line: FileName.text(of: line)) }
    guard line.count <= 1 << 20 else {
      throw Failure(.badData, "standard input: a line is longer than 1 MiB")
    }
  }
}
