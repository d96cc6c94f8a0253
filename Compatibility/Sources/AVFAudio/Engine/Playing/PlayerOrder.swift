// SPDX-License-Identifier: Apache-2.0

/// A run of frames that a player's kernel plays.
@safe
struct PlayerEntry: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the samples are only read, and exist until the entry has been returned.

  /// The number of the entry, from 0.
  let number: Int64
  /// The number of the segment that it belongs to.
  let segment: Int64
  /// Interleaved samples.
  let samples: UnsafePointer<Float>
  let frameCount: Int
  /// The frame of the player at which it begins; `Int64.min` for right after the entry before.
  let startFrame: Int64
  /// True to begin again at the end.
  var loops: Bool
}

/// A command to a player's kernel.
enum PlayerOrder: BitwiseCopyable, Sendable {
  case append(PlayerEntry)
  /// Play from a frame of the engine; `Int64.min` for at once.
  case play(at: Int64)
  case pause
  /// Drop the entries below a number, and count from 0.
  case stop(before: Int64)
  /// Drop the entries below a number.
  case drop(before: Int64)
  /// End the loop of a segment, and drop the entries below a number of other segments.
  case endLoop(of: Int64, before: Int64)
}

/// An entry that a kernel returns.
struct PlayerFact: BitwiseCopyable, Sendable {
  let number: Int64
  /// The frame of the engine after its last frame.
  let endFrame: Int64

  @_noAllocation @_noLocks
  init(number: Int64, endFrame: Int64) {
    self.number = number
    self.endFrame = endFrame
  }
}

/// The position of a player after a quantum.
struct PlayerStatus: BitwiseCopyable, Sendable {
  /// Frames of the engine that were played since the player was stopped.
  var played: Int64 = 0
  /// The frame of the engine that is frame 0 of the player.
  var origin: Int64 = 0
  /// True while frames are played, so that `origin` is valid.
  var hasBegun = false
  /// The entry that is played; −1 for none.
  var number: Int64 = -1
  /// The next frame of the entry.
  var place = 0
}
