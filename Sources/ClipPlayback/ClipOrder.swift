// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What the control side asks of a clip kernel: one record in its ring.
@safe
struct ClipOrder: BitwiseCopyable, @unchecked Sendable {
  // Unchecked: the memory pointed to is not written to, and outlives the order's end.

  enum Kind: UInt8 {
    case start
    case cut
  }

  /// The start frame of what is to start at once.
  static var atOnce: Int64 {
    @_noAllocation @_noLocks
    get { .min }
  }

  let kind: Kind
  /// Which of the clips under way.
  let slot: Int32
  /// The frame at which it starts, or `atOnce`.
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

/// What a clip kernel says of a clip that is over.
struct ClipFact: BitwiseCopyable, Sendable {
  let slot: Int32
  let reason: ClipEnd.Reason
  /// The frame after its last.
  let endFrame: Int64

  @_noAllocation @_noLocks
  init(slot: Int32, reason: ClipEnd.Reason, endFrame: Int64) {
    self.slot = slot
    self.reason = reason
    self.endFrame = endFrame
  }
}

/// How a clip ended.
public struct ClipEnd: Hashable, BitwiseCopyable, Sendable {
  /// The ways to end.
  public enum Reason: UInt8, BitwiseCopyable, Sendable {
    /// Its last frame was heard.
    case finished
    /// It was cut short.
    case cut
    /// 64 clips sounded already.
    case refused
    /// The output stopped before its end.
    case stopped
    /// It was not to sound: the user has turned the sounds of the interface off.
    case silenced
    /// The program that was to play it failed.
    case failed
  }

  /// Why it ended.
  public let reason: Reason
  /// The frame after its last, in the output's own count; 0 where it was played elsewhere.
  public let frame: SampleTime

  /// Creates an end.
  public init(reason: Reason, frame: SampleTime) {
    self.reason = reason
    self.frame = frame
  }

  /// Whether the whole of it was heard.
  public var isSuccess: Bool { reason == .finished }
}
