// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A node for the sound of a device.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
  /// The seconds from the rendering of a frame until it is audible; 0 without a running device.
  open var presentationLatency: TimeInterval { 0 }
}

/// The node whose input is the sound of the engine.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
  /// 1.
  override open var numberOfInputs: Int { 1 }

  /// 1, the sound of the engine.
  override open var numberOfOutputs: Int { 1 }

  /// The seconds from the rendering of a frame until it is audible; 0 without a running device.
  override open var presentationLatency: TimeInterval { engine?.latency ?? 0 }
}
