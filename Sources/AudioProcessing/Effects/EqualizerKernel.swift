// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of an equaliser: second-order filters in transposed direct form II, in double
/// precision.
///
/// While a band changes, its filter is computed every 8 frames.
@safe
struct EqualizerKernel: ~Copyable {
  private struct Memory: BitwiseCopyable {
    var first = 0.0
    var second = 0.0
  }

  private let bandCount: Int
  private let channelCount: Int
  private let turn: Double
  private let bank: ParameterBank
  private let kinds: UnsafeMutablePointer<UInt8>
  private let filters: UnsafeMutablePointer<Biquad>
  private let memories: UnsafeMutablePointer<Memory>
  private var isFresh = true

  /// The frames between two filter computations while a band changes.
  private static var stride: Int {
    @_noAllocation @_noLocks
    get { 8 }
  }

  init(
    bands: [EqualizerUnit.Kind], channelCount: Int, rate: SampleRate, bank: ParameterBank
  ) {
    bandCount = bands.count
    self.channelCount = channelCount
    turn = 2 * .pi / Double(rate.hertz)
    self.bank = bank
    unsafe kinds = .allocate(capacity: bandCount)
    unsafe filters = .allocate(capacity: bandCount)
    unsafe memories = .allocate(capacity: bandCount * channelCount)
    unsafe memories.initialize(repeating: Memory(), count: bandCount * channelCount)
    for (index, kind) in bands.enumerated() {
      unsafe (kinds + index).initialize(to: kind.rawValue)
      unsafe (filters + index).initialize(
        to: Biquad(kind: kind.rawValue, angle: 0.1, decibels: 0, quality: 1))
    }
  }

  deinit {
    unsafe kinds.deallocate()
    unsafe filters.deallocate()
    unsafe memories.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: EqualizerKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: EqualizerKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    unsafe memories.update(repeating: Memory(), count: bandCount &* channelCount)
    isFresh = true
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let moves = bank.advance(startFrame: block.start.frames) || isFresh
    isFresh = false
    let output = block.output(0)
    output.copy(block.input(0))
    for band in 0..<bandCount {
      if moves, isMoving(band) {
        filterMoving(output, band)
      } else {
        for channel in 0..<channelCount { filter(output, channel, band, 0..<AudioFormat.quantum) }
      }
    }
  }

  /// True if a band changes; otherwise computes the filter of the band.
  @_noAllocation @_noLocks
  private func isMoving(_ band: Int) -> Bool {
    let first = band &* 3
    for setting in 0..<3 where bank.isMoving(first &+ setting) { return true }
    aim(band, bank.value(first), bank.value(first &+ 1), bank.value(first &+ 2))
    return false
  }

  @_noAllocation @_noLocks
  private func aim(_ band: Int, _ frequency: Float, _ decibels: Float, _ quality: Float) {
    unsafe filters[band] = Biquad(
      kind: kinds[band], angle: turn * Double(frequency), decibels: Double(decibels),
      quality: Double(quality))
  }

  @_noAllocation @_noLocks
  private func filterMoving(_ bus: Bus, _ band: Int) {
    let frequency = unsafe bank.curve(band &* 3)
    let decibels = unsafe bank.curve(band &* 3 &+ 1)
    let quality = unsafe bank.curve(band &* 3 &+ 2)
    var start = 0
    while start < AudioFormat.quantum {
      let end = start &+ Self.stride
      unsafe aim(band, frequency[end &- 1], decibels[end &- 1], quality[end &- 1])
      for channel in 0..<channelCount { filter(bus, channel, band, start..<end) }
      start = end
    }
  }

  @_noAllocation @_noLocks
  private func filter(_ bus: Bus, _ channel: Int, _ band: Int, _ frames: Range<Int>) {
    let samples = unsafe bus.channel(channel)
    let filter = unsafe filters[band]
    let place = band &* channelCount &+ channel
    var memory = unsafe memories[place]
    for frame in frames {
      let sample = unsafe Double(samples[frame])
      let result = filter.b0 * sample + memory.first
      memory.first = filter.b1 * sample - filter.a1 * result + memory.second
      memory.second = filter.b2 * sample - filter.a2 * result
      unsafe samples[frame] = Float(result)
    }
    unsafe memories[place] = memory
  }
}
