// SPDX-License-Identifier: Apache-2.0
public import Foundation
internal import Synchronization

/// A node with a place between left and right.
public protocol AVAudioStereoMixing: NSObjectProtocol {
  /// The place in the mixer: −1 (left) to 1 (right); 0 by default.
  var pan: Float { get set }
}

/// A node that can be the input of a mixer or of an environment.
public protocol AVAudioMixing: AVAudioStereoMixing, AVAudio3DMixing {
  /// The volume in the mixer, a linear factor: 0…1; 1 by default.
  var volume: Float { get set }
}

extension AVAudioStereoMixing where Self: AVAudioNode {
  /// The place in the mixer: −1 (left) to 1 (right); 0 by default.
  public var pan: Float {
    get { levels.pan }
    set { changeLevels { $0.pan = newValue } }
  }
}

extension AVAudioMixing where Self: AVAudioNode {
  /// The volume in the mixer, a linear factor: 0…16; 1 by default.
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
  /// The volume and the place as they were set; those of a node that cannot be mixed are the default.
  var levels: MixingLevels { nodeLevels.value }

  func changeLevels(_ body: (inout MixingLevels) -> Void) {
    nodeLevels.change(body)
    engine?.levelsChanged()
  }
}

/// A node that is mixed.
open class AVAudioMixedNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {}
