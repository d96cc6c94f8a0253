// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
public import Realtime

/// Follows linear timecode, whose frames somebody hears: a clock's master beside MIDI time code.
///
/// A frame is known when it is over. It is told as the quarter frames of MIDI time code that come
/// after it, each when it is due by the place and length of the last frame that was heard, and
/// these are followed as those of a cable are.
///
/// - Note: owned by the event thread.
public struct LTCFollower: Sendable {
  /// How long after its end a frame may be heard, in nanoseconds: a period of a device, and more.
  private static let latency: Int64 = 30_000_000
  /// How far two frames may differ in where they say that time is, in quarter frames.
  private static let seam: Int64 = 4

  private let reader: RingReader<HeardFrame>
  // The memory that is read is its.
  private let owner: any AnyObject & Sendable
  private var heard: HeardFrame?
  /// The quarter frame that is told next.
  private var owed: Int64 = 0
  private var last = HostTime(nanoseconds: .min)

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - reader: The frames, in the order in which they were heard; nobody else reads them.
  ///   - owner: What is kept while the follower is there.
  public init(_ reader: RingReader<HeardFrame>, keeping owner: any AnyObject & Sendable) {
    (self.reader, self.owner) = (reader, owner)
  }

  /// The next quarter frame that is due, and when it was; nil where there is none, or no more of
  /// those that the last frame tells of.
  mutating func next(at now: HostTime) -> (message: Message, time: HostTime)? {
    while let frame = reader.pop() { take(frame, at: now) }
    guard let heard else { return nil }
    let time = max(heard.time(ofQuarterFrame: owed), last)
    // By then another was heard, or there is none.
    let end = heard.start.advanced(saturating: 3 * heard.length + Self.latency)
    guard time <= min(now, end), let data = Self.data(ofQuarterFrame: owed, heard.code) else {
      return nil
    }
    owed += heard.isReversed ? -1 : 1
    last = time
    return (Message(status: 0xF1, data1: data), time)
  }

  private mutating func take(_ frame: HeardFrame, at now: HostTime) {
    let next = frame.nextQuarterFrame(at: now)
    let goesOn = heard.map { $0.code == frame.code && $0.isReversed == frame.isReversed } ?? false
    if !goesOn || abs(next - owed) > Self.seam { owed = next }
    heard = frame
  }

  /// The data byte of a quarter frame: of the label at its cycle's beginning.
  private static func data(ofQuarterFrame count: Int64, _ code: MTCCode) -> UInt8? {
    let label = QuarterFrameCount(count: count & ~7, code: code).label
    do {
      return try MTCTime(
        code: code, hours: label.hours, minutes: label.minutes, seconds: label.seconds,
        frames: label.frames
      ).quarterFrame(Int(count & 7))
    } catch {
      // A label of a count always exists.
      return nil
    }
  }
}
