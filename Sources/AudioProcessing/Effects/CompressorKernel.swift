// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// The render side of a compressor.
///
/// The gain computer says how many decibels a frame should be turned down by; a filter of one pole,
/// whose time is the attack's upwards and the release's downwards, makes of that what it is.
@safe
struct CompressorKernel: ~Copyable {
  let reduction = Atomic<UInt32>(Float(0).bitPattern)

  private let channelCount: Int
  private let framesPerSecond: Double
  private let bank: ParameterBank
  private let isLate: Bool
  private let lines: UnsafeMutablePointer<DelayLine>
  /// The decibels by which the sound is turned down now.
  private var turned = 0.0

  private enum Place: Int { case threshold, ratio, attack, release, knee, makeup }

  init(channelCount: Int, lookAhead: Int, rate: SampleRate, bank: ParameterBank) {
    self.channelCount = channelCount
    self.bank = bank
    isLate = lookAhead > 0
    framesPerSecond = Double(rate.hertz)
    unsafe lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(to: DelayLine(longest: lookAhead, delay: lookAhead))
    }
  }

  deinit {
    for channel in 0..<channelCount { unsafe lines[channel].deallocate() }
    unsafe lines.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: CompressorKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let input = block.input(0)
    let output = block.output(0)
    let threshold = unsafe bank.curve(Place.threshold.rawValue)
    let ratio = unsafe bank.curve(Place.ratio.rawValue)
    let knee = unsafe bank.curve(Place.knee.rawValue)
    let makeup = unsafe bank.curve(Place.makeup.rawValue)
    let attack = share(of: .attack)
    let release = share(of: .release)
    for frame in 0..<AudioFormat.quantum {
      let wanted = unsafe Self.reduction(
        of: Double(peak(input, frame)), threshold: Double(threshold[frame]),
        ratio: Double(ratio[frame]), knee: Double(knee[frame]))
      turned += (wanted - turned) * (wanted > turned ? attack : release)
      // Within a ten-thousandth of a decibel of rest, it rests.
      if wanted == 0, turned < 0.0001 { turned = 0 }
      let decibels = unsafe makeup[frame] - Float(turned)
      let gain = decibels == 0 ? 1 : SampleMath.factor(ofDecibels: decibels)
      for channel in 0..<channelCount {
        let sample = unsafe delayed(input.channel(channel)[frame], channel)
        unsafe output.channel(channel)[frame] = sample * gain
      }
    }
    reduction.store(Float(turned).bitPattern, ordering: .relaxed)
  }

  /// The part of the way that is gone in a frame, where 63 % are in a parameter's time.
  @_noAllocation @_noLocks
  private func share(of place: Place) -> Double {
    let frames = Double(bank.value(place.rawValue)) * framesPerSecond
    return frames < 0.01 ? 1 : 1 - SampleMath.power(2.718281828459045, -1 / frames)
  }

  @_noAllocation @_noLocks
  private func peak(_ input: Bus, _ frame: Int) -> Float {
    var peak: Float = 0
    for channel in 0..<channelCount {
      peak = max(peak, unsafe input.channel(channel)[frame].magnitude)
    }
    return peak
  }

  /// The gain computer: by how many decibels a level is to be turned down.
  @_noAllocation @_noLocks
  private static func reduction(
    of peak: Double, threshold: Double, ratio: Double, knee: Double
  ) -> Double {
    guard peak > 1e-6 else { return 0 }
    let above = 20 * SampleMath.log10(peak) - threshold
    let slope = 1 - 1 / ratio
    if 2 * above <= -knee { return 0 }
    if 2 * above >= knee { return slope * above }
    let bend = above + knee / 2
    return slope * bend * bend / (2 * knee)
  }

  @_noAllocation @_noLocks
  private func delayed(_ sample: Float, _ channel: Int) -> Float {
    guard isLate else { return sample }
    let result = unsafe lines[channel].read()
    unsafe lines[channel].write(sample)
    return result
  }
}
