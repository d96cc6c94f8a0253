// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime

/// One unit of each kind, created in advance.
///
/// An effect uses the units that it needs.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct EffectSlot: ~Copyable {
  /// Nil for units that were not created.
  private let steps: UnsafeMutablePointer<RenderStep?>
  private let banks: UnsafeMutablePointer<ParameterBank?>
  /// Two stereo buffers, and the bus pairs for both directions between them.
  private let first = AudioBuffer(channelCount: 2)
  private let second = AudioBuffer(channelCount: 2)
  private let there: UnsafeMutablePointer<Bus>
  private let back: UnsafeMutablePointer<Bus>
  /// The owners of the kernels.
  private let units: [any ParametricUnit]
  private let rampFrames: Int
  private let tailQuanta: Int
  private var plan = EffectPlan()
  /// The current gains of left and right.
  private var gains = SIMD2<Float>(1, 1)
  /// The remaining quanta of sound after the input became silent.
  private var quantaLeft = 0

  /// Creates the units that plans may need.
  init(_ kinds: [ModuleUnit], rate: SampleRate) {
    unsafe steps = .allocate(capacity: ModuleUnit.count)
    unsafe steps.initialize(repeating: nil, count: ModuleUnit.count)
    unsafe banks = .allocate(capacity: ModuleUnit.count)
    unsafe banks.initialize(repeating: nil, count: ModuleUnit.count)
    let shared = Self.sharedSamples(kinds, rate)
    units = kinds.map { Self.make($0, rate, shared) }
    for (kind, unit) in zip(kinds, units) {
      unsafe steps[Int(kind.rawValue)] = unit.step
      unsafe banks[Int(kind.rawValue)] = unit.parameters.bank
    }
    unsafe there = .allocate(capacity: 2)
    unsafe back = .allocate(capacity: 2)
    unsafe there.initialize(to: first.bus)
    unsafe (there + 1).initialize(to: second.bus)
    unsafe back.initialize(to: second.bus)
    unsafe (back + 1).initialize(to: first.bus)
    rampFrames = Int(rate.hertz) / 50
    // Longer than any delay.
    tailQuanta = 8 * Int(rate.hertz) / (5 * AudioFormat.quantum)
  }

  deinit {
    unsafe steps.deallocate()
    unsafe banks.deallocate()
    unsafe there.deallocate()
    unsafe back.deallocate()
  }

  /// Memory shared by the units with long delay lines, because effects use at most one of them; nil
  /// without such units.
  private static func sharedSamples(_ kinds: [ModuleUnit], _ rate: SampleRate) -> SharedSamples? {
    let counts = kinds.filter(\.hasLongLine).map { kind in
      switch kind {
      case .crossDelay: CrossDelayUnit.sharedCount(rate)
      case .tapDelay: TapDelayUnit.sharedCount(rate)
      default: PitchShiftUnit.sharedCount(rate)
      }
    }
    return counts.max().map { SharedSamples(count: $0) }
  }

  private static func make(
    _ kind: ModuleUnit, _ rate: SampleRate, _ shared: SharedSamples?
  ) -> any ParametricUnit {
    switch kind {
    case .equalizer:
      EqualizerUnit(bands: [.lowShelf, .peaking, .peaking, .highShelf], rate: rate)
    case .spectrum:
      EqualizerUnit(bands: Array(repeating: .peaking, count: 8), rate: rate)
    case .compressor: CompressorUnit(rate: rate)
    case .overdrive: DriveUnit(.overdrive, rate: rate)
    case .distortion: DriveUnit(.distortion, rate: rate)
    case .enhancer: EnhancerUnit(rate: rate)
    case .loFi: LoFiUnit(rate: rate)
    case .phaser: PhaserUnit(rate: rate)
    case .wah: WahUnit(rate: rate)
    case .rotary: RotaryUnit(rate: rate)
    case .flanger: FlangerUnit(rate: rate)
    case .tremolo: TremoloUnit(rate: rate)
    case .chorus: ChorusUnit(voiceCount: 2, rate: rate)
    case .hexaChorus: ChorusUnit(voiceCount: 3, rate: rate)
    case .crossDelay: CrossDelayUnit(rate: rate, in: shared)
    case .tapDelay: TapDelayUnit(rate: rate, in: shared)
    case .pitchShift: PitchShiftUnit(rate: rate, in: shared)
    case .reverb: ReverbUnit(rate: rate)
    }
  }

  /// Adopts a plan.
  ///
  /// If the units are the same, parameters change within 20 ms; otherwise the units start with the
  /// parameters, without earlier sound.
  @_noAllocation @_noLocks
  mutating func take(_ plan: EffectPlan) {
    let isSame = plan.hasChain(of: self.plan)
    self.plan = plan
    if !isSame {
      for place in 0..<plan.chainCount {
        unsafe steps[Int(plan.chain[place].rawValue)]?.clear()
      }
      quantaLeft = 0
    }
    for place in 0..<plan.settingCount {
      let setting = plan.settings[place]
      unsafe banks[Int(setting.unit.rawValue)]?.steer(
        Int(setting.parameter), to: setting.value, over: isSame ? rampFrames : 0)
    }
    if !isSame { gains = aims }
  }

  private var aims: SIMD2<Float> {
    @_noAllocation @_noLocks
    get { plan.level * SIMD2(min(1, 1 - plan.pan), min(1, 1 + plan.pan)) }
  }

  /// Clears all stored sound.
  @_noAllocation @_noLocks
  mutating func clear() {
    for place in 0..<plan.chainCount {
      unsafe steps[Int(plan.chain[place].rawValue)]?.clear()
    }
    quantaLeft = 0
  }

  /// True if the effect would still sound without input.
  var isRinging: Bool {
    @_noAllocation @_noLocks
    get { quantaLeft > 0 }
  }

  /// Renders a quantum in place.
  @_noAllocation @_noLocks
  mutating func render(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>) {
    unsafe Self.copy(left, to: first.bus.channel(0))
    unsafe Self.copy(right, to: first.bus.channel(1))
    var isBack = false
    let entering = Self.peak(first.bus)
    for place in 0..<plan.chainCount {
      guard let step = unsafe steps[Int(plan.chain[place].rawValue)] else { continue }
      unsafe step.render(isBack ? back : there)
      isBack.toggle()
    }
    let source = isBack ? second.bus : first.bus
    let peak = Self.peak(source)
    guard peak < 1e6 else {
      // If the output is NaN or grows without limit, the effect is cleared.
      clear()
      unsafe left.update(repeating: 0, count: AudioFormat.quantum)
      unsafe right.update(repeating: 0, count: AudioFormat.quantum)
      return
    }
    quantaLeft = max(entering, peak) > 1e-6 ? tailQuanta : max(0, quantaLeft &- 1)
    let rise = (aims - gains) / Float(AudioFormat.quantum)
    for frame in 0..<AudioFormat.quantum {
      gains += rise
      unsafe left[frame] = source.channel(0)[frame] * gains.x
      unsafe right[frame] = source.channel(1)[frame] * gains.y
    }
    gains = aims
  }

  @_noAllocation @_noLocks
  private static func copy(
    _ samples: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<AudioFormat.quantum { unsafe target[frame] = samples[frame] }
  }

  /// The highest sample; infinite if any sample is NaN.
  @_noAllocation @_noLocks
  private static func peak(_ bus: Bus) -> Float {
    var peak: Float = 0
    for channel in 0..<2 {
      let samples = unsafe bus.channel(channel)
      for frame in 0..<AudioFormat.quantum {
        let size = unsafe samples[frame].magnitude
        if !(size <= peak) { peak = size == size ? size : .infinity }
      }
    }
    return peak
  }
}
