// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import AudioToolbox
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// A node for an effect with one input and one output.
///
/// - Note: Any thread.
open class AVAudioUnitEffect: AVAudioUnit, @unchecked Sendable {
  private let core: (any EffectCore)?
  private let isBypassed = Mutex(false)

  /// Creates an effect with its default values.
  ///
  /// - Parameter audioComponentDescription: The component description. If no effect matches it, the
  ///   node passes its input through unchanged.
  public init(audioComponentDescription: AudioComponentDescription) {
    core = UnitComponent.find(audioComponentDescription)?.makeCore()
    super.init(audioComponentDescription)
  }

  init(_ component: UnitComponent, _ core: any EffectCore) {
    self.core = core
    super.init(component)
  }

  /// The number of inputs: always 1.
  override open var numberOfInputs: Int { 1 }

  /// True if the effect is bypassed and its input passes through unchanged; false by default.
  ///
  /// When the value changes, the sound fades to the new state within 5 ms.
  open var bypass: Bool {
    get { isBypassed.withLock { $0 } }
    set {
      let hasChanged = isBypassed.withLock { value in
        defer { value = newValue }
        return value != newValue
      }
      if hasChanged { replaceUnit() }
    }
  }

  override func makeUnit(_ shape: UnitShape) -> (any ProcessingUnit)? {
    let made = bypass ? nil : core?.makeUnit(shape)
    let count = shape.inputs.first ?? 2
    return made ?? ChannelConverterUnit(name: "bypass", from: count, to: count, rate: shape.rate)
  }
}
