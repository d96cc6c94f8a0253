// SPDX-License-Identifier: Apache-2.0

/// Something that is told when ticks arrive and asked where it thinks it is; times in seconds.
public protocol TracedFollower {
  /// A tick arrived.
  mutating func tick(at time: Double)
  /// Ticks from the first one at an instant, or nil before it knows.
  mutating func position(at time: Double) -> Double?
  /// The length of a tick; not a number before it knows.
  var period: Double { get }
}

/// The last clock as it came, and the mean of the last 24 intervals: norns, Deluge, many others.
public struct MeanOfIntervals: TracedFollower {
  private var arrivals: [Double] = []
  private var count = -1.0
  private let length: Int
  public private(set) var period = Double.nan

  public init(_ length: Int = 24) { self.length = length }

  public mutating func tick(at time: Double) {
    count += 1
    arrivals.append(time)
    if arrivals.count > length + 1 { arrivals.removeFirst() }
    if arrivals.count > 1 {
      period = (time - arrivals[0]) / Double(arrivals.count - 1)
    }
  }

  public mutating func position(at time: Double) -> Double? {
    period.isNaN ? nil : count + (time - arrivals[arrivals.count - 1]) / period
  }
}

/// The delay-locked loop of Adriaensen with Ardour's constant: 1 Hz at 500 BPM for every tempo.
///
/// Re-implemented from the published equations and constant (libs/ardour/midi_clock_slave.cc).
public struct ArdourLoop: TracedFollower {
  private static let omega = 2 * Double.pi * (60.0 / 500) / 24
  private(set) var count = -1.0
  private var first = Double.nan
  private var now = Double.nan
  private(set) var next = Double.nan
  private var slope = 0.0

  public init() {}

  public var period: Double { next - now }

  public mutating func tick(at time: Double) {
    count += 1
    if first.isNaN {
      first = time
    } else if next.isNaN {
      slope = max(time - first, 1e-4)
      now = time
      next = time + slope
    } else {
      let error = time - next
      now = next
      next += Double(2).squareRoot() * Self.omega * error + slope
      slope += Self.omega * Self.omega * error
    }
  }

  public mutating func position(at time: Double) -> Double? {
    next.isNaN ? nil : count + (time - now) / period
  }
}

/// Ardour as a whole: raw position, tempo rounded to 1 BPM, and the 0.5 Hz loop by which the
/// transport chases them once a cycle of 1024 samples, dead below 0.1 %.
///
/// A model made by reading the source.
public struct ArdourChain: TracedFollower {
  private static let cycle = 1024.0 / 48000
  private static let omega = 2 * Double.pi * 1024 / 2 / 48000
  private var loop = ArdourLoop()
  private var last = 0.0
  private var tempo = Double.nan
  private var nextCycle = 0.0
  private var session = Double.nan
  private var samples = 1024.0
  private var speed = 1.0
  private var waiting: [Double] = []

  public init() {}

  public var period: Double { 60 / (24 * tempo) }

  private mutating func take(_ time: Double) {
    loop.tick(at: time)
    last = time
    guard !loop.next.isNaN else { return }
    let measured = (60 / (24 * loop.period)).rounded()
    if tempo.isNaN || abs(tempo - measured) >= 1 { tempo = measured }
  }

  private mutating func advance(to time: Double) {
    while nextCycle <= time {
      while let first = waiting.first, first <= nextCycle {
        take(first)
        waiting.removeFirst()
      }
      if !tempo.isNaN { chase() }
      nextCycle += Self.cycle
    }
  }

  private mutating func chase() {
    let rate = tempo * 24 / 60
    let master = loop.count + (nextCycle - last) * rate
    guard !session.isNaN else { return session = master }
    session += speed * Self.cycle * rate
    let error = (master - session) / rate * 48000
    speed = (Double(2).squareRoot() * Self.omega * error + samples) / 1024
    samples += Self.omega * Self.omega * error
    if abs(speed - 1) <= 0.001 { speed = 1 }
  }

  public mutating func tick(at time: Double) {
    advance(to: time)
    waiting.append(time)
  }

  public mutating func position(at time: Double) -> Double? {
    advance(to: time)
    guard !session.isNaN else { return nil }
    return session + (time - (nextCycle - Self.cycle)) * speed * tempo * 24 / 60
  }
}

/// Least squares over the last points: 512 in Ableton Link's host-time filter.
public struct SlidingLine: TracedFollower {
  private var arrivals: [Double] = []
  private var count = -1.0
  private var fitted = Double.nan
  private let length: Int
  public private(set) var period = Double.nan

  public init(_ length: Int = 512) { self.length = length }

  public mutating func tick(at time: Double) {
    count += 1
    arrivals.append(time)
    if arrivals.count > length { arrivals.removeFirst() }
    let n = arrivals.count
    guard n > 1 else { return }
    let middle = Double(n - 1) / 2
    let mean = arrivals.reduce(0, +) / Double(n)
    var (products, squares) = (0.0, 0.0)
    for (index, arrival) in arrivals.enumerated() {
      let x = Double(index) - middle
      products += x * (arrival - mean)
      squares += x * x
    }
    period = max(products / squares, 1e-4)
    fitted = mean + period * middle
  }

  public mutating func position(at time: Double) -> Double? {
    period.isNaN ? nil : count + (time - fitted) / period
  }
}
