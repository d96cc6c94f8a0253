// SPDX-License-Identifier: Apache-2.0

/// The settings that messages made for a module's delay, equaliser, insertion and variation
/// effects.
///
/// - Note: Real-time safe.
struct EffectState: BitwiseCopyable {
  /// A controller that changes a parameter of the insertion effect.
  struct Control: BitwiseCopyable {
    /// 0 is none, 1…95 a controller, 96 channel pressure, 97 pitch bend.
    var source = 0
    /// A depth of −100…100 %: −64…63, stored with an offset of 64.
    var depth = 64
    /// The value of the controller, 0…127; pitch bend is −64…63.
    var value = 0
  }

  /// An insertion effect, and the part that is inserted into it (XG); 127 for none.
  struct Insertion: BitwiseCopyable {
    var effect = ModuleEffect()
    var part = 127
    var controls = EffectControls()
  }

  /// The number of insertion effects of an XG module; GS only has the first.
  static var insertionCount: Int {
    @_noAllocation @_noLocks
    get { 4 }
  }

  /// True for an XG module.
  let isXG: Bool
  var delay = DelayProgram.initial
  var equalizer = EqualizerProgram()
  var insertions = InlineArray<4, Insertion>(repeating: Insertion())
  /// The sends of GS's insertion effect to reverb, chorus and delay, 0…127.
  var toReverb = 40
  var toChorus = 0
  var toDelay = 0
  /// True if the output of GS's insertion effect passes through the equaliser.
  var isEqualized = true
  var first = Control()
  var second = Control()
  /// The variation effect of XG, with its return level, pan and sends.
  var variation = ModuleEffect(.xg, type: 0x0500)
  var variationReturn = 64
  var variationPan = 64
  var variationToReverb = 0
  var variationToChorus = 0
  /// True if the variation effect is a system effect to which parts send; false if one part is
  /// inserted.
  var isVariationSystem = false
  var variationPart = 127
  var variationControls = EffectControls()

  /// Creates the state after a reset.
  @_noAllocation @_noLocks
  init(isXG: Bool = false) {
    self.isXG = isXG
    guard isXG else { return }
    for number in 0..<Self.insertionCount {
      insertions[number].effect = ModuleEffect(.xg, type: 0x4900)
    }
  }

  /// The insertion effect of GS.
  var insertion: ModuleEffect {
    @_noAllocation @_noLocks
    get { insertions[0].effect }
    @_noAllocation @_noLocks
    set { insertions[0].effect = newValue }
  }

  /// Sets a GS parameter at 40 01 5x, 40 02 xx or 40 03 xx; returns false if it is not supported.
  ///
  /// The type has two bytes at 40 03 00. The second byte sets the effect.
  @_noAllocation @_noLocks
  mutating func set(gs high: Int, _ low: Int, to value: Int) -> Bool {
    switch (high, low) {
    case (1, _): return delay.set(low, to: value)
    case (2, _): return equalizer.set(low, to: value)
    case (3, 0): insertion = ModuleEffect(.gs, type: value << 8)
    case (3, 1): insertion = ModuleEffect(.gs, type: insertion.type & 0x7F00 | value)
    case (3, 3...0x16): insertion[low &- 2] = value
    case (3, 0x17): toReverb = value
    case (3, 0x18): toChorus = value
    case (3, 0x19): toDelay = value
    case (3, 0x1B): first.source = value
    case (3, 0x1C): first.depth = value
    case (3, 0x1D): second.source = value
    case (3, 0x1E): second.depth = value
    case (3, 0x1F): isEqualized = value != 0
    default: return false
    }
    return true
  }

  /// Sets an XG parameter at 02 01 40…75 or 03 nn xx; returns false if it is not supported.
  ///
  /// The number is nn, the index of an insertion effect.
  @_noAllocation @_noLocks
  mutating func set(xg high: Int, number: Int, _ low: Int, to value: Int) -> Bool {
    switch (high, low) {
    case (2, 0x40): variation = ModuleEffect(.xg, type: value << 8)
    case (2, 0x41): variation = ModuleEffect(.xg, type: variation.type & 0x7F00 | value)
    case (2, 0x42...0x55):
      let parameter = (low &- 0x40) / 2
      let old = variation[parameter]
      // The upper byte arrives first; most parameters only have the lower byte.
      variation[parameter] = low & 1 == 0 ? value << 7 | old & 0x7F : old & 0x3F80 | value
    case (2, 0x56): variationReturn = value
    case (2, 0x57): variationPan = value
    case (2, 0x58): variationToReverb = value
    case (2, 0x59): variationToChorus = value
    case (2, 0x5A): isVariationSystem = value != 0
    case (2, 0x5B):
      variationPart = value
      variationControls.resetValues()
    case (2, 0x5C...0x60): variationControls.setDepth(low &- 0x5C, to: value)
    case (2, 0x70...0x75): variation[low &- 0x70 &+ 11] = value
    case (3, _):
      guard (0..<Self.insertionCount).contains(number) else { return false }
      return insertions[number].set(low, to: value)
    default: return false
    }
    return true
  }

  /// The plan of an insertion effect with its controllers applied; nil if the type is not
  /// supported.
  @_noAllocation @_noLocks
  func insertionPlan(_ number: Int) -> EffectPlan? {
    var effect = insertions[number].effect
    effect.move(by: insertions[number].controls)
    for place in 0..<2 {
      let control = place == 0 ? first : second
      let parameter = effect.controlled(by: place)
      guard parameter > 0, control.source > 0, control.value != 0 else { continue }
      let moved = effect[parameter] &+ control.value &* (control.depth &- 64) / 64
      effect[parameter] = min(127, max(0, moved))
    }
    return effect.plan
  }

  /// Stores the value of a controller of an XG part; returns true if it changes an effect of that
  /// part.
  @_noAllocation @_noLocks
  mutating func receive(_ source: EffectControls.Source, _ value: Int, part: Int) -> Bool {
    var isMoved = false
    for number in 0..<Self.insertionCount where insertions[number].part == part {
      if insertions[number].controls.receive(source, value) { isMoved = true }
    }
    if variationPart == part, variationControls.receive(source, value) { isMoved = true }
    return isMoved
  }

  /// The plan of the variation effect, with return level and pan if it is a system effect; nil if
  /// the type is not supported.
  var variationPlan: EffectPlan? {
    @_noAllocation @_noLocks
    get {
      var effect = variation
      if !isVariationSystem { effect.move(by: variationControls) }
      // A system effect returns only its own sound.
      if isVariationSystem { effect[10] = 127 }
      guard var plan = effect.plan else { return nil }
      if isVariationSystem {
        plan.level *= Float(variationReturn) / 64
        // Sound on both sides is 3 dB louder than the part; a delay repeats on one side at a time.
        if !plan.isEcho { plan.level *= 0.70710678 }
        plan.pan = EffectValue.pan(variationPan)
      }
      return plan
    }
  }
}

extension EffectState.Insertion {
  /// Sets an XG parameter by the last byte of its address 03 nn xx; returns false if it is not
  /// supported.
  @_noAllocation @_noLocks
  mutating func set(_ low: Int, to value: Int) -> Bool {
    switch low {
    case 0: effect = ModuleEffect(.xg, type: value << 8)
    case 1: effect = ModuleEffect(.xg, type: effect.type & 0x7F00 | value)
    case 2...0x0B: effect[low &- 1] = value
    case 0x0C:
      part = value
      controls.resetValues()
    case 0x0D...0x11: controls.setDepth(low &- 0x0D, to: value)
    case 0x20...0x25: effect[low &- 0x20 &+ 11] = value
    case 0x30...0x43:
      let parameter = (low &- 0x30) / 2 &+ 1
      let old = effect[parameter]
      effect[parameter] = low & 1 == 0 ? value << 7 | old & 0x7F : old & 0x3F80 | value
    default: return false
    }
    return true
  }
}
