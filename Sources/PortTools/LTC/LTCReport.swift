// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import LinearTimecode
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// The report on received linear timecode: its events, and a line per second or per frame.
struct LTCReport {
  private(set) var listener: LTCListener
  private let json: Bool
  private let eachFrame: Bool
  private var last: LTCReading?
  /// The start of the run of frames from which the speed is measured.
  private var origin: (place: LTCPlace, frames: Int)?
  private var speed: Double?
  private var isPresent = false
  private var next: Int64

  private typealias Members = [(name: String, value: JSONValue)]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - listener: The decoder of the timecode.
  ///   - json: True for JSON output.
  ///   - eachFrame: True for a line per frame instead of a line per second.
  init(_ listener: LTCListener, json: Bool, eachFrame: Bool) {
    self.listener = listener
    self.json = json
    self.eachFrame = eachFrame
    next = Int64(listener.sampleRate.hertz)
  }

  /// Decodes whole sample frames.
  ///
  /// - Throws: `Failure` if standard output cannot be written.
  mutating func take(_ samples: Span<Float>) throws {
    let width = listener.channelCount
    var told: [LTCReading] = []
    for start in stride(from: 0, to: samples.count, by: width) {
      listener.take(samples.extracting(start..<start + width)) { told.append($0) }
      for reading in told { try take(reading) }
      told.removeAll(keepingCapacity: true)
      try lookForEnd()
      if listener.position == next { try report() }
    }
  }

  /// Prints the number of frames.
  mutating func finish() throws {
    let (count, missed) = (listener.frameCount, listener.missedCount)
    guard count > 0 else { return }
    try say(
      "\(count.counted("frame")), \(missed) missing, \(listener.doubtedCount) unconfirmed",
      [
        ("type", "summary"), ("frames", .integer(count)), ("missed", .integer(missed)),
        ("doubted", .integer(listener.doubtedCount)),
        ("channel", .integer(listener.channel ?? 0)),
      ])
  }

  // MARK: Frames

  private mutating func take(_ reading: LTCReading) throws {
    switch reading.continuity {
    case .begins: try begin(reading)
    case .misses(let count):
      try tell(
        "missing", "\(count.counted("frame")) missing before \(reading.frame)", reading,
        [("count", .integer(count))])
      origin = nil
    case .continues: break
    }
    isPresent = true
    measure(reading)
    last = reading
    if eachFrame { try sayFrame(reading) }
  }

  private mutating func begin(_ reading: LTCReading) throws {
    origin = nil
    speed = nil
    let way = reading.isReversed ? "backwards" : "forwards"
    try tell(
      "begins", "starts at \(reading.frame), \(way), on channel \((listener.channel ?? 0) + 1)",
      reading)
  }

  /// Measures the speed from the frames of at least a second.
  private mutating func measure(_ reading: LTCReading) {
    guard let begun = origin else { return origin = (reading.start, 0) }
    let frames = begun.frames + 1
    let samples = Double(reading.start.units - begun.place.units) / 65_536
    origin = (begun.place, frames)
    if let counting = reading.counting, samples > 0 {
      let period = Double(listener.sampleRate.hertz) / Double(counting.nominal)
      speed = period * (counting.isSlowed ? 1.001 : 1) * Double(frames) / samples
    }
    if samples >= Double(listener.sampleRate.hertz) { origin = (reading.start, 0) }
  }

  /// Detects the end of a run: ten frame lengths or half a second without a frame.
  private mutating func lookForEnd() throws {
    guard isPresent, let last else { return }
    let length = min(
      10 * (last.end.units - last.start.units) >> 16, Int64(listener.sampleRate.hertz) / 2)
    guard listener.position - last.end.nearest.frames > length else { return }
    isPresent = false
    try tell("lost", "no frame since \(last.frame)", last)
  }

  // MARK: Words

  private mutating func report() throws {
    next += Int64(listener.sampleRate.hertz)
    let peak = listener.takePeak()
    guard !eachFrame else { return }
    let level = Double(Level.decibels(peak))
    var members: Members = [
      ("type", "ltc"), ("present", .bool(isPresent)), ("seconds", seconds(listener.position)),
    ]
    if peak > 0 { members.append(("level_db", .decimal(level.decimal(2)))) }
    var words = "no time code"
    if isPresent, let last {
      words = "\(last.frame)" + (rate.map { " at \($0.rate.name)" } ?? "")
      members.append(("label", .text("\(last.frame)")))
      if let rate {
        members.append(("rate", .text(rate.rate.name)))
        let signed = last.isReversed ? -rate.speed : rate.speed
        members.append(("speed", .decimal(signed.decimal(5))))
        words += ", speed \(signed.decimal(4))"
      }
    }
    if peak > 0 { words += ", peak \(level.decimal(1)) dB" }
    members += [
      ("frames", .integer(listener.frameCount)), ("missed", .integer(listener.missedCount)),
    ]
    try say("\(stamp(listener.position))  \(words), \(listener.missedCount) missing", members)
  }

  private func sayFrame(_ reading: LTCReading) throws {
    let sample = reading.pictureStart.samples
    let place = sample / Double(listener.sampleRate.hertz)
    var members: Members = [
      ("type", "frame"), ("label", .text("\(reading.frame)")),
      ("seconds", .decimal(place.decimal(6))), ("sample", .decimal(sample.decimal(2))),
      ("reversed", .bool(reading.isReversed)),
      ("user_bits", .text(hexadecimal(reading.frame.userBits))),
    ]
    if let counting = reading.counting { members.append(("rate", .text(counting.name))) }
    try say("\(place.decimal(6))  \(reading.frame)", members)
  }

  private func tell(
    _ event: String, _ words: String, _ reading: LTCReading, _ more: Members = []
  ) throws {
    let place = event == "lost" ? reading.end : reading.start
    let members: Members = [
      ("type", "event"), ("event", .text(event)), ("words", .text(words)),
      ("label", .text("\(reading.frame)")), ("seconds", seconds(place.nearest.frames)),
      ("channel", .integer(listener.channel ?? 0)),
    ]
    try say("\(stamp(place.nearest.frames))  \(words)", members + more)
  }

  /// The frame rate and the speed; 30 fps that is a thousandth slow is 29.97 fps.
  private var rate: (rate: FrameRate, speed: Double)? {
    guard let counting = listener.counting, let speed else { return nil }
    let slowed: [FrameRate: FrameRate] = [.fps30: .fps2997, .fps24: .fps23976]
    guard abs(speed * 1.001 - 1) < 0.000_3, let slow = slowed[counting] else {
      return (counting, speed)
    }
    return (slow, speed * 1.001)
  }

  private func seconds(_ sample: Int64) -> JSONValue {
    .decimal((Double(sample) / Double(listener.sampleRate.hertz)).decimal(6))
  }

  private func stamp(_ sample: Int64) -> String {
    "\((Double(sample) / Double(listener.sampleRate.hertz)).decimal(3)) s"
  }

  private func hexadecimal(_ bits: UInt32) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  private func say(_ words: String, _ members: Members) throws(Failure) {
    if json {
      try Terminal.output(JSONValue.object([("v", 1)] + members))
    } else {
      try Terminal.output(words)
    }
  }
}
