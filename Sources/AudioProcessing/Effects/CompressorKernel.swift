// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// The render side of a compressor.
///
/// The gain computer finds the reduction in decibels that a frame needs. A one-pole filter smooths
/// the reduction, with the attack time when it rises and the release time when it falls.
@safe
struct CompressorKernel: ~Copyable {
  let reduction = Atomic<UInt32>(Float(0).bitPattern)

  private let channelCount: Int
  private let framesPerSecond: Double
  private let bank: ParameterBank
  private let ahead: LookAhead
  /// The current reduction of each channel in decibels, and the reduction that it moves to.
  private let turned: UnsafeMutablePointer<Double>
  private let wanted: UnsafeMutablePointer<Double>

  private enum Place: Int { case threshold, ratio, attack, release, knee, makeup, link }

  init(channelCount: Int, lookAhead: Int, rate: SampleRate, bank: ParameterBank) {
    self.channelCount = channelCount
    self.bank = bank
    ahead = LookAhead(frames: lookAhead, channelCount: channelCount)
    framesPerSecond = Double(rate.hertz)
    unsafe turned = .allocate(capacity: channelCount)
    unsafe turned.initialize(repeating: 0, count: channelCount)
    unsafe wanted = .allocate(capacity: channelCount)
    unsafe wanted.initialize(repeating: 0, count: channelCount)
  }

  deinit {
    ahead.deallocate()
    unsafe turned.deallocate()
    unsafe wanted.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: CompressorKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: CompressorKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    unsafe turned.update(repeating: 0, count: channelCount)
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
    let link = unsafe bank.curve(Place.link.rawValue)
    let attack = share(of: .attack)
    let release = share(of: .release)
    for frame in 0..<AudioFormat.quantum {
      unsafe judge(
        input, frame, threshold: Double(threshold[frame]), ratio: Double(ratio[frame]),
        knee: Double(knee[frame]), link: Double(link[frame]))
      // Channels with the same reduction share a factor, because its computation is costly.
      var (decibels, gain) = (Float(0), Float(1))
      for channel in 0..<channelCount {
        move(channel, attack: attack, release: release)
        let raised = unsafe makeup[frame] - Float(turned[channel])
        if raised != decibels {
          decibels = raised
          gain = raised == 0 ? 1 : SampleMath.factor(ofDecibels: raised)
        }
        let sample = unsafe ahead.delayed(input.channel(channel)[frame], channel)
        unsafe output.channel(channel)[frame] = sample * gain
      }
    }
    publish()
  }

  /// Computes the target reduction of each channel.
  ///
  /// In proportion to the link, this is the reduction of the loudest channel; otherwise it is the
  /// channel's own.
  @_noAllocation @_noLocks
  private func judge(
    _ input: Bus, _ frame: Int, threshold: Double, ratio: Double, knee: Double, link: Double
  ) {
    let all =
      link == 0
      ? 0
      : Self.reduction(
        of: Double(input.peak(at: frame)), threshold: threshold, ratio: ratio, knee: knee)
    for channel in 0..<channelCount {
      guard link < 1 else {
        unsafe wanted[channel] = all
        continue
      }
      let own = unsafe Self.reduction(
        of: Double(input.channel(channel)[frame].magnitude), threshold: threshold, ratio: ratio,
        knee: knee)
      unsafe wanted[channel] = own + link * (all - own)
    }
  }

  @_noAllocation @_noLocks
  private func move(_ channel: Int, attack: Double, release: Double) {
    let (goal, old) = unsafe (wanted[channel], turned[channel])
    let new = old + (goal - old) * (goal > old ? attack : release)
    // Below 0.0001 dB, the reduction becomes 0.
    unsafe turned[channel] = goal == 0 && new < 0.0001 ? 0 : new
  }

  @_noAllocation @_noLocks
  private func publish() {
    var most = 0.0
    for channel in 0..<channelCount { most = unsafe max(most, turned[channel]) }
    reduction.store(Float(most).bitPattern, ordering: .relaxed)
  }

  @_noAllocation @_noLocks
  private func share(of place: Place) -> Double {
    SampleMath.share(frames: Double(bank.value(place.rawValue)) * framesPerSecond)
  }

  /// The gain computer: the reduction in decibels for a level.
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
}
