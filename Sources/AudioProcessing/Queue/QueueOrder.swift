// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// A change of a parameter at the start of a buffer; none if the length is below 0.
struct QueueMove: BitwiseCopyable, Sendable {
  var value: Float = 0
  var frameCount: Int32 = -1
}

/// A buffer in the queue.
@safe
struct QueueEntry: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the samples are only read, and their owner lives until the entry is returned.

  /// The number of the buffer, counted from 0.
  let number: Int64
  /// The first frame of the first channel.
  let samples: UnsafePointer<Float>
  /// The distance from one channel to the next, in samples.
  let stride: Int
  let frameCount: Int
  /// The output's frame at which the buffer begins; `Int64.min` for directly after the last buffer.
  let startFrame: Int64
  let gain: QueueMove
  let pan: QueueMove
  let speed: QueueMove
  var hasBegun = false
}

/// A command to a queue.
enum QueueOrder: BitwiseCopyable, Sendable {
  case enqueue(QueueEntry)
  /// Play from a frame of the output; `Int64.min` is immediately.
  case start(at: Int64)
  case pause
  /// Stop, and remove the entries below a number.
  case stop(before: Int64)
  /// Stop when all buffers are played.
  case drain
  /// Remove the entries below a number.
  case flush(before: Int64)
}

/// A report of a queue.
struct QueueFact: BitwiseCopyable, Sendable {
  enum Kind: UInt8, BitwiseCopyable, Sendable {
    case began, played, flushed, ranDry, discontinuity, paused, stopped

    /// True if an entry is returned.
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
  /// The number of the entry.
  let number: Int64
  /// The output's frame.
  let frame: Int64
  /// The delay of the start, or the duration of the silence, in frames.
  let amount: Int64

  @_noAllocation @_noLocks
  init(kind: Kind, number: Int64, frame: Int64, amount: Int64) {
    self.kind = kind
    self.number = number
    self.frame = frame
    self.amount = amount
  }
}

/// The state of a queue after a quantum.
struct QueueStatus: BitwiseCopyable, Sendable {
  var outputFrame: Int64 = 0
  var playedFrames: Int64 = 0
  /// The number of the playing entry, or −1.
  var number: Int64 = -1
  var frame: Int64 = 0
  var discontinuities = 0
  var lateCount = 0
  var dryCount = 0
  var untoldCount = 0
  var isRunning = false
}
