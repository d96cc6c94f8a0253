// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontVoices

/// The delay, equaliser, insertion and variation effects of a module, and the buses to them.
///
/// Voices of parts without these effects use the usual buses. Voices of other parts go to separate
/// buses, from which they are sent to the effects. Only buses and effects in use are processed.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct ModuleMixer: ~Copyable {
  /// The buses after the dry ones: to the equaliser, to the variation effect as an insertion, to
  /// each insertion effect, one for each channel with sends, and one to the system effect (the
  /// delay of GS or the variation of XG).
  enum Place: Int {
    case equalizer, variation, insertions
    case channels = 6
    case system = 22

    static var count: Int {
      @_noAllocation @_noLocks
      get { 23 }
    }
  }

  // Keep a pointer first: for the thread sanitizer, the compiler of Swift 6.3 takes the first field for
  // an address.
  /// Left and right of each bus, in sequence.
  let samples: UnsafeMutablePointer<Float>
  private(set) var state = EffectState()
  /// The dry buses, followed by ours, for the voices.
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  let dryCount: Int
  var equalizer: EffectSlot
  var variation: EffectSlot
  /// A slot for each insertion effect.
  let insertions: UnsafeMutablePointer<EffectSlot>
  /// True if the slots must adopt changes before the next quantum.
  private var isChanged = false
  /// One bit for each insertion effect whose type is supported.
  private var available: UInt8 = 0
  /// True if the type of the variation effect is supported.
  private(set) var hasVariation = true
  /// The send of each channel with a separate bus, and its destination.
  struct Level: BitwiseCopyable {
    var send: Float = 0
    var dry: Float = 1
    var isEqualized = false
  }

  let levels: UnsafeMutablePointer<Level>
  /// The gains of the sends after an insertion effect.
  struct Sends: BitwiseCopyable {
    var reverb: Float = 0
    var chorus: Float = 0
    var system: Float = 0

    init() {}

    /// Converts the values of messages, 0…127.
    ///
    /// Sound in the centre is 3 dB softer on each side than a part's own send to the system effect.
    @_noAllocation @_noLocks
    init(reverb: Int, chorus: Int, system: Int) {
      self.reverb = Float(reverb) / 127 * SystemSound.sendShare
      self.chorus = Float(chorus) / 127 * SystemSound.sendShare
      self.system = Float(system) / 127 * 1.41421356
    }
  }

  /// The sends of XG's variation and insertion effects, from the controllers of their parts.
  private(set) var sends = InlineArray<6, Sends>(repeating: Sends())
  /// The gain from the chorus's return to the system effect of GS.
  var toSystem: Float = 0
  /// One bit for each of our buses that receives voices.
  private(set) var used: UInt32 = 0
  /// For each bus before those of channels, the dry bus of its first channel, to which it returns.
  private(set) var homes = InlineArray<6, Int>(repeating: 0)

  init(dryCount: Int, rate: SampleRate) {
    self.dryCount = dryCount
    let count = 2 * Place.count * EffectFeed.frameCount
    unsafe samples = .allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
    unsafe pointers = .allocate(capacity: 2 * (dryCount + Place.count))
    unsafe pointers.initialize(repeating: nil, count: 2 * (dryCount + Place.count))
    unsafe levels = .allocate(capacity: 16)
    unsafe levels.initialize(repeating: Level(), count: 16)
    equalizer = EffectSlot([.equalizer], rate: rate)
    variation = EffectSlot(ModuleUnit.inserted, rate: rate)
    unsafe insertions = .allocate(capacity: EffectState.insertionCount)
    for number in 0..<EffectState.insertionCount {
      unsafe (insertions + number).initialize(to: EffectSlot(ModuleUnit.inserted, rate: rate))
    }
    for place in 0..<2 * Place.count {
      unsafe pointers[2 * dryCount + place] = samples + place * EffectFeed.frameCount
    }
    takeUp()
  }

  deinit {
    unsafe samples.deallocate()
    unsafe pointers.deallocate()
    unsafe levels.deallocate()
    unsafe insertions.deinitialize(count: EffectState.insertionCount).deallocate()
  }

  // MARK: Messages

  /// Sets consecutive parameters from an address: 40 01, 40 02 and 40 03 of GS, 02 01 and 03 nn of
  /// XG.
  ///
  /// The byte nn is the index of the insertion effect.
  @_noAllocation @_noLocks
  mutating func set(
    isXG: Bool, _ high: Int, number: Int, _ low: Int, _ bytes: UnsafePointer<UInt8>, count: Int
  ) {
    for index in 0..<min(count, 128 &- low) {
      let value = unsafe Int(bytes[index] & 0x7F)
      let isSet =
        isXG
        ? state.set(xg: high, number: number, low &+ index, to: value)
        : state.set(gs: high, low &+ index, to: value)
      if isSet { isChanged = true }
    }
  }

  /// Resets all settings and clears all sound; selects GS or XG.
  @_noAllocation @_noLocks
  mutating func reset(isXG: Bool) {
    state = EffectState(isXG: isXG)
    takeUp()
    silence()
  }

  /// Clears all stored sound.
  @_noAllocation @_noLocks
  mutating func silence() {
    equalizer.clear()
    variation.clear()
    for number in 0..<EffectState.insertionCount { unsafe insertions[number].clear() }
  }

  /// Applies a controller of a part to the effect into which the part is inserted.
  ///
  /// - Parameters:
  ///   - message: a channel message.
  ///   - assigned: the numbers of the part's two assigned controllers.
  @_noAllocation @_noLocks
  mutating func receive(_ message: Message, assigned: (UInt8, UInt8)) {
    guard state.isXG || state.first.source | state.second.source != 0 else { return }
    let part = Int(message.status & 0x0F)
    switch (message.status & 0xF0, message.data1) {
    // Reset all controllers.
    case (0xB0, 121):
      receive(1, 0, part, assigned)
      receive(96, 0, part, assigned)
      receive(97, 0, part, assigned)
    case (0xB0, _): receive(Int(message.data1), Int(message.data2), part, assigned)
    case (0xD0, _): receive(96, Int(message.data1), part, assigned)
    case (0xE0, _): receive(97, Int(message.data2) &- 64, part, assigned)
    default: break
    }
  }

  /// Stores the value of a controller: 0…95 by its number, 96 for channel pressure, 97 for pitch
  /// bend.
  @_noAllocation @_noLocks
  private mutating func receive(
    _ source: Int, _ value: Int, _ part: Int, _ assigned: (UInt8, UInt8)
  ) {
    guard state.isXG else {
      guard source > 0 else { return }
      if source == state.first.source {
        state.first.value = value
        isChanged = true
      }
      if source == state.second.source {
        state.second.value = value
        isChanged = true
      }
      return
    }
    switch source {
    case 1: if state.receive(.modulation, value, part: part) { isChanged = true }
    case 96: if state.receive(.pressure, value, part: part) { isChanged = true }
    case 97: if state.receive(.bend, value, part: part) { isChanged = true }
    default: break
    }
    if source == Int(assigned.0), state.receive(.first, value, part: part) { isChanged = true }
    if source == Int(assigned.1), state.receive(.second, value, part: part) { isChanged = true }
  }

  @_noAllocation @_noLocks
  private mutating func takeUp() {
    isChanged = false
    equalizer.take(state.equalizer.plan)
    available = 0
    for number in 0..<EffectState.insertionCount {
      guard let plan = state.insertionPlan(number) else { continue }
      unsafe insertions[number].take(plan)
      available |= 1 << UInt8(truncatingIfNeeded: number)
    }
    guard state.isXG else {
      variation.take(state.delay.plan)
      hasVariation = true
      return
    }
    if let plan = state.variationPlan {
      variation.take(plan)
      hasVariation = true
    } else {
      hasVariation = false
    }
  }

  // MARK: Routing

  /// Routes the voices of each channel according to its part.
  @_noAllocation @_noLocks
  mutating func route(_ voices: UnsafeMutablePointer<VoiceSynth>) {
    if isChanged { takeUp() }
    used = 0
    homes = InlineArray(repeating: 0)
    for channel in stride(from: 15, through: 0, by: -1) {
      let part = unsafe voices.pointee.part(channel)
      guard let place = place(of: channel, part) else {
        unsafe voices.pointee.route(channel, VoiceRoute(bus: channel % dryCount))
        continue
      }
      used |= 1 << UInt32(truncatingIfNeeded: place)
      guard place >= Place.channels.rawValue else {
        homes[place] = channel % dryCount
        let hasSends = place == Place.equalizer.rawValue
        unsafe voices.pointee.route(
          channel, VoiceRoute(bus: dryCount &+ place, hasSends: hasSends))
        if !hasSends, state.isXG { unsafe sends[place] = sends(channel, part, voices) }
        continue
      }
      unsafe send(channel, part, voices)
    }
  }

  /// The sends of an XG part, after its effect.
  ///
  /// Source: XG Specifications 2.0: an insertion effect precedes the sends of its part.
  @_noAllocation @_noLocks
  private func sends(
    _ channel: Int, _ part: PartState, _ voices: UnsafeMutablePointer<VoiceSynth>
  ) -> Sends {
    let (reverb, chorus) = unsafe voices.pointee.sends(channel)
    return Sends(
      reverb: Int(reverb), chorus: Int(chorus), system: hasSystem ? Int(part.delaySend) : 0)
  }

  /// Routes a channel to its own bus, which sends it to the system effect with the part's send, or
  /// each drum note with its own send.
  @_noAllocation @_noLocks
  private mutating func send(
    _ channel: Int, _ part: PartState, _ voices: UnsafeMutablePointer<VoiceSynth>
  ) {
    let isEqualized = isEqualized(part)
    if isEqualized { homes[Place.equalizer.rawValue] = channel % dryCount }
    var level = Level(
      // For sound in the centre, both sides together are √2 times as loud as the send.
      send: hasSystem ? Float(part.delaySend) / 127 * 1.41421356 : 0,
      dry: state.isXG ? Float(part.dryLevel) / 127 : 1, isEqualized: isEqualized)
    var route = VoiceRoute(bus: dryCount &+ Place.channels.rawValue &+ channel)
    if level.send > 0, unsafe voices.pointee.hasDelaySends(channel) {
      route.sendBus = dryCount &+ Place.system.rawValue
      route.send = level.send
      level.send = 0
      used |= 1 << UInt32(truncatingIfNeeded: Place.system.rawValue)
    }
    unsafe levels[channel] = level
    unsafe voices.pointee.route(channel, route)
  }

  /// True if parts can send to the system effect: GS's delay always, XG's variation effect if it is
  /// a system effect.
  var hasSystem: Bool {
    @_noAllocation @_noLocks
    get { !state.isXG || state.isVariationSystem }
  }

  /// The index of our bus to which a channel goes; nil for its dry bus.
  @_noAllocation @_noLocks
  private func place(of channel: Int, _ part: PartState) -> Int? {
    if state.isXG {
      for number in 0..<EffectState.insertionCount
      where state.insertions[number].part == channel && isAvailable(number)
        && state.insertions[number].effect.type != 0
      {
        return Place.insertions.rawValue &+ number
      }
      if !state.isVariationSystem, state.variationPart == channel, hasVariation {
        return Place.variation.rawValue
      }
      let sends = state.isVariationSystem && part.delaySend > 0 && hasVariation
      return sends || part.dryLevel < 127 ? Place.channels.rawValue &+ channel : nil
    }
    if part.isInserted, isAvailable(0) { return Place.insertions.rawValue }
    if part.delaySend > 0, state.delay.level > 0 { return Place.channels.rawValue &+ channel }
    return isEqualized(part) ? Place.equalizer.rawValue : nil
  }

  @_noAllocation @_noLocks
  private func isAvailable(_ number: Int) -> Bool {
    available >> UInt8(truncatingIfNeeded: number) & 1 != 0
  }

  @_noAllocation @_noLocks
  private func isEqualized(_ part: PartState) -> Bool {
    !state.isXG && part.isEqualized && state.equalizer.isActive
  }
}
