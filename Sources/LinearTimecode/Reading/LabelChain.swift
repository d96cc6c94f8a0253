// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Selects frames that agree with each other, and detects the rate by which labels count.
struct LabelChain: Sendable {
  /// The number of frames that no other frame agreed with.
  private(set) var doubted = 0
  /// The rates that are consistent with all reported frames since the last start.
  private var countings: [FrameRate]
  private let told: FrameRate?
  private var last: Sighting?
  private var candidate: Sighting?

  /// If more frames than this are missing, a second frame must agree again.
  private static let longestGap: Int64 = 25

  init(told: FrameRate?) {
    self.told = told
    countings = []
  }

  /// The frame rate by which labels count; nil until it is known.
  var counting: FrameRate? { told ?? (countings.count == 1 ? countings[0] : nil) }

  /// Processes a frame.
  ///
  /// - Parameters:
  ///   - sighting: The frame.
  ///   - readings: The array to which accepted frames are appended: none, this one, or also the
  ///     previous one.
  mutating func take(_ sighting: Sighting, into readings: inout [LTCReading]) {
    guard sighting.bits.frame(countsTo25: false) != nil else {
      doubted += 1
      return
    }
    if let last, let step = step(from: last, to: sighting, among: countings) {
      if candidate != nil { doubted += 1 }
      countings = step.countings
      tell(sighting, step.frames == 1 ? .continues : .misses(Int(step.frames - 1)), &readings)
    } else if let candidate, let step = step(from: candidate, to: sighting, among: all(sighting)),
      step.frames == 1
    {
      let continuity = continuity(to: candidate)
      countings = step.countings
      tell(candidate, continuity, &readings)
      tell(sighting, .continues, &readings)
    } else {
      if candidate != nil { doubted += 1 }
      candidate = sighting
    }
  }

  private mutating func tell(
    _ sighting: Sighting, _ continuity: LTCContinuity, _ readings: inout [LTCReading]
  ) {
    (last, candidate) = (sighting, nil)
    guard let frame = sighting.bits.frame(countsTo25: counting == .fps25) else { return }
    readings.append(
      LTCReading(
        frame: frame, bits: sighting.bits, start: LTCPlace(units: sighting.start),
        end: LTCPlace(units: sighting.end), isReversed: sighting.isReversed, counting: counting,
        continuity: continuity))
  }

  /// The number of frames from one to another, and the rates at which the distance of the labels
  /// equals that in the sound; nil if no rate does.
  private func step(
    from first: Sighting, to second: Sighting, among countings: [FrameRate]
  ) -> (frames: Int64, countings: [FrameRate])? {
    guard first.isReversed == second.isReversed else { return nil }
    let (gap, length) = (second.start - first.end, second.end - second.start)
    let missing = (gap + length / 2) / length
    guard missing >= 0, missing <= Self.longestGap, abs(gap - missing * length) < length / 3
    else { return nil }
    let agreeing = countings.filter { distance(first, second, $0) == missing + 1 }
    return agreeing.isEmpty ? nil : (missing + 1, agreeing)
  }

  /// The relation of a sequence of frames to the last reported one, by labels and approximate time.
  private func continuity(to first: Sighting) -> LTCContinuity {
    guard let last, last.isReversed == first.isReversed else { return .begins }
    let elapsed = (first.start - last.end) / (first.end - first.start)
    let tolerance: Int64 = 2 + elapsed / 8
    for counting in countings {
      guard let distance = distance(last, first, counting) else { continue }
      let missing: Int64 = distance - 1
      if missing > 0, abs(missing - elapsed) <= tolerance { return .misses(Int(missing)) }
    }
    return .begins
  }

  /// The number of frames from one label to another in their direction, less than a day.
  private func distance(_ first: Sighting, _ second: Sighting, _ rate: FrameRate) -> Int64? {
    guard let from = frame(first, rate), let to = frame(second, rate) else { return nil }
    let forwards = first.isReversed ? from - to : to - from
    return (forwards + rate.framesPerDay) % rate.framesPerDay
  }

  private func frame(_ sighting: Sighting, _ rate: FrameRate) -> Int64? {
    guard let label = sighting.bits.frame(countsTo25: false)?.label else { return nil }
    do { return try rate.frame(of: label) } catch { return nil }
  }

  private func all(_ sighting: Sighting) -> [FrameRate] {
    if let told { return [told] }
    return sighting.bits[10] ? [.fps2997Drop] : [.fps24, .fps25, .fps30]
  }
}
