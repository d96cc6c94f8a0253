// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing

/// The sound of a module's effects.
extension ModuleMixer {
  /// Returns the buses for the voices: the dry buses, followed by ours, which are cleared if they
  /// are used.
  @_noAllocation @_noLocks
  func begin(
    frameCount: Int, dry: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>?> {
    for index in 0..<2 &* dryCount { unsafe pointers[index] = dry[index] }
    // Buses to which effects add sound are cleared too.
    for place in 0..<Place.count where isUsed(place) || isRinging(place) {
      unsafe bus(place, 0).update(repeating: 0, count: frameCount)
      unsafe bus(place, 1).update(repeating: 0, count: frameCount)
    }
    return unsafe pointers
  }

  /// True if the chorus is sent to the delay of GS.
  private var hasReturned: Bool {
    @_noAllocation @_noLocks
    get { toSystem > 0 && !state.isXG && state.delay.level > 0 }
  }

  /// True if nothing needs to be mixed.
  var isIdle: Bool {
    @_noAllocation @_noLocks
    get {
      guard used == 0, !equalizer.isRinging, !variation.isRinging, !hasReturned else {
        return false
      }
      for number in 0..<EffectState.insertionCount where unsafe insertions[number].isRinging {
        return false
      }
      return true
    }
  }

  @_noAllocation @_noLocks
  func isUsed(_ place: Int) -> Bool { used >> UInt32(truncatingIfNeeded: place) & 1 != 0 }

  /// True if sound may be added to a bus without voices.
  @_noAllocation @_noLocks
  private func isRinging(_ place: Int) -> Bool {
    switch place {
    case Place.equalizer.rawValue, Place.system.rawValue: true
    case Place.variation.rawValue: variation.isRinging
    case ..<Place.channels.rawValue:
      unsafe insertions[place &- Place.insertions.rawValue].isRinging
    default: false
    }
  }

  @_noAllocation @_noLocks
  private func bus(_ place: Int, _ side: Int) -> UnsafeMutablePointer<Float> {
    unsafe samples + (2 &* place &+ side) &* EffectFeed.frameCount
  }

  /// Renders the effects after the voices.
  ///
  /// It adds them to the dry buses, to the inputs of reverb and chorus, and adds the return of the
  /// system effect to the first wet bus.
  ///
  /// - Parameters:
  ///   - quanta: the quanta of voices to process.
  ///   - reverb: the input of the reverb.
  ///   - chorus: the input of the chorus.
  ///   - wet: left and right outputs of the reverb, then of the chorus.
  ///   - returned: the output of the chorus in the last quantum; nil if it is not sent on.
  @_noAllocation @_noLocks
  mutating func mix(
    _ quanta: Range<Int>, reverb: UnsafeMutablePointer<Float>,
    chorus: UnsafeMutablePointer<Float>, wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
    returned: (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>)?
  ) {
    for quantum in quanta {
      let frame = quantum &* AudioFormat.quantum
      let system = Place.system.rawValue
      let toSystem = unsafe (bus(system, 0) + frame, bus(system, 1) + frame)
      for number in 0..<EffectState.insertionCount {
        let place = Place.insertions.rawValue &+ number
        guard unsafe isUsed(place) || insertions[number].isRinging else { continue }
        unsafe insert(number, at: frame, reverb: reverb, chorus: chorus, toSystem: toSystem)
      }
      if !hasSystem, isUsed(Place.variation.rawValue) || variation.isRinging {
        let place = Place.variation.rawValue
        let (left, right) = unsafe (bus(place, 0) + frame, bus(place, 1) + frame)
        unsafe variation.render(left, right)
        unsafe add(left, right, toDry: homes[place], frame)
        unsafe send(
          left, right, by: sends[place], at: frame, reverb: reverb, chorus: chorus,
          toSystem: toSystem)
      }
      for channel in 0..<16 where isUsed(Place.channels.rawValue &+ channel) {
        unsafe send(channel, frame, toSystem)
      }
      if hasReturned, let returned = unsafe returned {
        unsafe Self.add(returned.left, to: toSystem.0, self.toSystem)
        unsafe Self.add(returned.right, to: toSystem.1, self.toSystem)
      }
      if hasSystem {
        unsafe returnSystem(at: frame, reverb: reverb, chorus: chorus, wet: wet, toSystem: toSystem)
      }
      if state.equalizer.isActive || equalizer.isRinging {
        let (left, right) = unsafe (bus(0, 0) + frame, bus(0, 1) + frame)
        unsafe equalizer.render(left, right)
        unsafe add(left, right, toDry: homes[0], frame)
      }
    }
  }

  private typealias Side = UnsafeMutablePointer<Float>

  /// Renders a quantum of an insertion effect, and its sends.
  ///
  /// In GS these sends replace those of the inserted parts, with the same level.
  ///
  /// Source: Roland SC-8850 owner's manual, how effects are organized (page 78).
  @_noAllocation @_noLocks
  private mutating func insert(
    _ number: Int, at frame: Int, reverb: Side, chorus: Side, toSystem: (Side, Side)
  ) {
    let place = Place.insertions.rawValue &+ number
    let (left, right) = unsafe (bus(place, 0) + frame, bus(place, 1) + frame)
    unsafe insertions[number].render(left, right)
    guard !state.isXG else {
      unsafe add(left, right, toDry: homes[place], frame)
      unsafe send(
        left, right, by: sends[place], at: frame, reverb: reverb, chorus: chorus,
        toSystem: toSystem)
      return
    }
    if state.isEqualized, state.equalizer.isActive {
      unsafe Self.add(left, to: bus(0, 0) + frame, 1)
      unsafe Self.add(right, to: bus(0, 1) + frame, 1)
    } else {
      unsafe add(left, right, toDry: homes[place], frame)
    }
    let sends = Sends(reverb: state.toReverb, chorus: state.toChorus, system: state.toDelay)
    unsafe send(
      left, right, by: sends, at: frame, reverb: reverb, chorus: chorus, toSystem: toSystem)
  }

  /// Sends the output of an effect to reverb, chorus and the system effect, for a quantum.
  @_noAllocation @_noLocks
  private func send(
    _ left: Side, _ right: Side, by sends: Sends, at frame: Int, reverb: Side, chorus: Side,
    toSystem: (Side, Side)
  ) {
    unsafe Self.add(left, right, to: reverb + frame, sends.reverb)
    unsafe Self.add(left, right, to: chorus + frame, sends.chorus)
    unsafe Self.add(left, to: toSystem.0, sends.system)
    unsafe Self.add(right, to: toSystem.1, sends.system)
  }

  /// Sends a quantum of a channel to the system effect and the equaliser.
  @_noAllocation @_noLocks
  private func send(_ channel: Int, _ frame: Int, _ toSystem: (Side, Side)) {
    let place = Place.channels.rawValue &+ channel
    let (left, right) = unsafe (bus(place, 0) + frame, bus(place, 1) + frame)
    let level = unsafe levels[channel]
    if level.send > 0 {
      unsafe Self.add(left, to: toSystem.0, level.send)
      unsafe Self.add(right, to: toSystem.1, level.send)
    }
    if level.isEqualized {
      unsafe Self.add(left, to: bus(0, 0) + frame, level.dry)
      unsafe Self.add(right, to: bus(0, 1) + frame, level.dry)
    } else {
      unsafe add(left, right, toDry: channel % dryCount, frame, level.dry)
    }
  }

  /// True if an insertion effect sends to the system effect.
  private var isFedByInsertion: Bool {
    @_noAllocation @_noLocks
    get {
      let first = Place.insertions.rawValue
      guard state.isXG else { return state.toDelay > 0 && isUsed(first) }
      for place in first..<first &+ EffectState.insertionCount
      where isUsed(place) && sends[place].system > 0 {
        return true
      }
      return false
    }
  }

  /// Renders a quantum of the system effect, with its return and sends.
  @_noAllocation @_noLocks
  private mutating func returnSystem(
    at frame: Int, reverb: Side, chorus: Side,
    wet: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>, toSystem: (Side, Side)
  ) {
    let isFed =
      isFedByInsertion || hasReturned || used >> UInt32(Place.channels.rawValue) != 0
    guard hasVariation, isFed || variation.isRinging else { return }
    let (left, right) = unsafe toSystem
    unsafe variation.render(left, right)
    if let target = unsafe wet[0] { unsafe Self.add(left, to: target + frame, 1) }
    if let target = unsafe wet[1] { unsafe Self.add(right, to: target + frame, 1) }
    let toReverb = state.isXG ? state.variationToReverb : Int(state.delay.toReverb)
    unsafe Self.add(
      left, right, to: reverb + frame, Float(toReverb) / 127 * SystemSound.sendShare)
    guard state.isXG else { return }
    unsafe Self.add(
      left, right, to: chorus + frame,
      Float(state.variationToChorus) / 127 * SystemSound.sendShare)
  }

  @_noAllocation @_noLocks
  private func add(
    _ left: Side, _ right: Side, toDry place: Int, _ frame: Int, _ gain: Float = 1
  ) {
    if let target = unsafe pointers[2 &* place] { unsafe Self.add(left, to: target + frame, gain) }
    if let target = unsafe pointers[2 &* place &+ 1] {
      unsafe Self.add(right, to: target + frame, gain)
    }
  }

  @_noAllocation @_noLocks
  private static func add(_ source: UnsafePointer<Float>, to target: Side, _ gain: Float) {
    guard gain != 0 else { return }
    for frame in 0..<AudioFormat.quantum { unsafe target[frame] += source[frame] * gain }
  }

  /// Adds both sides to a mono bus.
  @_noAllocation @_noLocks
  private static func add(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, to target: Side, _ gain: Float
  ) {
    guard gain != 0 else { return }
    let half = gain * 0.70710678
    for frame in 0..<AudioFormat.quantum {
      unsafe target[frame] += (left[frame] + right[frame]) * half
    }
  }
}
