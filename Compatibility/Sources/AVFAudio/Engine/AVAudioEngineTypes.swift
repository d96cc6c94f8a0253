// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// The number of an input or output of a node, counted from 0.
public typealias AVAudioNodeBus = Int

/// A closure that is called when a player node has finished a buffer or file.
public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void

/// A closure that renders audio for an `AVAudioSourceNode`.
///
/// The closure receives a flag that it can set to true to indicate silence, the time of the first
/// frame, the number of frames, and the buffers to fill. It returns `noErr`; for any other status,
/// silence is played.
public typealias AVAudioSourceNodeRenderBlock = (
  UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
  UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// A closure that receives the audio of an `AVAudioSinkNode`.
///
/// The closure receives the time of the first frame, the number of frames and the buffers. Its
/// result is not used.
public typealias AVAudioSinkNodeReceiverBlock = (
  UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus

/// A closure that receives the audio of a tap: a buffer and the time of its first frame.
///
/// The closure is called on a queue.
public typealias AVAudioNodeTapBlock = @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void

/// A closure that provides audio for an input node in manual rendering mode.
///
/// The closure receives the number of frames that are needed. It returns buffers, which must remain
/// valid until the next call, or nil if it cannot provide the frames.
public typealias AVAudioIONodeInputBlock = (AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// A closure that renders frames into an audio buffer list.
///
/// The closure receives the number of frames, the list, and a pointer to which it writes the
/// status; the pointer may be nil.
public typealias AVAudioEngineManualRenderingBlock = (
  AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

/// The modes of manual rendering.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
  /// Rendering for files and other uses without time limits.
  case offline = 0
  /// Rendering that does not wait, allocate or lock, for real-time threads.
  case realtime = 1
}

/// The results of manual rendering.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
  /// An error occurred.
  case error = -1
  /// All requested frames were rendered.
  case success = 0
  /// The input node did not provide enough audio.
  case insufficientDataFromInputNode = 1
  /// Another thread is rendering with the engine or changing it.
  ///
  /// No frames were rendered.
  case cannotDoInCurrentContext = 2
}

/// The errors of manual rendering.
public enum AVAudioEngineManualRenderingError: OSStatus, Sendable {
  /// The engine is not in manual rendering mode.
  case invalidMode = -80800
  /// The mode cannot be changed because the engine is running or paused.
  case initialized = -80801
  /// The engine is not running.
  case notRunning = -80802
}

/// A node together with the number of one of its inputs or outputs.
open class AVAudioConnectionPoint: NSObject {
  /// The node; nil once the node has been released.
  public private(set) weak var node: AVAudioNode?
  /// The number of the input or output.
  public let bus: AVAudioNodeBus

  /// Creates a connection point.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - bus: The number of the input or output.
  public init(node: AVAudioNode, bus: AVAudioNodeBus) {
    (self.node, self.bus) = (node, bus)
    super.init()
  }
}
