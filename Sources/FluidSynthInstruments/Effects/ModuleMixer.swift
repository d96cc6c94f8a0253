// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MIDIMessages
internal import MusicalTime
internal import SoundFontVoices

/// The delay, the equaliser, the insertion and the variation effect of a module, and the buses to them.
///
/// Voices of parts that use none of them go where they always do. Those of others go to a bus of their
/// own, from which they are sent on; only buses and effects that are used are worked out.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct ModuleMixer: ~Copyable {
  /// The buses behind the dry ones: to the equaliser, to the insertion and to the variation effect,
  /// and one for each channel that sends.
  enum Place: Int {
    case equalizer, insertion, variation, channels

    static var count: Int {
      @_noAllocation @_noLocks
      get { 3 &+ 16 }
    }
  }

  private(set) var state = EffectState()
  /// Left and right of each bus, one after the other, and of what goes to the system effect.
  let samples: UnsafeMutablePointer<Float>
  /// The dry buses, then ours, for the voices.
  let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  let dryCount: Int
  var equalizer: EffectSlot
  var insertion: EffectSlot
  var variation: EffectSlot
  /// What the slots are to take up before the next quantum.
  private var isChanged = false
  /// Whether we have the effects that are set.
  private var hasInsertion = true
  private(set) var hasVariation = true
  /// What each channel with a bus of its own sends, and where.
  struct Level: BitwiseCopyable {
    var send: Float = 0
    var dry: Float = 1
    var isEqualized = false
  }

  let levels: UnsafeMutablePointer<Level>
  /// Bits: our buses that voices go to.
  private(set) var used: UInt32 = 0
  /// The first channel that goes to each of the first three, by which it returns to a dry bus.
  private(set) var homes = (0, 0, 0)

  init(dryCount: Int, rate: SampleRate) {
    self.dryCount = dryCount
    let count = 2 * (Place.count + 1) * EffectFeed.frameCount
    unsafe samples = .allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
    unsafe pointers = .allocate(capacity: 2 * (dryCount + Place.count))
    unsafe pointers.initialize(repeating: nil, count: 2 * (dryCount + Place.count))
    unsafe levels = .allocate(capacity: 16)
    unsafe levels.initialize(repeating: Level(), count: 16)
    equalizer = EffectSlot([.equalizer], rate: rate)
    insertion = EffectSlot(ModuleUnit.allCases, rate: rate)
    variation = EffectSlot(ModuleUnit.allCases, rate: rate)
    for place in 0..<2 * Place.count {
      unsafe pointers[2 * dryCount + place] = samples + place * EffectFeed.frameCount
    }
    takeUp()
  }

  deinit {
    unsafe samples.deallocate()
    unsafe pointers.deallocate()
    unsafe levels.deallocate()
  }

  // MARK: Messages

  /// Sets what bytes say from an address on: of GS in 40 01, 40 02 and 40 03, of XG in 02 01 and 03 00.
  @_noAllocation @_noLocks
  mutating func set(
    isXG: Bool, _ high: Int, _ low: Int, _ bytes: UnsafePointer<UInt8>, count: Int
  ) {
    for index in 0..<min(count, 128 &- low) {
      let value = unsafe Int(bytes[index] & 0x7F)
      let isSet =
        isXG
        ? state.set(xg: high, low &+ index, to: value)
        : state.set(gs: high, low &+ index, to: value)
      if isSet { isChanged = true }
    }
  }

  /// Forgets what was set and heard; the module is one of GS or XG from now on.
  @_noAllocation @_noLocks
  mutating func reset(isXG: Bool) {
    state = EffectState()
    state.isXG = isXG
    takeUp()
    silence()
  }

  /// Forgets what was heard.
  @_noAllocation @_noLocks
  mutating func silence() {
    equalizer.clear()
    insertion.clear()
    variation.clear()
  }

  /// Lets a controller of a part that is inserted move the insertion effect.
  @_noAllocation @_noLocks
  mutating func hear(_ message: Message) {
    guard state.first.source | state.second.source != 0 else { return }
    let (source, value) =
      switch message.status & 0xF0 {
      case 0xB0: (Int(message.data1), Int(message.data2))
      case 0xD0: (96, Int(message.data1))
      case 0xE0: (97, Int(message.data2) &- 64)
      default: (0, 0)
      }
    guard source > 0 else { return }
    if source == state.first.source {
      state.first.value = value
      isChanged = true
    }
    if source == state.second.source {
      state.second.value = value
      isChanged = true
    }
  }

  @_noAllocation @_noLocks
  private mutating func takeUp() {
    isChanged = false
    equalizer.take(state.equalizer.plan)
    if let plan = state.insertionPlan {
      insertion.take(plan)
      hasInsertion = true
    } else {
      hasInsertion = false
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
    homes = (0, 0, 0)
    for channel in stride(from: 15, through: 0, by: -1) {
      let part = unsafe voices.pointee.part(channel)
      let place = place(of: channel, part)
      guard let place else {
        unsafe voices.pointee.route(channel, VoiceRoute(bus: channel % dryCount))
        continue
      }
      used |= 1 << UInt32(truncatingIfNeeded: place)
      switch place {
      case 0: homes.0 = channel % dryCount
      case 1: homes.1 = channel % dryCount
      case 2: homes.2 = channel % dryCount
      default:
        let isEqualized = isEqualized(part)
        if isEqualized { homes.0 = channel % dryCount }
        unsafe levels[channel] = Level(
          send: Float(part.delaySend) / 127, dry: state.isXG ? Float(part.dryLevel) / 127 : 1,
          isEqualized: isEqualized)
      }
      let isInserted = place == 1 || place == 2
      unsafe voices.pointee.route(
        channel, VoiceRoute(bus: dryCount &+ place, hasSends: !isInserted || state.isXG))
    }
  }

  /// The number of our bus that a channel goes to; nil for its dry one.
  @_noAllocation @_noLocks
  private func place(of channel: Int, _ part: PartState) -> Int? {
    if state.isXG {
      if state.insertionPart == channel, hasInsertion, state.insertion.type != 0 { return 1 }
      if !state.isVariationSystem, state.variationPart == channel, hasVariation { return 2 }
      let sends = state.isVariationSystem && part.delaySend > 0 && hasVariation
      return sends || part.dryLevel < 127 ? 3 &+ channel : nil
    }
    if part.isInserted, hasInsertion { return 1 }
    if part.delaySend > 0, state.delay.level > 0 { return 3 &+ channel }
    return isEqualized(part) ? 0 : nil
  }

  @_noAllocation @_noLocks
  private func isEqualized(_ part: PartState) -> Bool {
    !state.isXG && part.isEqualized && state.equalizer.isActive
  }
}
