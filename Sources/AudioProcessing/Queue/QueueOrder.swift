// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// A parameter's movement as a buffer begins; none where the length is below 0.
struct QueueMove: BitwiseCopyable, Sendable {
  var value: Float = 0
  var frameCount: Int32 = -1
}

/// A buffer in line.
@safe
struct QueueEntry: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the samples are only read, and their owner lives until the entry has come back.

  /// Its number, counted from 0.
  let number: Int64
  /// The first frame of the first channel.
  let samples: UnsafePointer<Float>
  /// Samples from a channel to the next.
  let stride: Int
  let frameCount: Int
  /// The output's frame at which it begins; `Int64.min` for right after what is before it.
  let startFrame: Int64
  let gain: QueueMove
  let pan: QueueMove
  let speed: QueueMove
  var hasBegun = false
}

/// What a queue is told.
enum QueueOrder: BitwiseCopyable, Sendable {
  case enqueue(QueueEntry)
  /// Play from a frame of the output on; `Int64.min` is at once.
  case start(at: Int64)
  case pause
  /// Stop, and forget the entries below a number.
  case stop(before: Int64)
  /// Stop where nothing is left.
  case drain
  /// Forget the entries below a number.
  case flush(before: Int64)
}

/// What a queue tells.
struct QueueFact: BitwiseCopyable, Sendable {
  enum Kind: UInt8, BitwiseCopyable, Sendable {
    case began, played, flushed, ranDry, discontinuity, paused, stopped

    /// Whether an entry comes back.
    var isEnd: Bool {
      @_noAllocation @_noLocks
      get {
        switch self {
        case .played, .flushed: true
        default: false
        }
      }
    }
  }

  let kind: Kind
  /// The entry that is meant.
  let number: Int64
  /// The output's frame.
  let frame: Int64
  /// Frames: how late it began, or how long it was silent.
  let amount: Int64

  @_noAllocation @_noLocks
  init(kind: Kind, number: Int64, frame: Int64, amount: Int64) {
    self.kind = kind
    self.number = number
    self.frame = frame
    self.amount = amount
  }
}

/// Where a queue is after a quantum.
struct QueueStatus: BitwiseCopyable, Sendable {
  var outputFrame: Int64 = 0
  var playedFrames: Int64 = 0
  /// The entry that sounds; −1 is none.
  var number: Int64 = -1
  var frame: Int64 = 0
  var discontinuities = 0
  var lateCount = 0
  var dryCount = 0
  var untoldCount = 0
  var isRunning = false
}
