// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// The sound of a module's system reverb and chorus.
///
/// FluidSynth's effects produce it if they can. Otherwise this object works in quanta: it filters
/// the sends, renders our own units in addition to FluidSynth's, and sends the return of the chorus
/// on.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct SystemSound: ~Copyable {
  private(set) var settings = SystemEffects()
  /// Our own reverb (a room or a delay), and our own chorus.
  private var reverb: EffectSlot
  private var chorus: EffectSlot
  private var reverbFilter: SendFilter
  private var chorusFilter: SendFilter
  /// Ten quanta: left and right of reverb and chorus, silence, an amplified send, left and right of
  /// a unit, and left and right of the chorus's return.
  private let samples: UnsafeMutablePointer<Float>
  /// The output buses for FluidSynth.
  private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  /// The gain on the send to FluidSynth's reverb.
  private var sendGain: Float = 1
  /// The gains of left and right of reverb and chorus.
  private var gains = SIMD4<Float>(repeating: 1)
  /// The remaining quanta of work after the settings stopped needing it.
  private var quantaLeft = 0
  private let tailQuanta: Int

  init(rate: SampleRate) {
    let hertz = Int(rate.hertz)
    reverb = EffectSlot([.reverb, .tapDelay], rate: rate)
    chorus = EffectSlot([.flanger, .chorus, .hexaChorus, .phaser, .equalizer], rate: rate)
    reverbFilter = SendFilter(longest: 0.13, hertz: hertz)
    chorusFilter = SendFilter(longest: 0, hertz: hertz)
    unsafe samples = .allocate(capacity: 10 * AudioFormat.quantum)
    unsafe samples.initialize(repeating: 0, count: 10 * AudioFormat.quantum)
    unsafe targets = .allocate(capacity: 4)
    unsafe targets.initialize(repeating: nil, count: 4)
    for channel in 0..<4 { unsafe targets[channel] = samples + channel * AudioFormat.quantum }
    // Longer than any delay before an effect.
    tailQuanta = hertz / (5 * AudioFormat.quantum)
  }

  deinit {
    unsafe samples.deallocate()
    unsafe targets.deallocate()
  }

  /// True if FluidSynth's effects alone do not produce the sound.
  var isWorking: Bool {
    @_noAllocation @_noLocks
    get { quantaLeft > 0 || reverb.isRinging || chorus.isRinging }
  }

  private var isAsked: Bool {
    @_noAllocation @_noLocks
    get {
      settings.reverb.isOwn || settings.reverb.isTreated || settings.chorus.isOwn
        || settings.chorus.isTreated
    }
  }

  /// The gain of a full send to reverb or chorus, of a part or an effect: that of the default
  /// modulators of controllers 91 and 93.
  ///
  /// Source: SoundFont 2.04, 8.4.8 and 8.4.9: 200 tenths of a percent.
  static var sendShare: Float {
    @_noAllocation @_noLocks
    get { 0.2 }
  }

  /// Applies new settings.
  @_noAllocation @_noLocks
  mutating func take(_ settings: SystemEffects) {
    self.settings = settings
    let (reverb, chorus) = (settings.reverb, settings.chorus)
    if reverb.isOwn { self.reverb.take(reverb.plan) }
    if chorus.isOwn { self.chorus.take(chorus.plan) }
    reverbFilter.take(
      delay: reverb.preDelay, lowPass: reverb.lowPass, highPass: reverb.highPass)
    chorusFilter.take(delay: 0, lowPass: chorus.lowPass, highPass: 0)
    sendGain = Float(reverb.sendGain)
    if isAsked { quantaLeft = tailQuanta }
  }

  /// Clears all stored sound.
  @_noAllocation @_noLocks
  mutating func clear() {
    reverb.clear()
    chorus.clear()
    reverbFilter.clear()
    chorusFilter.clear()
    unsafe samples.update(repeating: 0, count: 10 &* AudioFormat.quantum)
    gains = aims
    quantaLeft = isAsked ? tailQuanta : 0
  }

  typealias Side = UnsafeMutablePointer<Float>

  /// The return of the chorus in the last quantum: left and right.
  var chorusReturn: (left: Side, right: Side) {
    @_noAllocation @_noLocks
    get { unsafe (channel(8), channel(9)) }
  }

  @_noAllocation @_noLocks
  private func channel(_ number: Int) -> Side {
    unsafe samples + number &* AudioFormat.quantum
  }

  /// The gain from the chorus to the delay of GS.
  ///
  /// A full send is as loud as that of a part.
  var toDelay: Float {
    @_noAllocation @_noLocks
    get { Float(settings.chorus.toDelay) / 127 * 1.41421356 }
  }

  /// Adds the output of reverb and chorus for a quantum.
  ///
  /// - Parameters:
  ///   - effects: FluidSynth's reverb and chorus.
  ///   - toReverb: the input of the reverb, which is processed in place.
  ///   - toChorus: the input of the chorus, which is processed in place.
  ///   - wet: left and right outputs of the reverb, then of the chorus.
  ///   - frame: the position of the quantum in the outputs.
  @_noAllocation @_noLocks
  mutating func render(
    _ effects: UnsafeMutablePointer<EffectsHandle>, toReverb: Side, toChorus: Side,
    wet: UnsafeMutablePointer<Side?>, frame: Int
  ) {
    let send = Float(settings.chorus.toReverb) / 127 * Self.sendShare
    if send > 0 {
      let (left, right) = unsafe chorusReturn
      for place in 0..<AudioFormat.quantum {
        unsafe toReverb[place] += (left[place] + right[place]) * 0.70710678 * send
      }
    }
    unsafe reverbFilter.render(toReverb)
    unsafe chorusFilter.render(toChorus)
    unsafe samples.update(repeating: 0, count: 4 &* AudioFormat.quantum)
    let silence = unsafe channel(4)
    unsafe effects.pointee.process(
      quantumCount: 1, reverb: settings.reverb.isOwn ? silence : loud(toReverb),
      chorus: settings.chorus.isOwn ? silence : toChorus, wet: targets)
    keepChorus()
    let (left, right) = unsafe (channel(6), channel(7))
    if settings.reverb.isOwn || reverb.isRinging {
      unsafe copy(settings.reverb.isOwn ? toReverb : silence)
      unsafe reverb.render(left, right)
      addUnit(to: 0)
    }
    if settings.chorus.isOwn || chorus.isRinging {
      unsafe copy(settings.chorus.isOwn ? toChorus : silence)
      unsafe chorus.render(left, right)
      addUnit(to: 2)
      addUnit(to: 8)
    }
    unsafe give(to: wet, frame)
    quantaLeft = isAsked ? tailQuanta : max(0, quantaLeft &- 1)
  }

  /// Stores the return of FluidSynth's chorus to send it on.
  ///
  /// One side is inverted, because the sides would cancel each other.
  @_noAllocation @_noLocks
  private func keepChorus() {
    let (left, right) = unsafe chorusReturn
    for place in 0..<AudioFormat.quantum {
      unsafe (left[place], right[place]) = (channel(2)[place], -channel(3)[place])
    }
  }

  /// The input of FluidSynth's reverb, with the send gain.
  @_noAllocation @_noLocks
  private func loud(_ samples: Side) -> Side {
    guard sendGain != 1 else { return unsafe samples }
    let louder = unsafe channel(5)
    for place in 0..<AudioFormat.quantum { unsafe louder[place] = samples[place] * sendGain }
    return unsafe louder
  }

  /// Copies a send to both sides of a unit.
  @_noAllocation @_noLocks
  private func copy(_ send: Side) {
    let (left, right) = unsafe (channel(6), channel(7))
    for place in 0..<AudioFormat.quantum {
      unsafe (left[place], right[place]) = (send[place], send[place])
    }
  }

  /// Adds the output of a unit to a channel and the next one.
  @_noAllocation @_noLocks
  private func addUnit(to number: Int) {
    for side in 0..<2 {
      let (source, target) = unsafe (channel(6 &+ side), channel(number &+ side))
      for place in 0..<AudioFormat.quantum { unsafe target[place] += source[place] }
    }
  }

  private var aims: SIMD4<Float> {
    @_noAllocation @_noLocks
    get {
      let (reverb, chorus) = (
        EffectValue.pan(settings.reverb.pan), EffectValue.pan(settings.chorus.pan)
      )
      return SIMD4(
        min(1, 1 - reverb), min(1, 1 + reverb), min(1, 1 - chorus), min(1, 1 + chorus))
    }
  }

  /// Adds both returns to the wet buses, with their pans.
  @_noAllocation @_noLocks
  private mutating func give(to wet: UnsafeMutablePointer<Side?>, _ frame: Int) {
    let step = (aims - gains) / Float(AudioFormat.quantum)
    for number in 0..<4 {
      let source = unsafe channel(number)
      guard let bus = unsafe wet[number] else { continue }
      var gain = gains[number]
      for place in 0..<AudioFormat.quantum {
        gain += step[number]
        unsafe bus[frame &+ place] += source[place] * gain
      }
    }
    gains = aims
  }
}
