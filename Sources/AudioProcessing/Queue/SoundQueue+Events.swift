// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension SoundQueue {
  /// When something begins.
  public enum Moment: Hashable, Sendable {
    /// At a frame, in the output's own count.
    case frame(SampleTime)
    /// At an instant of reference time: at the frame that is under way at it.
    case reference(ReferenceTime)
    /// When an instant of the host's clock is heard, by what the output says of its clock.
    case host(HostTime, TimeBase)

    /// The output's frame.
    func frame(at rate: SampleRate) -> Int64 {
      switch self {
      case .frame(let frame): frame.frames
      case .reference(let time): rate.frame(at: time).frames
      case .host(let time, let base): rate.frame(at: base.time(at: time)).frames
      }
    }
  }

  /// What is set as a buffer begins.
  public struct Change: Hashable, Sendable {
    /// What is set.
    public var setting: Setting
    /// Where it goes, held within its range.
    public var value: Float
    /// In what time; nil takes 5 ms, and 20 ms for the speed.
    public var seconds: Double?

    /// Describes a change.
    public init(_ setting: Setting, to value: Float, over seconds: Double? = nil) {
      self.setting = setting
      self.value = value
      self.seconds = seconds
    }
  }

  /// A buffer that is done.
  public struct Done: Hashable, Sendable {
    /// Why.
    public enum Reason: Hashable, Sendable {
      /// It was played to its end.
      case played
      /// It was taken back, by `flush` or `stop`.
      case flushed
    }

    /// Its number, as `enqueue` gave it.
    public let number: Int
    /// Why it is done.
    public let reason: Reason
    /// The output's frame after its last one; that at which it was taken back.
    public let frame: SampleTime

    /// Describes an end.
    public init(number: Int, reason: Reason, frame: SampleTime) {
      self.number = number
      self.reason = reason
      self.frame = frame
    }
  }

  /// What happens to a queue, each with the output's frame at which it does.
  public enum Event: Hashable, Sendable {
    /// A buffer begins, so many frames later than it was to.
    case began(number: Int, frame: SampleTime, lateBy: Int)
    /// A buffer is done.
    case done(Done)
    /// Nothing is left to be played; it goes on with what comes.
    case ranDry(frame: SampleTime)
    /// Sound goes on after so many frames of silence, for whatever reason: from here on the position
    /// lies elsewhere on the output's time.
    case discontinuity(frame: SampleTime, silentFrames: Int)
    /// It stands still.
    case paused(frame: SampleTime)
    /// It has stopped, and counts from 0 again.
    case stopped(frame: SampleTime)

    /// The output's frame at which it happens.
    public var frame: SampleTime {
      switch self {
      case .began(_, let frame, _), .ranDry(let frame), .discontinuity(let frame, _),
        .paused(let frame), .stopped(let frame):
        frame
      case .done(let done): done.frame
      }
    }
  }

  /// Where a queue is.
  public struct Position: Hashable, Sendable {
    /// The frames played since it began, or was stopped.
    public let played: SampleTime
    /// The output's frame at which that is so: the first that has not been rendered.
    public let output: SampleTime
    /// The number of the buffer that sounds; nil where none does.
    public let number: Int?
    /// The next frame of it, counted behind its trim; 0 where none sounds.
    public let frame: Int
    /// How often since then sound went on after a silence, so that the two counts parted.
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
