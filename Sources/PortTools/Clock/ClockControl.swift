// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import Glibc
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// Commands for a running clock on standard input, one per line; an empty line taps the tempo.
struct ClockControl {
  private let context: TimeContext
  private var line: [UInt8] = []
  private var taps = TempoTap()
  private var isOpen = true

  init(context: TimeContext) {
    self.context = context
  }

  var descriptors: [Int32] { isOpen ? [Console.current.inputDescriptor] : [] }

  /// Reads and performs the commands that have arrived; false after `quit`.
  mutating func take(for clock: Transport) throws -> Bool {
    guard isReadable else { return true }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(Console.current.inputDescriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else {
      isOpen = false
      // The last line may lack a line end.
      return line.isEmpty || perform(String(decoding: line, as: UTF8.self), clock)
    }
    line += chunk[..<count]
    while let end = line.firstIndex(of: 0x0A) {
      let text = String(decoding: line[..<end], as: UTF8.self)
      line.removeFirst(end + 1)
      guard perform(text, clock) else { return false }
    }
    return true
  }

  /// True if a read would return at once, because something else may have ended the wait.
  private var isReadable: Bool {
    isOpen && DescriptorPoll.poll(Console.current.inputDescriptor, for: POLLIN, within: 0) > 0
  }

  private mutating func perform(_ text: String, _ clock: Transport) -> Bool {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    do {
      switch (words.first, words.count) {
      case (nil, _), ("tap", 1): try tap(clock)
      case ("quit", 1): return false
      case ("start", 1): try clock.start(from: .zero)
      case ("continue", 1): clock.start(at: MonotonicClock.now)
      case ("stop", 1): clock.stop()
      case ("locate", 2): try clock.locate(to: context.tick(words[1]))
      case ("tempo", 2): try setTempo(words[1], clock)
      default:
        Terminal.report(
          "'\(text)': unknown command"
            + " (start, stop, continue, locate TIME, tempo BPM, tap, quit)")
      }
    } catch {
      Terminal.report("\(error)")
    }
    return true
  }

  private func setTempo(_ text: String, _ clock: Transport) throws {
    guard let tempo = Tempo(asked: text) else {
      throw Failure(.usage, "tempo \(text): not a tempo (1.4…999 BPM, such as 97.5)")
    }
    try clock.setConstantTempo(tempo)
  }

  private mutating func tap(_ clock: Transport) throws {
    guard let tempo = taps.tap(at: HostTime(nanoseconds: DeadlineWait.now)) else { return }
    Terminal.say("tempo \(tempo.beatsPerMinute.decimal(2))")
    try clock.setConstantTempo(tempo)
  }
}
