// SPDX-License-Identifier: Apache-2.0

/// The frame timer of JACK2: a delay-locked loop of 1/8 Hz on audio periods.
///
/// Re-implemented from the published equations and constants (JackFrameTimer.cpp).
public struct JackLoop: TracedFollower {
  private var count = -1.0
  private var now = Double.nan
  private var next = Double.nan
  private var slope: Double
  private let omega: Double

  public init(period: Double) {
    slope = period
    omega = 2 * Double.pi * 0.125 * period
  }

  public var period: Double { slope }

  public mutating func tick(at time: Double) {
    count += 1
    if next.isNaN { next = time }
    let error = time - next
    now = next
    slope += omega * omega * error
    next += slope + 1.41 * omega * error
  }

  public mutating func position(at time: Double) -> Double? {
    now.isNaN ? nil : count + (time - now) / (next - now)
  }
}
