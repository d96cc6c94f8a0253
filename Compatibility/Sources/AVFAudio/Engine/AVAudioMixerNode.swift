// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import CoreAudio
internal import Foundation

/// A mixer with any number of inputs, each with one or two channels.
///
/// The mixer is based on `MixerUnit`. A volume change takes 5 ms.
open class AVAudioMixerNode: AVAudioMixedNode, @unchecked Sendable {
  /// Every access holds the lock.
  private let sumLock = NSLock()
  private var sum: Float = 1

  /// Creates a mixer with an output volume of 1.
  override public init() {
    super.init()
  }

  /// The volume of the output, as a linear factor of 0…16; 1 by default.
  ///
  /// Values outside the range are clamped.
  open var outputVolume: Float {
    get { sumLock.withLock { sum } }
    set {
      sumLock.withLock { sum = newValue.isNaN ? 0 : min(16, max(0, newValue)) }
      engine?.levelsChanged()
    }
  }

  /// The number of the lowest input that is not connected.
  open var nextAvailableInputBus: AVAudioNodeBus { engine?.freeInput(of: self) ?? 0 }

  /// The number of inputs: the number of the last connected input plus 1, at least 1.
  override open var numberOfInputs: Int { engine?.inputCount(of: self) ?? 1 }

  override var hasAnyInputs: Bool { true }

  override func unitChannelCount(_ format: AVAudioFormat?) -> Int { 2 }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    MixerUnit(channelCounts: shape.inputs, rate: shape.rate)
  }

  override func setLevels(_ unit: any ProcessingUnit, _ sources: [Int: AVAudioNode]) {
    guard let mixer = unit as? MixerUnit else { return }
    for (bus, source) in sources where bus < mixer.stripCount {
      let levels = source.levels
      var strip = mixer[bus]
      (strip.gain, strip.pan) = (levels.volume, levels.pan)
      if strip != mixer[bus] { mixer[bus] = strip }
    }
    var sum = mixer.sum
    sum.gain = outputVolume
    if sum != mixer.sum { mixer.sum = sum }
  }
}
