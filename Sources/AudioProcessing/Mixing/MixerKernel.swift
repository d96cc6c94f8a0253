// SPDX-License-Identifier: Apache-2.0
internal import CRealtime
internal import MusicalTime
internal import Synchronization

/// The render side of a mixer: adds strips, each with a gain for left and right.
///
/// Gain, pan, mute, enable and solo are parameters. They determine the two gains of each strip:
/// once if no parameter moves, otherwise for each frame.
@safe
struct MixerKernel: ~Copyable {
  /// The parameters of a strip, by index.
  enum Place: Int, CaseIterable {
    case gain, pan, mute, enable, solo
  }

  private struct Strip: BitwiseCopyable {
    var left: Float = 1
    var right: Float = 1
    var law = PanLaw.balance.rawValue
  }

  /// Offsets of the gains for each frame of a quantum, left and right, and of the solo curve.
  private enum Curve {
    static var left: Int {
      @_noAllocation @_noLocks
      get { 0 }
    }
    static var right: Int {
      @_noAllocation @_noLocks
      get { AudioFormat.quantum }
    }
    static var solo: Int {
      @_noAllocation @_noLocks
      get { 2 &* AudioFormat.quantum }
    }
  }

  private let count: Int
  private let bank: ParameterBank
  private let strips: UnsafeMutablePointer<Strip>
  private var powers: StripPowers
  /// The strips of a quantum that are added in one loop.
  private let rows: UnsafeMutablePointer<crealtime_strip>
  private let curves: UnsafeMutablePointer<Float>
  private let trim: Float
  private var soloEnd: Float = 0
  // The control side writes these, and the render thread reads them.
  private let laws: UnsafeMutablePointer<Atomic<UInt8>>
  private let lawSerial = Atomic<Int>(0)
  private var seenLawSerial = 0

  /// Creates a kernel.
  ///
  /// The last strip and the last meters belong to the sum.
  init(stripCount: Int, law: PanLaw, trim: Float, rate: SampleRate, bank: ParameterBank) {
    count = stripCount
    self.trim = trim
    self.bank = bank
    powers = StripPowers(count: stripCount + 1, rate: rate)
    unsafe rows = .allocate(capacity: max(1, count))
    unsafe strips = .allocate(capacity: count + 1)
    let middle = law.gains(at: 0)
    let strip = Strip(left: middle.left, right: middle.right, law: law.rawValue)
    unsafe strips.initialize(repeating: strip, count: count)
    unsafe (strips + count).initialize(to: Strip())
    unsafe laws = .allocate(capacity: count + 1)
    for index in 0...count {
      unsafe (laws + index).initialize(to: Atomic(strips[index].law))
    }
    unsafe curves = SampleLoop.allocate(channelCount: 3)
  }

  deinit {
    unsafe rows.deallocate()
    unsafe strips.deallocate()
    unsafe laws.deinitialize(count: count + 1).deallocate()
    unsafe curves.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: MixerKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let moves = bank.advance(startFrame: block.start.frames)
    let sum = block.output(0)
    sum.clear()
    if moves || lawSerial.load(ordering: .acquiring) != seenLawSerial {
      mixMoving(block, into: sum)
    } else {
      mixResting(block, into: sum)
      unsafe finish(sum, strips[count].left * trim, strips[count].right * trim)
    }
    powers.show()
  }

  /// Adds all strips; none of them moves.
  @_noAllocation @_noLocks
  private func mixResting(_ block: RenderBlock, into sum: Bus) {
    var audible = 0
    for index in 0..<count {
      let strip = unsafe strips + index
      let left = unsafe strip.pointee.left
      let right = unsafe strip.pointee.right
      if left == 0, right == 0 { continue }
      let input = block.input(index)
      unsafe rows[audible] = crealtime_strip(
        left: input.channel(0), right: input.channel(input.channelCount &- 1), left_gain: left,
        right_gain: right, powers: powers.samples(of: index))
      audible &+= 1
    }
    unsafe crealtime_add_strips(rows, audible, sum.channel(0), sum.channel(1))
  }

  /// Adds a strip with constant gains, while others move.
  @_noAllocation @_noLocks
  private func mix(_ input: Bus, _ index: Int, into sum: Bus) {
    // Not `strips[index]`, which crashes the compiler (6.3.1) with the thread sanitizer.
    let strip = unsafe strips + index
    let left = unsafe strip.pointee.left
    let right = unsafe strip.pointee.right
    if left == 0, right == 0 { return }
    unsafe measure(
      SampleLoop.add(input.channel(0), times: left, to: sum.channel(0)),
      SampleLoop.add(
        input.channel(input.channelCount &- 1), times: right, to: sum.channel(1)), index)
  }

  /// Applies the gains of the sum, and measures the result.
  @_noAllocation @_noLocks
  private func finish(_ sum: Bus, _ left: Float, _ right: Float) {
    if left != 1 { unsafe SampleLoop.scale(sum.channel(0), by: left, into: sum.channel(0)) }
    if right != 1 { unsafe SampleLoop.scale(sum.channel(1), by: right, into: sum.channel(1)) }
    unsafe measure(
      SampleLoop.power(of: sum.channel(0)), SampleLoop.power(of: sum.channel(1)), count)
  }

  @_noAllocation @_noLocks
  private func measure(_ left: Power, _ right: Power, _ index: Int) {
    powers.take(left, strip: index, side: 0)
    powers.take(right, strip: index, side: 1)
  }
}

// Moving parameters.
extension MixerKernel {
  @_noAllocation @_noLocks
  private mutating func mixMoving(_ block: RenderBlock, into sum: Bus) {
    seenLawSerial = lawSerial.load(ordering: .acquiring)
    let soloMoves = fillSolo()
    for index in 0..<count {
      guard refresh(index, soloMoves: soloMoves) else {
        mix(block.input(index), index, into: sum)
        continue
      }
      let input = block.input(index)
      let left = unsafe SampleLoop.add(
        input.channel(0), times: curves + Curve.left, to: sum.channel(0))
      let right = unsafe SampleLoop.add(
        input.channel(input.channelCount &- 1), times: curves + Curve.right, to: sum.channel(1))
      measure(left, right, index)
    }
    if refresh(count, soloMoves: false) {
      unsafe SampleLoop.scale(
        sum.channel(0), by: curves + Curve.left, into: sum.channel(0))
      unsafe SampleLoop.scale(
        sum.channel(1), by: curves + Curve.right, into: sum.channel(1))
      finish(sum, trim, trim)
    } else {
      unsafe finish(sum, strips[count].left * trim, strips[count].right * trim)
    }
  }

  @_noAllocation @_noLocks
  private func number(_ place: Place, _ index: Int) -> Int {
    index &* 5 &+ place.rawValue
  }

  /// Writes the highest solo value of all strips for each frame; returns true if it moves.
  @_noAllocation @_noLocks
  private mutating func fillSolo() -> Bool {
    let solo = unsafe curves + Curve.solo
    unsafe solo.update(repeating: 0, count: AudioFormat.quantum)
    var moves = false
    for index in 0..<count {
      let number = number(.solo, index)
      moves = moves || bank.isMoving(number)
      if !bank.isMoving(number), bank.value(number) == 0 { continue }
      let own = unsafe bank.curve(number)
      for frame in 0..<AudioFormat.quantum { unsafe solo[frame] = max(solo[frame], own[frame]) }
    }
    soloEnd = unsafe solo[AudioFormat.quantum &- 1]
    return moves
  }

  /// Updates a strip's gains.
  ///
  /// If they move, writes their curves and returns true.
  @_noAllocation @_noLocks
  private mutating func refresh(_ index: Int, soloMoves: Bool) -> Bool {
    let strip = unsafe strips + index
    var moves = soloMoves
    for place in 0..<5 { moves = moves || bank.isMoving(index &* 5 &+ place) }
    let law = unsafe laws[index].load(ordering: .relaxed)
    let old = unsafe strip.pointee
    guard moves || law != old.law else { return false }
    unsafe strip.pointee.law = law
    fillCurves(index, PanLaw(code: law))
    if law != old.law { fadeLaws(index, from: PanLaw(code: old.law)) }
    unsafe strip.pointee.left = curves[Curve.left &+ AudioFormat.quantum &- 1]
    unsafe strip.pointee.right = curves[Curve.right &+ AudioFormat.quantum &- 1]
    return true
  }

  @_noAllocation @_noLocks
  private func fillCurves(_ index: Int, _ law: PanLaw) {
    let left = unsafe curves + Curve.left
    let right = unsafe curves + Curve.right
    let pan = number(.pan, index)
    let positions = unsafe bank.curve(pan)
    var sides = law.gains(at: bank.value(pan))
    let panMoves = bank.isMoving(pan)
    for frame in 0..<AudioFormat.quantum {
      if panMoves { unsafe sides = law.gains(at: positions[frame]) }
      unsafe left[frame] = sides.left
      unsafe right[frame] = sides.right
    }
    unsafe open(index, left)
    unsafe open(index, right)
  }

  /// Applies gain, mute, enable and solo.
  @_noAllocation @_noLocks
  private func open(_ index: Int, _ gains: UnsafeMutablePointer<Float>) {
    let gain = unsafe SampleLoop.lanes(bank.curve(number(.gain, index)))
    let mute = unsafe SampleLoop.lanes(bank.curve(number(.mute, index)))
    let enable = unsafe SampleLoop.lanes(bank.curve(number(.enable, index)))
    let own = unsafe SampleLoop.lanes(bank.curve(number(.solo, index)))
    let solo = unsafe SampleLoop.lanes(curves + Curve.solo)
    let gains = unsafe SampleLoop.lanes(gains)
    for lane in 0..<SampleLoop.laneCount {
      let audible = unsafe index == count ? .one : 1 - solo[lane] * (1 - own[lane])
      unsafe gains[lane] *= gain[lane] * (1 - mute[lane]) * enable[lane] * audible
    }
  }

  /// Fades from the old pan law to the new one within the quantum.
  @_noAllocation @_noLocks
  private func fadeLaws(_ index: Int, from old: PanLaw) {
    let pan = bank.value(number(.pan, index))
    let law = unsafe PanLaw(code: strips[index].law)
    let new = law.gains(at: pan)
    let before = old.gains(at: pan)
    let left = unsafe curves + Curve.left
    let right = unsafe curves + Curve.right
    for frame in 0..<AudioFormat.quantum {
      let rest = Float(AudioFormat.quantum &- 1 &- frame) / Float(AudioFormat.quantum)
      unsafe left[frame] += rest * (before.left - new.left) * openness(index)
      unsafe right[frame] += rest * (before.right - new.right) * openness(index)
    }
  }

  /// The factor of gain, mute, enable and solo at the end of the quantum.
  @_noAllocation @_noLocks
  private func openness(_ index: Int) -> Float {
    let audible = index == count ? 1 : 1 - soloEnd * (1 - bank.value(number(.solo, index)))
    return bank.value(number(.gain, index)) * (1 - bank.value(number(.mute, index)))
      * bank.value(number(.enable, index)) * audible
  }
}

// Control side.
extension MixerKernel {
  /// Sets the pan law of a strip.
  func setLaw(_ law: PanLaw, strip: Int) {
    guard unsafe laws[strip].load(ordering: .relaxed) != law.rawValue else { return }
    unsafe laws[strip].store(law.rawValue, ordering: .relaxed)
    lawSerial.add(1, ordering: .releasing)
  }

  /// The level of one channel of a strip.
  func level(channel: Int, strip: Int) -> Level { powers.level(strip: strip, side: channel) }
}
