// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a convolution: levels, each with four times the block length of the last.
@safe
struct ConvolutionKernel: ~Copyable {
  private let channelCount: Int
  private let bank: ParameterBank
  private let levels: UnsafeMutablePointer<PartitionKernel>
  private let levelCount: Int
  private let sums: UnsafeMutablePointer<Float>
  private var level = GainCurve()

  private enum Place: Int { case level, mix }

  /// The longest block: 4096 frames.
  ///
  /// Its transform fits into one quantum.
  private static let longestBlock = 64 * AudioFormat.quantum

  /// Computes the partitions of the responses; `paths` has a response from each input to each
  /// output.
  init(channelCount: Int, _ paths: [[Float]], bank: ParameterBank) {
    self.channelCount = channelCount
    self.bank = bank
    let length = paths.map(\.count).max() ?? 1
    let sizes = Self.sizes(for: length)
    levelCount = sizes.count
    unsafe levels = .allocate(capacity: sizes.count)
    for (place, size) in sizes.enumerated() {
      let next = place + 1 < sizes.count ? PartitionKernel.start(size: sizes[place + 1]) : length
      unsafe (levels + place).initialize(
        to: PartitionKernel(
          size: size, end: next, paths, inputCount: channelCount, outputCount: channelCount))
    }
    unsafe sums = SampleLoop.allocate(channelCount: channelCount)
  }

  /// The block sizes that a response of this length needs.
  private static func sizes(for length: Int) -> [Int] {
    var sizes = [AudioFormat.quantum]
    while let size = sizes.last.map({ 4 * $0 }), size <= longestBlock,
      PartitionKernel.start(size: size) < length
    {
      sizes.append(size)
    }
    return sizes
  }

  deinit {
    for place in 0..<levelCount { unsafe levels[place].deallocate() }
    unsafe levels.deallocate()
    unsafe sums.deallocate()
    level.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: ConvolutionKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let input = block.input(0)
    let output = block.output(0)
    unsafe sums.update(repeating: 0, count: channelCount &* AudioFormat.quantum)
    for place in 0..<levelCount { unsafe (levels + place).pointee.render(input, sums) }
    unsafe level.fill(bank.curve(Place.level.rawValue))
    let mix = unsafe bank.curve(Place.mix.rawValue)
    for channel in 0..<channelCount {
      let dry = unsafe input.channel(channel)
      let wet = unsafe sums + channel &* AudioFormat.quantum
      let sound = unsafe output.channel(channel)
      for frame in 0..<AudioFormat.quantum {
        let share = unsafe mix[frame]
        unsafe sound[frame] =
          dry[frame] * (1 - share) + wet[frame] * level.factors[frame] * share
      }
    }
  }
}
