// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// The render side of a gate.
@safe
struct GateKernel: ~Copyable {
  let gain = Atomic<UInt32>(Float(0).bitPattern)

  private let channelCount: Int
  private let framesPerSecond: Double
  private let bank: ParameterBank
  private let ahead: LookAhead
  private var isOpen = false
  private var heldFrames = 0
  private var passing = 0.0
  private var isFresh = true

  private enum Place: Int { case threshold, hysteresis, attack, hold, release, range }

  init(channelCount: Int, lookAhead: Int, rate: SampleRate, bank: ParameterBank) {
    self.channelCount = channelCount
    self.bank = bank
    ahead = LookAhead(frames: lookAhead, channelCount: channelCount)
    framesPerSecond = Double(rate.hertz)
  }

  deinit {
    ahead.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: GateKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let input = block.input(0)
    let output = block.output(0)
    let threshold = bank.value(Place.threshold.rawValue)
    let opens = SampleMath.factor(ofDecibels: threshold)
    let closes = SampleMath.factor(ofDecibels: threshold - bank.value(Place.hysteresis.rawValue))
    let floor = floor
    let attack = share(of: .attack)
    let release = share(of: .release)
    if isFresh { passing = floor }
    isFresh = false
    for frame in 0..<AudioFormat.quantum {
      judge(input.peak(at: frame), opens: opens, closes: closes)
      move(to: isOpen ? 1 : floor, by: isOpen ? attack : release)
      for channel in 0..<channelCount {
        let sample = unsafe ahead.delayed(input.channel(channel)[frame], channel)
        unsafe output.channel(channel)[frame] = sample * Float(passing)
      }
    }
    gain.store(Float(passing).bitPattern, ordering: .relaxed)
  }

  /// The lowest range, in decibels; it is silence.
  static var shut: Float {
    @_noAllocation @_noLocks
    get { -100 }
  }

  /// The gain of the closed gate; 0 at the lowest range.
  private var floor: Double {
    @_noAllocation @_noLocks
    get {
      let range = bank.value(Place.range.rawValue)
      return range <= Self.shut ? 0 : Double(SampleMath.factor(ofDecibels: range))
    }
  }

  @_noAllocation @_noLocks
  private func share(of place: Place) -> Double {
    SampleMath.share(frames: Double(bank.value(place.rawValue)) * framesPerSecond)
  }

  /// Opens the gate immediately, and closes it after the hold time of quiet sound.
  @_noAllocation @_noLocks
  private mutating func judge(_ peak: Float, opens: Float, closes: Float) {
    if peak >= opens { isOpen = true }
    if peak >= closes {
      heldFrames = Int(Double(bank.value(Place.hold.rawValue)) * framesPerSecond + 0.5)
    } else if heldFrames > 0 {
      heldFrames &-= 1
    } else {
      isOpen = false
    }
  }

  @_noAllocation @_noLocks
  private mutating func move(to target: Double, by share: Double) {
    passing += (target - passing) * share
    // Within 0.00001 of the target, the gain reaches it.
    if abs(target - passing) < 0.00001 { passing = target }
  }
}
