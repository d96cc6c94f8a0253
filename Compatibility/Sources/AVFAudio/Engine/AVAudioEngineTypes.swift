// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// The number of an input or output of a node, from 0.
public typealias AVAudioNodeBus = Int

/// A closure that is called when a player has finished a buffer or file.
public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void

/// A closure that renders the sound of an `AVAudioSourceNode`.
///
/// It receives a flag that it sets for silence, the time of the first frame, the number of frames
/// and the buffers to fill. It returns `noErr`; another status is silence.
public typealias AVAudioSourceNodeRenderBlock = (
  UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
  UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// A closure that receives the sound of an `AVAudioSinkNode`.
///
/// It receives the time of the first frame, the number of frames and the buffers. The result is not
/// used.
public typealias AVAudioSinkNodeReceiverBlock = (
  UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus

/// A closure that receives the sound of a tap, on a queue: a buffer, and the time of its first frame.
public typealias AVAudioNodeTapBlock = @Sendable (AVAudioPCMBuffer, AVAudioTime) -> Void

/// A closure that provides the sound of an input node in manual rendering mode.
///
/// It receives the number of frames, and returns the buffers, which are valid until the next call; nil
/// if it does not have the frames.
public typealias AVAudioIONodeInputBlock = (AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// A closure that renders frames into the buffers of a list, and stores a status.
public typealias AVAudioEngineManualRenderingBlock = (
  AVAudioFrameCount, UnsafeMutablePointer<AudioBufferList>, UnsafeMutablePointer<OSStatus>?
) -> AVAudioEngineManualRenderingStatus

/// The kinds of rendering without a device.
public enum AVAudioEngineManualRenderingMode: Int, Sendable {
  /// As fast as possible.
  case offline = 0
  /// Under the conditions of a real-time thread.
  case realtime = 1
}

/// The result of rendering without a device.
public enum AVAudioEngineManualRenderingStatus: Int, Sendable {
  /// A failure.
  case error = -1
  /// The buffer is full.
  case success = 0
  /// The input node did not provide enough sound.
  case insufficientDataFromInputNode = 1
  /// Another thread changes the engine.
  case cannotDoInCurrentContext = 2
}

/// Errors of rendering without a device.
public enum AVAudioEngineManualRenderingError: OSStatus, Sendable {
  /// The engine is not in the mode, or cannot enter it.
  case invalidMode = -80800
  /// The engine runs.
  case initialized = -80801
  /// The engine does not run.
  case notRunning = -80802
}

/// A node and one of its buses.
open class AVAudioConnectionPoint: NSObject {
  /// The node; nil once it is freed.
  public private(set) weak var node: AVAudioNode?
  /// The number of the bus.
  public let bus: AVAudioNodeBus

  /// Creates a connection point.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - bus: The number of the bus.
  public init(node: AVAudioNode, bus: AVAudioNodeBus) {
    (self.node, self.bus) = (node, bus)
    super.init()
  }
}
