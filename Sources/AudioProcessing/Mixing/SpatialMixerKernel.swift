// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a spatial mixer.
@safe
struct SpatialMixerKernel: ~Copyable {
  private struct Sides: BitwiseCopyable {
    var left: Float
    var right: Float
  }

  private let count: Int
  private let law: UInt8
  private let bank: ParameterBank
  private let gains: UnsafeMutablePointer<Sides>
  private let curves: UnsafeMutablePointer<Float>
  private var isFresh = true

  init(sourceCount: Int, law: DistanceLaw, bank: ParameterBank) {
    count = sourceCount
    self.law = law.rawValue
    self.bank = bank
    unsafe gains = .allocate(capacity: count)
    unsafe gains.initialize(repeating: Sides(left: 0, right: 0), count: count)
    unsafe curves = SampleLoop.allocate(channelCount: 2)
  }

  deinit {
    unsafe gains.deallocate()
    unsafe curves.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: SpatialMixerKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let moves = bank.advance(startFrame: block.start.frames) || isFresh
    isFresh = false
    let output = block.output(0)
    output.clear()
    for index in 0..<count {
      let source = unsafe block.input(index).channel(0)
      if moves, isMoving(index) {
        fillCurves(index)
        unsafe _ = SampleLoop.add(source, times: curves, to: output.channel(0))
        unsafe _ = SampleLoop.add(
          source, times: curves + AudioFormat.quantum, to: output.channel(1))
      } else {
        let sides = unsafe gains[index]
        unsafe _ = SampleLoop.add(source, times: sides.left, to: output.channel(0))
        unsafe _ = SampleLoop.add(source, times: sides.right, to: output.channel(1))
      }
    }
  }

  /// True if a source moves; otherwise computes its gains.
  @_noAllocation @_noLocks
  private func isMoving(_ index: Int) -> Bool {
    for setting in 0..<5 where bank.isMoving(index &* 5 &+ setting) { return true }
    let first = index &* 5
    unsafe gains[index] = sides(
      azimuth: bank.value(first), elevation: bank.value(first &+ 1),
      distance: bank.value(first &+ 2), gain: bank.value(first &+ 3),
      rolloff: bank.value(first &+ 4))
    return false
  }

  @_noAllocation @_noLocks
  private func fillCurves(_ index: Int) {
    let first = index &* 5
    let azimuth = unsafe bank.curve(first)
    let elevation = unsafe bank.curve(first &+ 1)
    let distance = unsafe bank.curve(first &+ 2)
    let gain = unsafe bank.curve(first &+ 3)
    let rolloff = unsafe bank.curve(first &+ 4)
    var now = Sides(left: 0, right: 0)
    for frame in 0..<AudioFormat.quantum {
      now = unsafe sides(
        azimuth: azimuth[frame], elevation: elevation[frame], distance: distance[frame],
        gain: gain[frame], rolloff: rolloff[frame])
      unsafe curves[frame] = now.left
      unsafe curves[AudioFormat.quantum &+ frame] = now.right
    }
    unsafe gains[index] = now
  }

  @_noAllocation @_noLocks
  private func sides(
    azimuth: Float, elevation: Float, distance: Float, gain: Float, rolloff: Float
  ) -> Sides {
    let degree = Double.pi / 180
    let place =
      SampleMath.sine(Double(azimuth) * degree) * SampleMath.cosine(Double(elevation) * degree)
    let pan = PanLaw.constantPower.gains(at: Float(place))
    let level = gain * DistanceLaw(code: law).gain(at: distance, rolloff: rolloff)
    return Sides(left: level * pan.left, right: level * pan.right)
  }
}

extension DistanceLaw {
  /// The law for a valid raw value.
  @_noAllocation @_noLocks
  fileprivate init(code: UInt8) {
    switch code {
    case 1: self = .exponential
    case 2: self = .linear
    default: self = .inverse
    }
  }
}
