// SPDX-License-Identifier: Apache-2.0

/// What a master sends and when it arrives, in seconds.
///
/// A tempo curve, and a line that delays, quantises, drops or doubles the clocks.
public struct ClockTrace: Sendable {
  /// What a trace is for.
  public enum Kind: Sendable {
    /// One tempo.
    case steady
    /// A tempo that wanders.
    case wandering
    /// A step at the first of `events`.
    case step
    /// A ramp between the two `events`.
    case ramp
    /// Clocks lost, doubled or delivered in bunches.
    case fault
  }

  /// Its name, as in the published table.
  public let name: String
  /// What it is for.
  public let kind: Kind
  /// When each clock truly is, and when the one after the last would be.
  public let times: [Double]
  /// When clocks arrive, in order.
  public let arrivals: [Double]
  /// The line's mean delay.
  public let delay: Double
  /// About how much arrivals jitter.
  public let jitter: Double
  /// The clocks at which the tempo changes.
  public let events: [Int]

  init(
    name: String, kind: Kind, times: [Double], arrivals: [Double], delay: Double, jitter: Double,
    events: [Int]
  ) {
    (self.name, self.kind, self.times, self.arrivals) = (name, kind, times, arrivals)
    (self.delay, self.jitter, self.events) = (delay, jitter, events)
  }

  /// The number of clocks.
  public var count: Int { times.count - 1 }
  /// The length of a clock.
  public func period(_ index: Int) -> Double { times[index + 1] - times[index] }
}

extension ClockTrace {
  /// Clocks to a quarter note.
  public static let clocksPerQuarter = 24
  /// Where a tempo changes: quarter note 40.
  static let change = 40 * clocksPerQuarter

  /// The names of all traces.
  public static let names = [
    "ideal", "g0.1", "g0.5", "g1.0", "g3.0", "usb1ms", "usb125us", "alsaq1k", "dingood", "dinbad",
    "heavytail", "drift20_g0.5", "drift200_g0.5", "bpm60_g1.0", "bpm240_g1.0", "mtc25_g1.0",
    "walk_g0.5", "step8_g0.1", "step8_g0.5", "step8_g1.0", "step0.5_g0.5", "stepdown_g0.5",
    "stepdouble_g0.5", "stephalf_g0.5", "ramp_g0.1", "ramp_g0.5", "ramp_g1.0", "missing1pc",
    "dropout", "doubled", "burst",
  ]

  /// A trace of 100 quarter notes, the same for the same name and seed on every machine.
  ///
  /// - Parameters:
  ///   - name: One of `names`, or one made like them: `bpm240_g3.0`.
  ///   - seed: Which of many.
  public init(_ name: String, seed: Int) {
    let tag = name.utf8.enumerated().reduce(UInt64(0)) {
      $0 + UInt64($1.element) * UInt64($1.offset + 1) * 7919
    }
    var random = TraceRandom(seed: UInt64(seed), tag: tag)
    let curve = TempoCurve(name, &random)
    var line = TransmissionLine(name, emitted: Array(curve.times.dropLast()), &random)
    line.addFaults(name, &random)
    self.name = name
    times = curve.times
    events = curve.events
    delay = line.delay
    jitter = line.jitter
    kind = line.hasFaults ? .fault : curve.kind
    // A serial line never reorders.
    var latest = -Double.infinity
    arrivals = line.arrivals.sorted().map { arrival in
      latest = max(latest, arrival)
      return latest
    }
  }
}

/// When a master's clocks truly are.
struct TempoCurve {
  private(set) var times: [Double]
  private(set) var kind = ClockTrace.Kind.steady
  private(set) var events: [Int] = []

  init(_ name: String, _ random: inout TraceRandom) {
    let change = ClockTrace.change
    var tempi = [Double](repeating: 120, count: 100 * ClockTrace.clocksPerQuarter)
    var parts = 1.0
    func fill(_ tempo: Double, from start: Int = 0) {
      for index in start..<tempi.count { tempi[index] = tempo }
    }
    let steps = [
      ("step8", 128.0), ("step0.5", 120.5), ("stepdown", 90), ("stephalf", 60), ("stepdouble", 180),
    ]
    if let (_, tempo) = steps.first(where: { name.hasPrefix($0.0) }) {
      fill(tempo, from: change)
      events = [change]
      kind = .step
    } else if name.hasPrefix("bpm60") {
      fill(60)
    } else if name.hasPrefix("bpm240") {
      fill(240)
    } else if name.hasPrefix("mtc25") {
      // Quarter frames at 25 frames a second, as if they were clocks.
      fill(250)
    } else if name.hasPrefix("ramp") {
      let length = 16 * ClockTrace.clocksPerQuarter
      fill(140, from: change)
      for index in 0..<length {
        tempi[change + index] = 120 + 20 * Double(index) / Double(length - 1)
      }
      events = [change, change + length]
      kind = .ramp
    } else if name.hasPrefix("walk") {
      // A hand-moved master: the period walks by 0.02 % a clock and is pulled back.
      var walk = 0.0
      for index in tempi.indices {
        walk = 0.995 * walk + random.normal(2e-4)
        tempi[index] = 120 * (1 + walk)
      }
      kind = .wandering
    } else if name.hasPrefix("drift") {
      parts = name.hasPrefix("drift200") ? 1 + 200e-6 : 1 + 20e-6
    }
    var time = 0.25
    times = [time]
    for tempo in tempi {
      time += 60 / (tempo * Double(ClockTrace.clocksPerQuarter)) * parts
      times.append(time)
    }
  }
}

/// How clocks reach the follower.
struct TransmissionLine {
  private(set) var arrivals: [Double]
  private(set) var delay = 0.0
  private(set) var jitter = 0.5e-3
  private(set) var hasFaults = false

  init(_ name: String, emitted: [Double], _ random: inout TraceRandom) {
    arrivals = emitted
    switch name {
    case "ideal": jitter = 1e-5
    case "usb1ms": quantise(1e-3 * (1 + 37e-6), phase: 0.000123, late: 30e-6, 0.29e-3, &random)
    case "usb125us": quantise(125e-6 * (1 + 37e-6), phase: 0.000123, late: 30e-6, 0.05e-3, &random)
    case "alsaq1k": quantise(1e-3, phase: 0.000371, late: 20e-6, 0.29e-3, &random)
    case "dingood": sendSerially(behindNotes: false, &random)
    case "dinbad": sendSerially(behindNotes: true, &random)
    case "heavytail": stall(&random)
    default:
      if let place = name.lastIndex(of: "g"), let value = Double(name[name.index(after: place)...])
      {
        jitter = value * 1e-3
      }
      for index in arrivals.indices { arrivals[index] += random.normal(jitter) }
    }
  }

  /// The host sees a byte at the end of a frame, or a queue sends it at the next tick.
  private mutating func quantise(
    _ frame: Double, phase: Double, late: Double, _ jitter: Double, _ random: inout TraceRandom
  ) {
    for index in arrivals.indices {
      let end = ((arrivals[index] - phase) / frame).rounded(.up) * frame + phase
      arrivals[index] = end + abs(random.normal(late))
    }
    delay = frame / 2 + 0.8 * late
    self.jitter = jitter
  }

  /// A MIDI cable: the byte under way is finished first; perhaps eight messages are, too.
  private mutating func sendSerially(behindNotes: Bool, _ random: inout TraceRandom) {
    let byte = 320e-6
    for index in arrivals.indices {
      arrivals[index] += byte
      if random.uniform() < 0.5 { arrivals[index] += random.uniform(0, byte) }
      guard behindNotes, index % 6 == 0 else { continue }
      let notes = random.integer(below: 9)
      if notes > 0 { arrivals[index] += Double(2 * notes + 1) * byte }
    }
    delay = byte + byte / 4 + (behindNotes ? (8 * byte + 8 * byte / 9) / 6 : 0)
    jitter = behindNotes ? 0.5e-3 : 0.12e-3
  }

  private mutating func stall(_ random: inout TraceRandom) {
    for index in arrivals.indices {
      arrivals[index] += abs(random.normal(0.2e-3))
      if random.uniform() < 0.02 { arrivals[index] += random.exponential(5e-3) }
    }
    delay = 0.16e-3 + 0.02 * 5e-3
  }

  /// Loses, doubles or bunches clocks; the first two quarter notes are spared.
  mutating func addFaults(_ name: String, _ random: inout TraceRandom) {
    let spared = 2 * ClockTrace.clocksPerQuarter
    hasFaults = true
    switch name {
    case "missing1pc":
      let kept = arrivals.indices.filter { $0 < spared || random.uniform() > 0.01 }
      arrivals = kept.map { arrivals[$0] }
    case "dropout":
      for (quarter, count) in [(60, 24), (45, 6), (30, 3)] {
        let start = quarter * ClockTrace.clocksPerQuarter + 5
        arrivals.removeSubrange(start..<(start + count))
      }
    case "doubled":
      let chosen = arrivals.indices.filter { $0 >= spared && random.uniform() < 0.005 }
      arrivals += chosen.map { arrivals[$0] + random.uniform(0.32e-3, 1.5e-3) }
    case "burst":
      for index in spared..<(arrivals.count - 3) where random.uniform() < 0.004 {
        arrivals[index] = arrivals[index + 2] + 50e-6
        arrivals[index + 1] = arrivals[index + 2] + 50e-6
      }
    default:
      hasFaults = false
    }
  }
}
