// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Synchronization

/// A node with a place between left and right.
public protocol AVAudioStereoMixing: NSObjectProtocol {
  /// The place in the mixer: −1 (left) to 1 (right); 0 by default.
  var pan: Float { get set }
}

/// A node that can be the input of a mixer.
public protocol AVAudioMixing: AVAudioStereoMixing {
  /// The volume in the mixer, a linear factor: 0…1; 1 by default.
  var volume: Float { get set }
}

/// The volume and the place of a node in a mixer.
struct MixingLevels {
  var volume: Float = 1 {
    didSet { volume = volume.isNaN ? 0 : min(16, max(0, volume)) }
  }
  var pan: Float = 0 {
    didSet { pan = pan.isNaN ? 0 : min(1, max(-1, pan)) }
  }
}

/// A node that is mixed.
open class AVAudioMixedNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private let stored = Mutex(MixingLevels())

  /// The volume in the mixer, a linear factor: 0…16; 1 by default.
  open var volume: Float {
    get { stored.withLock(\.volume) }
    set {
      stored.withLock { $0.volume = newValue }
      engine?.levelsChanged()
    }
  }

  /// The place in the mixer: −1 (left) to 1 (right); 0 by default.
  open var pan: Float {
    get { stored.withLock(\.pan) }
    set {
      stored.withLock { $0.pan = newValue }
      engine?.levelsChanged()
    }
  }

  override var levels: MixingLevels? { stored.withLock { $0 } }
}
