// SPDX-License-Identifier: Apache-2.0

/// An order from the control side to a stream kernel.
enum StreamOrder: BitwiseCopyable, Sendable {
  /// Plays from the current position, at an output frame; `Int64.min` is immediately.
  case play(at: Int64)
  /// Fades out and keeps the position.
  case pause
  /// Fades out and continues with the chunks of a generation.
  ///
  /// The item and the position, at the player's rate, are those of its first chunk.
  case flush(generation: UInt32, item: Int32, position: Int64)
  /// Changes the gains linearly over a number of frames, or immediately while paused.
  case gains(left: Float, right: Float, frames: Int32)
  /// Sets the speed as a factor.
  case rate(Float)

  /// True if another order, sent just before this one, does not matter any more.
  func replaces(_ other: StreamOrder) -> Bool {
    switch (self, other) {
    case (.pause, .pause), (.flush, .flush), (.gains, .gains), (.rate, .rate): true
    default: false
    }
  }
}

/// A piece of a stream: the position of its samples in the pool, and their meaning.
struct StreamChunk: BitwiseCopyable, Sendable {
  /// The number of chunks, including those for a seek.
  static var count: Int {
    @_noAllocation @_noLocks
    get { 36 }
  }

  /// The maximum number of frames in a chunk.
  static var frames: Int {
    @_noAllocation @_noLocks
    get { 2048 }
  }

  let index: Int32
  let frameCount: Int32
  let generation: UInt32
  /// The index of the sound, from 0.
  let item: Int32
  /// The position of the first frame in the sound, at the player's rate.
  let position: Int64
  /// The output frame at which it starts; `Int64.min` for directly after the previous chunk.
  let startFrame: Int64
  /// True if nothing follows.
  let isLast: Bool
}

/// A report of a stream kernel.
enum StreamFact: BitwiseCopyable, Sendable {
  /// The queue has been played.
  ///
  /// `frame` is the output frame after the last one.
  case ended(frame: Int64)
  /// The number of orders received so far, and the output frame at which the last was received.
  case taken(count: UInt64, frame: Int64)
}
