// SPDX-License-Identifier: Apache-2.0

extension FrameRate {
  /// Returns the label of a frame within a day.
  ///
  /// At 29.97 drop-frame, frame 1800 is 00:01:00;02: labels ;00 and ;01 of that minute do not
  /// exist.
  ///
  /// Source: SMPTE ST 12-1, drop-frame counting.
  ///
  /// - Parameter frame: The number of frames from 00:00:00:00, 0…`framesPerDay` − 1; only the low
  ///   32 bits are used.
  /// - Returns: The label, without subframes.
  /// - Note: Real-time safe.
  @inlinable
  public func label(ofFrameInDay frame: Int64) -> TimecodeLabel {
    let nominal = UInt32(nominal)
    var number = UInt32(truncatingIfNeeded: frame)
    if isDrop { number &+= droppedLabels(before: number) }
    // A day has fewer than 2²⁴ frames, and 32-bit divisions are several times faster.
    let (second, frames) = number.quotientAndRemainder(dividingBy: nominal)
    let minute = second / 60
    return TimecodeLabel(
      hours: UInt8(truncatingIfNeeded: minute / 60),
      minutes: UInt8(truncatingIfNeeded: minute % 60),
      seconds: UInt8(truncatingIfNeeded: second % 60), frames: UInt8(truncatingIfNeeded: frames))
  }

  /// The number of labels that are skipped from 00:00:00:00 to a frame of the day.
  @inlinable
  func droppedLabels(before frame: UInt32) -> UInt32 {
    let dropped = UInt32(truncatingIfNeeded: droppedLabels)
    let minute = 60 &* UInt32(nominal)
    let (tens, rest) = frame.quotientAndRemainder(
      dividingBy: UInt32(truncatingIfNeeded: framesPerTenMinutes))
    // The first of ten minutes skips none; each of the other nine begins with a gap.
    let gaps = rest < minute ? 0 : 1 &+ (rest &- minute) / (minute &- dropped)
    return dropped &* (9 &* tens &+ gaps)
  }

  /// Returns the number of frames from 00:00:00:00 to a label; negative for a negative label.
  ///
  /// Subframes are ignored.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` if a field is out of its range; `TimeError.droppedLabel`
  ///   if the label does not exist at this rate; `TimeError.overflow` if the frame does not fit in
  ///   64 bits.
  public func frame(of label: TimecodeLabel) throws(TimeError) -> Int64 {
    try validate(label)
    let minutes = 60 * Int64(label.hours) + Int64(label.minutes)
    let number = (60 * minutes + Int64(label.seconds)) * Int64(nominal) + Int64(label.frames)
    let inDay = number - droppedLabels * (minutes - minutes / 10)
    let (days, past) = label.days.multipliedReportingOverflow(by: framesPerDay)
    let (frame, over) = days.addingReportingOverflow(inDay)
    guard !past, !over, label.days >= 0 else { throw .overflow("frames") }
    return label.isNegative ? -frame : frame
  }

  /// Checks that a label exists at this rate.
  ///
  /// - Throws: `TimeError.fieldOutOfRange` or `TimeError.droppedLabel` if it does not.
  public func validate(_ label: TimecodeLabel) throws(TimeError) {
    try check("hours", label.hours, below: 24)
    try check("minutes", label.minutes, below: 60)
    try check("seconds", label.seconds, below: 60)
    try check("frames", label.frames, below: nominal)
    guard !isDropped(label) else {
      var next = label
      next.frames = UInt8(droppedLabels)
      throw .droppedLabel(label: text(of: label), next: text(of: next))
    }
  }

  /// Returns true if drop-frame counting skips a label.
  @inlinable
  public func isDropped(_ label: TimecodeLabel) -> Bool {
    isDrop && label.seconds == 0 && label.minutes % 10 != 0
      && Int64(label.frames) < droppedLabels
  }

  private func check(_ field: String, _ value: UInt8, below end: UInt8) throws(TimeError) {
    guard value < end else {
      throw .fieldOutOfRange(field: field, value: "\(value)", range: "0…\(end - 1)")
    }
  }
}
