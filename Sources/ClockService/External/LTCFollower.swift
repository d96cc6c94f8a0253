// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
public import Realtime

/// Follows linear time code (LTC) whose frames have already been decoded from sound.
///
/// A frame can only be decoded when its sound has ended. The follower therefore converts each frame
/// to the quarter frames of MIDI time code that follow it, with times calculated from the last
/// received frame. These are then followed like MIDI time code from a port.
///
/// - Note: Owned by the event thread.
public struct LTCFollower: Sendable {
  /// The time after its end at which a frame may be received, in nanoseconds: more than a period.
  private static let latency: Int64 = 30_000_000
  /// The largest difference in time between consecutive frames, in quarter frames.
  private static let seam: Int64 = 4

  private let reader: RingReader<HeardFrame>
  // The owner of the memory that `reader` reads.
  private let owner: any AnyObject & Sendable
  private var heard: HeardFrame?
  /// The next quarter frame to return.
  private var owed: Int64 = 0
  private var last = HostTime(nanoseconds: .min)

  /// Creates a follower.
  ///
  /// - Parameters:
  ///   - reader: Provides the frames in the order in which they were received; only this follower
  ///     reads it.
  ///   - owner: The object that owns the memory that `reader` reads; the follower keeps it alive.
  public init(_ reader: RingReader<HeardFrame>, keeping owner: any AnyObject & Sendable) {
    (self.reader, self.owner) = (reader, owner)
  }

  /// The next quarter frame that is due, with its time; nil if none is due, or the time code has
  /// stopped.
  mutating func next(at now: HostTime) -> (message: Message, time: HostTime)? {
    while let frame = reader.pop() { take(frame, at: now) }
    guard let heard else { return nil }
    let time = max(heard.time(ofQuarterFrame: owed), last)
    // By this time another frame was received, or the time code has stopped.
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

  /// The data byte of a quarter frame, from the label at the start of its cycle.
  private static func data(ofQuarterFrame count: Int64, _ code: MTCCode) -> UInt8? {
    let label = QuarterFrameCount(count: count & ~7, code: code).label
    do {
      return try MTCTime(
        code: code, hours: label.hours, minutes: label.minutes, seconds: label.seconds,
        frames: label.frames
      ).quarterFrame(Int(count & 7))
    } catch {
      // Cannot happen: the label of a count always exists.
      return nil
    }
  }
}
