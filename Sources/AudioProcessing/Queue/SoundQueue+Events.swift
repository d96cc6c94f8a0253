// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension SoundQueue {
  /// A time at which playback or a buffer begins.
  public enum Moment: Hashable, Sendable {
    /// A frame, counted on the timeline of the output.
    case frame(SampleTime)
    /// An instant of reference time, rounded down to the frame that contains it.
    case reference(ReferenceTime)
    /// A host time at which the start should be audible, which is converted with the time base of
    /// the output.
    case host(HostTime, TimeBase)

    /// The frame of the output.
    func frame(at rate: SampleRate) -> Int64 {
      switch self {
      case .frame(let frame): frame.frames
      case .reference(let time): rate.frame(at: time).frames
      case .host(let time, let base): rate.frame(at: base.time(at: time)).frames
      }
    }
  }

  /// A change of a parameter that takes effect at the start of a buffer.
  public struct Change: Hashable, Sendable {
    /// The parameter.
    public var setting: Setting
    /// The new value, limited to the parameter's range.
    public var value: Float
    /// The duration of the change in seconds; nil means 5 ms, or 20 ms for the speed.
    public var seconds: Double?

    /// Creates a change.
    public init(_ setting: Setting, to value: Float, over seconds: Double? = nil) {
      self.setting = setting
      self.value = value
      self.seconds = seconds
    }
  }

  /// The report that the queue does not use a buffer any longer.
  public struct Done: Hashable, Sendable {
    /// The reason that a buffer is done.
    public enum Reason: Hashable, Sendable {
      /// The buffer was played to its end.
      case played
      /// The buffer was removed by `flush` or `stop`.
      case flushed
    }

    /// The number of the buffer that `enqueue` returned.
    public let number: Int
    /// The reason that the buffer is done.
    public let reason: Reason
    /// The output frame that follows the last frame of the buffer, or the output frame at which the
    /// buffer was removed.
    public let frame: SampleTime

    /// Creates a report.
    public init(number: Int, reason: Reason, frame: SampleTime) {
      self.number = number
      self.reason = reason
      self.frame = frame
    }
  }

  /// An event of a queue, with the output frame at which it happened.
  public enum Event: Hashable, Sendable {
    /// A buffer begins at a frame; if it could not begin in time, `lateBy` is the delay in frames,
    /// otherwise 0.
    case began(number: Int, frame: SampleTime, lateBy: Int)
    /// The queue does not use a buffer any longer.
    case done(Done)
    /// All buffers were played, and the queue is empty.
    ///
    /// When a buffer is enqueued, playback continues.
    case ranDry(frame: SampleTime)
    /// Sound continues after an interruption by silent frames.
    ///
    /// From then on, the relation between played frames and output frames is different.
    case discontinuity(frame: SampleTime, silentFrames: Int)
    /// Playback is paused.
    case paused(frame: SampleTime)
    /// Playback has stopped, and the position is 0 again.
    case stopped(frame: SampleTime)

    /// The output frame at which the event happened.
    public var frame: SampleTime {
      switch self {
      case .began(_, let frame, _), .ranDry(let frame), .discontinuity(let frame, _),
        .paused(let frame), .stopped(let frame):
        frame
      case .done(let done): done.frame
      }
    }
  }

  /// The position of a queue.
  public struct Position: Hashable, Sendable {
    /// The number of frames played since the queue was created or stopped.
    public let played: SampleTime
    /// The output frame to which this position applies: the first frame that is not rendered yet.
    public let output: SampleTime
    /// The number of the playing buffer; nil if none is playing.
    public let number: Int?
    /// The next frame to be played in the playing buffer, counted from the frame after `trimStart`;
    /// 0 if none is playing.
    public let frame: Int
    /// The number of times that sound continued after silence, since the queue was created or
    /// stopped.
    public let discontinuities: Int

    init(_ status: QueueStatus) {
      played = SampleTime(frames: status.playedFrames)
      output = SampleTime(frames: status.outputFrame)
      number = status.number < 0 ? nil : Int(status.number)
      frame = Int(status.frame)
      discontinuities = status.discontinuities
    }
  }
}

extension SoundQueue.Event {
  init(_ fact: QueueFact) {
    let frame = SampleTime(frames: fact.frame)
    let (number, amount) = (Int(fact.number), Int(fact.amount))
    self =
      switch fact.kind {
      case .began: .began(number: number, frame: frame, lateBy: max(0, amount))
      case .played: .done(SoundQueue.Done(number: number, reason: .played, frame: frame))
      case .flushed: .done(SoundQueue.Done(number: number, reason: .flushed, frame: frame))
      case .ranDry: .ranDry(frame: frame)
      case .discontinuity: .discontinuity(frame: frame, silentFrames: amount)
      case .paused: .paused(frame: frame)
      case .stopped: .stopped(frame: frame)
      }
  }
}
