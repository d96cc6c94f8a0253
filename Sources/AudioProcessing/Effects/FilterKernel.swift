// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a high-pass or low-pass: second-order filters in series, in transposed direct
/// form II, in double precision.
///
/// While a parameter changes, the filters are computed every 8 frames.
@safe
struct FilterKernel: ~Copyable {
  private let kind: UInt8
  private let sectionCount: Int
  private let channelCount: Int
  private let turn: Double
  private let bank: ParameterBank
  private let qualities: UnsafeMutablePointer<Double>
  private let filters: UnsafeMutablePointer<Biquad>
  private let memories: UnsafeMutablePointer<SIMD2<Double>>
  private var isFresh = true

  private enum Place: Int { case frequency, resonance }

  /// The frames between two filter computations while a parameter changes.
  private static var stride: Int {
    @_noAllocation @_noLocks
    get { 8 }
  }

  init(
    _ kind: FilterUnit.Kind, sectionCount: Int, channelCount: Int, rate: SampleRate,
    bank: ParameterBank
  ) {
    self.kind = kind == .highPass ? 4 : 3
    self.sectionCount = sectionCount
    self.channelCount = channelCount
    self.bank = bank
    turn = 2 * .pi / Double(rate.hertz)
    unsafe qualities = .allocate(capacity: sectionCount)
    unsafe filters = .allocate(capacity: sectionCount)
    unsafe memories = .allocate(capacity: sectionCount * channelCount)
    unsafe memories.initialize(repeating: .zero, count: sectionCount * channelCount)
    for section in 0..<sectionCount {
      // The poles of a Butterworth filter are at equal angles on a circle; the last section has the
      // highest Q.
      let angle = Double.pi * Double(2 * section + 1) / Double(4 * sectionCount)
      unsafe (qualities + section).initialize(to: 1 / (2 * SampleMath.cosine(angle)))
      unsafe (filters + section).initialize(
        to: Biquad(kind: self.kind, angle: 0.1, decibels: 0, quality: 1))
    }
  }

  deinit {
    unsafe qualities.deallocate()
    unsafe filters.deallocate()
    unsafe memories.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: FilterKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let moves = bank.advance(startFrame: block.start.frames)
    let output = block.output(0)
    output.copy(block.input(0))
    let frequency = unsafe bank.curve(Place.frequency.rawValue)
    let resonance = unsafe bank.curve(Place.resonance.rawValue)
    let stride = moves ? Self.stride : AudioFormat.quantum
    var start = 0
    while start < AudioFormat.quantum {
      let end = start &+ stride
      if moves || isFresh { unsafe aim(frequency[end &- 1], resonance[end &- 1]) }
      for channel in 0..<channelCount {
        for section in 0..<sectionCount { filter(output, channel, section, start..<end) }
      }
      start = end
    }
    isFresh = false
  }

  /// With one section, the resonance is its Q.
  ///
  /// With more, it raises the Q of the last section in the same proportion.
  @_noAllocation @_noLocks
  private func aim(_ frequency: Float, _ resonance: Float) {
    for section in 0..<sectionCount {
      let isLast = section == sectionCount &- 1
      let raise = isLast ? Double(resonance) * 1.4142135623730951 : 1
      unsafe filters[section] = Biquad(
        kind: kind, angle: turn * Double(frequency), decibels: 0,
        quality: qualities[section] * raise)
    }
  }

  @_noAllocation @_noLocks
  private func filter(_ bus: Bus, _ channel: Int, _ section: Int, _ frames: Range<Int>) {
    let samples = unsafe bus.channel(channel)
    let filter = unsafe filters[section]
    let place = channel &* sectionCount &+ section
    var memory = unsafe memories[place]
    for frame in frames {
      unsafe samples[frame] = filter.next(samples[frame], &memory)
    }
    unsafe memories[place] = memory
  }
}
