// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An order from the control side to a clip kernel: one record in its ring.
@safe
struct ClipOrder: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the memory at the pointers does not change, and outlives the order.

  enum Kind: UInt8 {
    case start
    case cut
  }

  /// The start frame of a clip that starts immediately.
  static var atOnce: Int64 {
    @_noAllocation @_noLocks
    get { .min }
  }

  let kind: Kind
  /// The slot of the clip.
  let slot: Int32
  /// The start frame, or `atOnce`.
  let startFrame: Int64
  let frameCount: Int
  let left: UnsafePointer<Float>
  let right: UnsafePointer<Float>
  let leftGain: Float
  let rightGain: Float

  init(
    start memory: ClipMemory, slot: Int32, at startFrame: Int64, leftGain: Float, rightGain: Float
  ) {
    kind = .start
    self.slot = slot
    self.startFrame = startFrame
    frameCount = memory.frameCount
    unsafe left = memory.left
    unsafe right = memory.right
    self.leftGain = leftGain
    self.rightGain = rightGain
  }

  init(cut slot: Int32, of memory: ClipMemory) {
    kind = .cut
    self.slot = slot
    startFrame = 0
    frameCount = 0
    unsafe left = memory.left
    unsafe right = memory.right
    leftGain = 0
    rightGain = 0
  }
}

/// A clip kernel's report that a clip has ended.
struct ClipFact: BitwiseCopyable, Sendable {
  let slot: Int32
  let reason: ClipEnd.Reason
  /// The frame after the last frame of the clip.
  let endFrame: Int64

  @_noAllocation @_noLocks
  init(slot: Int32, reason: ClipEnd.Reason, endFrame: Int64) {
    self.slot = slot
    self.reason = reason
    self.endFrame = endFrame
  }
}

/// A report of the end of a clip.
public struct ClipEnd: Hashable, BitwiseCopyable, Sendable {
  /// The reason that a clip has ended.
  public enum Reason: UInt8, BitwiseCopyable, Sendable {
    /// The clip was played to its last frame.
    case finished
    /// The clip was stopped by `SoundBoard.cut` or `SoundBoard.dispose`.
    case cut
    /// The clip was not played, because 64 clips were already playing.
    case refused
    /// The output stopped before the end of the clip.
    case stopped
    /// The clip was not played, because user interface sounds are turned off
    /// (`SoundBoard.playsUISounds`).
    case silenced
    /// The program that should play the clip failed.
    case failed
  }

  /// The reason that the clip has ended.
  public let reason: Reason
  /// The output frame that follows the clip's last frame; 0 if another process played the clip.
  public let frame: SampleTime

  /// Creates a report of the end of a clip.
  public init(reason: Reason, frame: SampleTime) {
    self.reason = reason
    self.frame = frame
  }

  /// True if the clip was played to its last frame.
  public var isSuccess: Bool { reason == .finished }
}
