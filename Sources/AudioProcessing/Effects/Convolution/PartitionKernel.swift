// SPDX-License-Identifier: Apache-2.0

/// A segment of an impulse response in partitions of one length, and its convolution with the
/// input.
///
/// Input is collected in blocks of that length. The work for a block (transforms, products with all
/// partitions, inverse transforms) is split into items. While the next block is collected, each
/// quantum does its share of the items, and in the block after that the result is output. The
/// segment therefore begins two blocks after the start of the response. If a block is one quantum
/// long, all work is done immediately, and the segment begins at the start of the response.
///
/// Source: W. G. Gardner, Efficient convolution without input-output delay, J. Audio Eng. Soc. 43
/// (1995).
@safe
struct PartitionKernel: BitwiseCopyable {
  typealias Samples = UnsafeMutablePointer<Float>

  private let size: Int
  private let partCount: Int
  private let inputCount: Int
  private let outputCount: Int
  private let pathCount: Int
  private let transform: RightAngleTransform
  /// The spectra of the partitions of each path, and a ring of the spectra of each input's blocks.
  private let response: Samples
  private let heard: Samples
  private var newest = 0
  /// For each input, the block that is collected and the block that is processed.
  private var gathered: Samples
  private var ready: Samples
  /// For each output, the sum of the products, its overlap with the next block, and the sound that
  /// is output.
  private let sums: Samples
  private let carried: Samples
  private let playing: Samples
  private var quantum = 0

  /// The frames of the response before the segment with a block size.
  static func start(size: Int) -> Int { size == AudioFormat.quantum ? 0 : 2 * size }

  /// Transforms the segment of each path's response.
  ///
  /// - Parameters:
  ///   - size: the frames of a partition: a quantum times a power of four.
  ///   - end: the frames of the response up to the end of the segment.
  ///   - paths: the complete responses, path by path.
  ///   - inputCount: the number of input channels.
  ///   - outputCount: the number of output channels.
  init(size: Int, end: Int, _ paths: [[Float]], inputCount: Int, outputCount: Int) {
    self.size = size
    self.inputCount = inputCount
    self.outputCount = outputCount
    pathCount = paths.count
    let first = Self.start(size: size)
    partCount = (end - first + size - 1) / size
    transform = RightAngleTransform(count: size)
    unsafe response = RightAngleTransform.allocate(pathCount * partCount * 2 * size)
    unsafe heard = RightAngleTransform.allocate(inputCount * partCount * 2 * size)
    unsafe gathered = RightAngleTransform.allocate(inputCount * size)
    unsafe ready = RightAngleTransform.allocate(inputCount * size)
    unsafe sums = RightAngleTransform.allocate(outputCount * 2 * size)
    unsafe carried = RightAngleTransform.allocate(outputCount * size)
    unsafe playing = RightAngleTransform.allocate(outputCount * size)
    var part = [Float](repeating: 0, count: size)
    for (path, samples) in paths.enumerated() {
      for place in 0..<partCount {
        let start = first + place * size
        for index in 0..<size {
          let isInside = start + index < min(end, samples.count)
          part[index] = isInside ? samples[start + index] / Float(size) : 0
        }
        unsafe transform.transform(part, into: response + (path * partCount + place) * 2 * size)
      }
    }
  }

  func deallocate() {
    transform.deallocate()
    unsafe response.deallocate()
    unsafe heard.deallocate()
    unsafe gathered.deallocate()
    unsafe ready.deallocate()
    unsafe sums.deallocate()
    unsafe carried.deallocate()
    unsafe playing.deallocate()
  }

  /// Reads a quantum of each input and adds a quantum to each output.
  @_noAllocation @_noLocks
  mutating func render(_ input: Bus, _ output: Samples) {
    if size == AudioFormat.quantum {
      take(input)
      swap()
      work(upTo: itemCount, from: 0)
      finish()
      unsafe give(output)
    } else {
      let quanta = size / AudioFormat.quantum
      unsafe give(output)
      work(upTo: itemCount &* (quantum &+ 1) / quanta, from: itemCount &* quantum / quanta)
      take(input)
      quantum &+= 1
      guard quantum == quanta else { return }
      quantum = 0
      finish()
      swap()
    }
  }

  @_noAllocation @_noLocks
  private func take(_ input: Bus) {
    for channel in 0..<inputCount {
      let place = channel &* size &+ quantum &* AudioFormat.quantum
      unsafe SampleLoop.copy(input.channel(channel), to: gathered + place)
    }
  }

  /// Makes the collected block the one that is processed.
  @_noAllocation @_noLocks
  private mutating func swap() {
    unsafe (gathered, ready) = (ready, gathered)
    newest = newest == 0 ? partCount &- 1 : newest &- 1
  }

  @_noAllocation @_noLocks
  private func give(_ output: Samples) {
    for channel in 0..<outputCount {
      let source = unsafe playing + (channel &* size &+ quantum &* AudioFormat.quantum)
      let target = unsafe SampleLoop.lanes(output + channel &* AudioFormat.quantum)
      for lane in 0..<SampleLoop.laneCount {
        unsafe target[lane] += SampleLoop.lanes(source)[lane]
      }
    }
  }

  /// Makes the processed block the one that is output.
  @_noAllocation @_noLocks
  private func finish() {
    for channel in 0..<outputCount {
      let sum = unsafe SampleLoop.lanes(sums + channel &* 2 &* size)
      let rest = unsafe SampleLoop.lanes(carried + channel &* size)
      let sound = unsafe SampleLoop.lanes(playing + channel &* size)
      let count = size / 8
      for lane in 0..<count {
        unsafe sound[lane] = sum[lane] + rest[lane]
        unsafe rest[lane] = sum[count &+ lane]
      }
    }
  }
}

// The items of a block's work.
extension PartitionKernel {
  private var itemCount: Int {
    @_noAllocation @_noLocks
    get { inputCount &+ pathCount &* partCount &+ outputCount }
  }

  @_noAllocation @_noLocks
  private func work(upTo end: Int, from start: Int) {
    var item = start
    while item < end {
      let product = item &- inputCount
      if product < 0 {
        transformInput(item)
      } else if product < pathCount &* partCount {
        add(path: product / partCount, part: product % partCount)
      } else {
        unsafe transform.restore(sums + (product &- pathCount &* partCount) &* 2 &* size)
      }
      item &+= 1
    }
  }

  @_noAllocation @_noLocks
  private func transformInput(_ channel: Int) {
    if channel == 0 { unsafe sums.update(repeating: 0, count: outputCount &* 2 &* size) }
    let slot = channel &* partCount &+ newest
    unsafe transform.transform(ready + channel &* size, into: heard + slot &* 2 &* size)
  }

  /// Multiplies a partition of a path with the matching earlier block, and adds the product to the
  /// output.
  ///
  /// If the paths are as many as the channels, each path connects a channel to itself. Otherwise
  /// the paths connect each input to each output.
  @_noAllocation @_noLocks
  private func add(path: Int, part: Int) {
    let crosses = pathCount > inputCount
    let input = crosses ? path / outputCount : path
    let output = crosses ? path % outputCount : path
    var slot = newest &+ part
    if slot >= partCount { slot &-= partCount }
    unsafe RightAngleTransform.add(
      heard + (input &* partCount &+ slot) &* 2 &* size,
      times: response + (path &* partCount &+ part) &* 2 &* size,
      to: sums + output &* 2 &* size, count: size)
  }
}
