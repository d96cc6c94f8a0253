// SPDX-License-Identifier: Apache-2.0

/// What the control side asks of a stream kernel.
enum StreamOrder: BitwiseCopyable, Sendable {
  /// Goes on from where it is, at a frame of the output; `Int64.min` is at once.
  case play(at: Int64)
  /// Fades out and keeps its place.
  case pause
  /// Fades out and goes on with the chunks of a generation.
  ///
  /// The item and the position, at the player's rate, are where they begin.
  case flush(generation: UInt32, item: Int32, position: Int64)
  /// Moves to two gains in a number of frames; while paused, at once.
  case gains(left: Float, right: Float, frames: Int32)
  /// Plays so many times as fast.
  case rate(Float)

  /// True if another order, sent just before this one, does not matter any more.
  func replaces(_ other: StreamOrder) -> Bool {
    switch (self, other) {
    case (.pause, .pause), (.flush, .flush), (.gains, .gains), (.rate, .rate): true
    default: false
    }
  }
}

/// A piece of a stream: where its samples lie in the pool, and what they are.
struct StreamChunk: BitwiseCopyable, Sendable {
  /// The number of chunks, those for a seek included.
  static var count: Int {
    @_noAllocation @_noLocks
    get { 36 }
  }

  /// The frames that fit into one.
  static var frames: Int {
    @_noAllocation @_noLocks
    get { 2048 }
  }

  let index: Int32
  let frameCount: Int32
  let generation: UInt32
  /// Which of the files or buffers, counted from 0.
  let item: Int32
  /// The first frame's place in it, at the player's rate.
  let position: Int64
  /// The frame of the output at which it is to sound; `Int64.min` is next.
  let startFrame: Int64
  /// Whether nothing follows.
  let isLast: Bool
}

/// What a stream kernel says.
enum StreamFact: BitwiseCopyable, Sendable {
  /// The queue has been played; the frame of the output after the last one.
  case ended(frame: Int64)
  /// How many orders were taken so far, the last of them at a frame of the output.
  case taken(count: UInt64, frame: Int64)
}
