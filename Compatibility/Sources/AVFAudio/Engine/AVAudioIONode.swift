// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// The base class of the nodes that connect an engine to audio devices.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
  /// The time from rendering a frame until it is audible, in seconds; 0 if the node is not an
  /// output node.
  open var presentationLatency: TimeInterval { 0 }
}

/// The output node of an engine.
///
/// Audio that reaches its input is played or, in manual rendering mode, returned to you.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
  /// The number of inputs: always 1.
  override open var numberOfInputs: Int { 1 }

  /// The number of outputs: always 1.
  ///
  /// A tap on this output receives the audio of the engine.
  override open var numberOfOutputs: Int { 1 }

  /// The time from rendering a frame until it is audible, in seconds; 0 if the engine is not
  /// running on a device.
  override open var presentationLatency: TimeInterval { engine?.latency ?? 0 }
}
