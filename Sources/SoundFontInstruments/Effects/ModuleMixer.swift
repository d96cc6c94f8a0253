// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontVoices

/// The delay, the equaliser, the insertion and variation effects of a module, and the buses to them.
///
/// Voices of parts that use none of them go where they always do. Those of others go to a bus of their
/// own, from which they are sent on; only buses and effects that are used are worked out.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct ModuleMixer: ~Copyable {
  /// The buses behind the dry ones: to the equaliser, to the variation effect as an insertion, to each
  /// insertion effect, one for each channel that sends, and one to the system effect, the delay of GS or
  /// the variation of XG.
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
  /// Left and right of each bus, one after the other.
  let samples: UnsafeMutablePointer<Float>
  private(set) var state = EffectState()
  /// The dry buses, then ours, for the voices.
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  let dryCount: Int
  var equalizer: EffectSlot
  var variation: EffectSlot
  /// One for each insertion effect.
  let insertions: UnsafeMutablePointer<EffectSlot>
  /// What the slots are to take up before the next quantum.
  private var isChanged = false
  /// Bits: insertion effects that we have as they are set.
  private var available: UInt8 = 0
  /// Whether we have the variation effect that is set.
  private(set) var hasVariation = true
  /// What each channel with a bus of its own sends, and where.
  struct Level: BitwiseCopyable {
    var send: Float = 0
    var dry: Float = 1
    var isEqualized = false
  }

  let levels: UnsafeMutablePointer<Level>
  /// The gains of the sends behind an insertion effect.
  struct Sends: BitwiseCopyable {
    var reverb: Float = 0
    var chorus: Float = 0
    var system: Float = 0

    init() {}

    /// Takes the values of messages, 0…127.
    ///
    /// A sound in the centre is 3 dB softer on each side than a part's own send to the system effect.
    @_noAllocation @_noLocks
    init(reverb: Int, chorus: Int, system: Int) {
      self.reverb = Float(reverb) / 127 * SystemSound.sendShare
      self.chorus = Float(chorus) / 127 * SystemSound.sendShare
      self.system = Float(system) / 127 * 1.41421356
    }
  }

  /// Those of XG's variation and insertion effects, from the controllers of their parts.
  private(set) var sends = InlineArray<6, Sends>(repeating: Sends())
  /// How much of the chorus's return goes to the system effect of GS.
  var toSystem: Float = 0
  /// Bits: our buses that voices go to.
  private(set) var used: UInt32 = 0
  /// The dry bus of the first channel that goes to each bus before those of channels, which returns
  /// there.
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

  /// Sets consecutive parameters, starting at an address: 40 01, 40 02 and 40 03 of GS, 02 01 and 03 nn
  /// of XG.
  ///
  /// The byte nn is the number of the insertion effect, from 0.
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

  /// Forgets what was set and heard; the module is one of GS or XG from now on.
  @_noAllocation @_noLocks
  mutating func reset(isXG: Bool) {
    state = EffectState(isXG: isXG)
    takeUp()
    silence()
  }

  /// Forgets what was heard.
  @_noAllocation @_noLocks
  mutating func silence() {
    equalizer.clear()
    variation.clear()
    for number in 0..<EffectState.insertionCount { unsafe insertions[number].clear() }
  }

  /// Lets a controller of a part move the effect that the part is inserted in.
  ///
  /// - Parameters:
  ///   - message: a channel message.
  ///   - assigned: the numbers of the two assigned controllers of its part.
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

  /// Stores the value of a controller: 0…95 by its number, 96 channel pressure, 97 the bend.
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

  /// Sends the voices of each channel where its part says.
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

  /// The sends of a part of XG, behind its effect.
  ///
  /// Source: XG Specifications 2.0: an insertion effect comes before the sends of its part.
  @_noAllocation @_noLocks
  private func sends(
    _ channel: Int, _ part: PartState, _ voices: UnsafeMutablePointer<VoiceSynth>
  ) -> Sends {
    let (reverb, chorus) = unsafe voices.pointee.sends(channel)
    return Sends(
      reverb: Int(reverb), chorus: Int(chorus), system: hasSystem ? Int(part.delaySend) : 0)
  }

  /// Sends a channel to its own bus, from where all of it goes to the system effect as loud as the part
  /// says, or each drum note by itself.
  @_noAllocation @_noLocks
  private mutating func send(
    _ channel: Int, _ part: PartState, _ voices: UnsafeMutablePointer<VoiceSynth>
  ) {
    let isEqualized = isEqualized(part)
    if isEqualized { homes[Place.equalizer.rawValue] = channel % dryCount }
    var level = Level(
      // Of a sound in the middle both sides together are the root of two times as loud as the send.
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

  /// Whether the variation effect of XG is one that parts send to, as GS's delay always is.
  var hasSystem: Bool {
    @_noAllocation @_noLocks
    get { !state.isXG || state.isVariationSystem }
  }

  /// The number of our bus that a channel goes to; nil for its dry one.
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
