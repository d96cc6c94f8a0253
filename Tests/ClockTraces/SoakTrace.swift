// SPDX-License-Identifier: Apache-2.0

/// Clocks without end: now and then a new tempo, now and then a fault, and long enough between the
/// two for each to be told from the other.
public struct SoakTrace: Sendable, Sequence, IteratorProtocol {
  /// What a soak holds.
  public struct Parts: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int
    /// Makes a set of bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// A new tempo every four to sixteen quarter notes.
    public static let steps = Parts(rawValue: 1)
    /// A clock lost, doubled, missing or bunched every two to eight quarter notes.
    public static let faults = Parts(rawValue: 2)
  }

  /// A clock that arrives: which one it is, and when, in seconds.
  public struct Arrival: Sendable {
    /// Which clock it is.
    public let index: Int64
    /// When it arrives.
    public let time: Double
  }

  private let parts: Parts
  private let jitter: Double
  private var random: TraceRandom
  private var (index, time, tempo) = (Int64(-1), 0.25, 120.0)
  private var (nextStep, nextFault) = (Int64(400), Int64(200))
  private var latest = 0.0
  private var waiting: [Arrival] = []

  /// Begins at 120 BPM.
  ///
  /// - Parameters:
  ///   - parts: What happens in it.
  ///   - jitter: Normal jitter, in milliseconds.
  ///   - seed: Which of many.
  public init(_ parts: Parts, jitter: Double, seed: UInt64) {
    self.parts = parts
    self.jitter = jitter * 1e-3
    random = TraceRandom(seed: seed, tag: 977)
  }

  /// The next arrival.
  public mutating func next() -> Arrival? {
    while waiting.isEmpty { send() }
    let arrival = waiting.removeFirst()
    latest = Swift.max(latest, arrival.time)
    return Arrival(index: arrival.index, time: latest)
  }

  /// Sends a clock, or what a fault makes of the next few.
  private mutating func send() {
    if parts.contains(.steps), index >= nextStep {
      tempo = random.uniform(60, 240)
      nextStep = index + Int64(96 + random.integer(below: 288))
      nextFault = Swift.max(nextFault, index + 72)
    }
    guard parts.contains(.faults), index >= nextFault else { return waiting.append(clock()) }
    nextFault = index + Int64(48 + random.integer(below: 144))
    nextStep = Swift.max(nextStep, index + 72)
    switch random.integer(below: 4) {
    case 0: _ = clock()
    case 1: for _ in 0..<(2 + random.integer(below: 5)) { _ = clock() }
    case 2:
      let first = clock()
      let double = Arrival(
        index: first.index, time: first.time + random.uniform(0.32e-3, 1.5e-3))
      waiting += [first, double]
    default:
      let three = [clock(), clock(), clock()]
      waiting += three.map { Arrival(index: $0.index, time: three[2].time) }
    }
  }

  private mutating func clock() -> Arrival {
    index += 1
    defer { time += 2.5 / tempo }
    return Arrival(index: index, time: time + random.normal(jitter))
  }
}
