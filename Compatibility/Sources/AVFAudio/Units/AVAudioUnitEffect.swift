// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
public import AudioToolbox
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// An effect with one input and one output.
///
/// - Note: Any thread.
open class AVAudioUnitEffect: AVAudioUnit, @unchecked Sendable {
  private let core: (any EffectCore)?
  private let isBypassed = Mutex(false)

  /// Creates an effect with its default values.
  ///
  /// - Parameter audioComponentDescription: The type; an effect of an unknown type passes the sound on
  ///   unchanged.
  public init(audioComponentDescription: AudioComponentDescription) {
    core = UnitComponent.find(audioComponentDescription)?.makeCore()
    super.init(audioComponentDescription)
  }

  init(_ component: UnitComponent, _ core: any EffectCore) {
    self.core = core
    super.init(component)
  }

  /// 1.
  override open var numberOfInputs: Int { 1 }

  /// True if the sound passes unchanged; false by default.
  ///
  /// A change fades for 5 ms.
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
