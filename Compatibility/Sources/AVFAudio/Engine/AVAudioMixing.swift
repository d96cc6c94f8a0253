// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Synchronization

/// A node with a pan position in a stereo mixer.
public protocol AVAudioStereoMixing: NSObjectProtocol {
  /// The pan position in the mixer, −1 (left) to 1 (right); 0 by default.
  ///
  /// Values outside the range are clamped.
  var pan: Float { get set }
}

/// A node that can be connected to a mixer or an environment, with a volume and a position.
public protocol AVAudioMixing: AVAudioStereoMixing, AVAudio3DMixing {
  /// The volume in the mixer, as a linear factor of 0…16; 1 by default.
  ///
  /// Values outside the range are clamped.
  var volume: Float { get set }
}

extension AVAudioStereoMixing where Self: AVAudioNode {
  /// The pan position in the mixer, −1 (left) to 1 (right); 0 by default.
  ///
  /// Values outside the range are clamped.
  public var pan: Float {
    get { levels.pan }
    set { changeLevels { $0.pan = newValue } }
  }
}

extension AVAudioMixing where Self: AVAudioNode {
  /// The volume in the mixer, as a linear factor of 0…16; 1 by default.
  ///
  /// Values outside the range are clamped.
  public var volume: Float {
    get { levels.volume }
    set { changeLevels { $0.volume = newValue } }
  }
}

/// The volume and the place of a node in a mixer or an environment.
struct MixingLevels {
  var volume: Float = 1 {
    didSet { volume = volume.isNaN ? 0 : min(16, max(0, volume)) }
  }
  var pan: Float = 0 {
    didSet { pan = pan.isNaN ? 0 : min(1, max(-1, pan)) }
  }
  var place = SpatialPlace()
}

/// The levels of a node, for any thread.
final class NodeLevels: Sendable {
  private let stored = Mutex(MixingLevels())

  var value: MixingLevels { stored.withLock { $0 } }

  func change(_ body: (inout MixingLevels) -> Void) { stored.withLock { body(&$0) } }
}

extension AVAudioNode {
  /// The volume and position that were set; the defaults for a node that cannot be mixed.
  var levels: MixingLevels { nodeLevels.value }

  func changeLevels(_ body: (inout MixingLevels) -> Void) {
    nodeLevels.change(body)
    engine?.levelsChanged()
  }
}

/// The base class of nodes with a volume and a pan, such as players and mixers.
open class AVAudioMixedNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {}
