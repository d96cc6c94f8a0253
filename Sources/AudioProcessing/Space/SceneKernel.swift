// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a scene.
///
/// The sound of a source passes through the air (a filter and a delay line for its distance), and
/// then to the ears or the loudspeakers. A source whose sound has completely ended is skipped. When
/// it sounds again, it is immediately at its current place.
@safe
struct SceneKernel: ~Copyable {
  /// The parameters of a source, by index.
  private enum Place: Int {
    case azimuth, elevation, distance, gain, rolloff, reference, farthest
    case facing, facingElevation, innerAngle, outerAngle, outerGain, air
  }

  /// The parameters of the listener, which follow those of all sources.
  private enum ListenerPlace: Int { case turn, nod, tilt, doppler }

  private struct Source: BitwiseCopyable {
    var line: SourceLine
    var air = AirAbsorption()
    /// The target pole of the filter, for the current place.
    var pole: Float = 0
    var quietQuanta: Int
  }

  /// The number of parameters of a source.
  static var stride: Int {
    @_noAllocation @_noLocks
    get { 13 }
  }

  /// The speed of sound, in metres per second.
  private static var speedOfSound: Double {
    @_noAllocation @_noLocks
    get { 343.3 }
  }

  private let count: Int
  private let law: DistanceLaw
  private let rate: SampleRate
  private let bank: ParameterBank
  private let table: FractionTable
  private let sources: UnsafeMutablePointer<Source>
  private var ears: EarRenderer?
  private let speakers: SpeakerRenderer?
  private let filtered: UnsafeMutablePointer<Float>
  private let places: UnsafeMutablePointer<Double>
  /// The number of silent quanta after which the sound of a source has completely ended.
  private let patience: Int
  private var head = HeadTurn(turn: 0, nod: 0, tilt: 0)
  private var isFresh = true

  init(
    sourceCount: Int, law: DistanceLaw, output: SceneUnit.Output, longestDelay: Double,
    rate: SampleRate, bank: ParameterBank
  ) {
    count = sourceCount
    self.law = law
    self.rate = rate
    self.bank = bank
    let table = FractionTable()
    self.table = table
    var further = FractionTable.reach
    switch output {
    case .headphones(let responses):
      ears = EarRenderer(responses, sourceCount: sourceCount, table)
      speakers = nil
      further = Int(responses.delays.max() ?? 0) + 1
    case .speakers(let layout):
      ears = nil
      speakers = SpeakerRenderer(layout, sourceCount: sourceCount, table)
    }
    let longest = Int((longestDelay * Double(rate.hertz)).rounded(.up))
    unsafe sources = .allocate(capacity: sourceCount)
    for index in 0..<sourceCount {
      unsafe (sources + index).initialize(
        to: Source(
          line: SourceLine(longest: longest, further: further), quietQuanta: Int.max / 2))
    }
    patience = unsafe sources[0].line.quantumCount + (ears?.quantumCount ?? 0)
    unsafe filtered = SampleLoop.allocate(channelCount: 1)
    unsafe places = .allocate(capacity: AudioFormat.quantum)
    unsafe places.initialize(repeating: 0, count: AudioFormat.quantum)
  }

  deinit {
    for index in 0..<count { unsafe sources[index].line.deallocate() }
    unsafe sources.deallocate()
    ears?.deallocate()
    speakers?.deallocate()
    table.deallocate()
    unsafe filtered.deallocate()
    unsafe places.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: SceneKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let moves = bank.advance(startFrame: block.start.frames) || isFresh
    let headMoves = moves && takeHead()
    let output = block.output(0)
    output.clear()
    ears?.begin()
    for index in 0..<count {
      let hasMoved = moves && (headMoves || isMoving(index))
      unsafe render(index, block.input(index).channel(0), hasMoved: hasMoved, output)
    }
    ears?.finish(output)
    isFresh = false
  }

  @_noAllocation @_noLocks
  private mutating func render(
    _ index: Int, _ input: UnsafePointer<Float>, hasMoved: Bool, _ output: Bus
  ) {
    let source = unsafe sources + index
    let wasAsleep = unsafe source.pointee.quietQuanta > patience
    if unsafe SampleLoop.power(of: input).top == 0 {
      guard !wasAsleep else { return }
      unsafe source.pointee.quietQuanta &+= 1
    } else {
      unsafe source.pointee.quietQuanta = 0
      if wasAsleep { unsafe wake(source, index) }
    }
    let place = hasMoved && !wasAsleep ? place(of: index) : nil
    if place != nil { unsafe source.pointee.pole = pole(of: index) }
    unsafe send(source, index, input)
    let found = unsafe source.pointee.line.find(places)
    let places = unsafe found ? UnsafePointer(places) : nil
    unsafe ears?.add(index, source.pointee.line, places, to: place)
    unsafe speakers?.add(index, source.pointee.line, places, to: place, output)
  }

  /// Moves a source to its current place immediately.
  @_noAllocation @_noLocks
  private func wake(_ source: UnsafeMutablePointer<Source>, _ index: Int) {
    let place = place(of: index)
    unsafe source.pointee.line.settle(Double(value(.distance, index)) * framesEachMetre)
    unsafe source.pointee.pole = pole(of: index)
    unsafe source.pointee.air.settle(source.pointee.pole)
    ears?.settle(index, at: place)
    speakers?.settle(index, at: place)
  }

  /// Passes a quantum through the air.
  @_noAllocation @_noLocks
  private func send(
    _ source: UnsafeMutablePointer<Source>, _ index: Int, _ input: UnsafePointer<Float>
  ) {
    var sound = unsafe input
    if unsafe !(source.pointee.air.isClear && source.pointee.pole == 0) {
      unsafe source.pointee.air.filter(input, towards: source.pointee.pole, into: filtered)
      unsafe sound = UnsafePointer(filtered)
    }
    let distance = number(.distance, index)
    if bank.isMoving(distance), framesEachMetre > 0 {
      unsafe source.pointee.line.write(
        sound, metres: bank.curve(distance), framesEach: framesEachMetre)
    } else {
      unsafe source.pointee.line.write(
        sound, aim: Double(bank.value(distance)) * framesEachMetre)
    }
  }
}

// Parameters.
extension SceneKernel {
  @_noAllocation @_noLocks
  private func number(_ setting: Place, _ index: Int) -> Int {
    index &* Self.stride &+ setting.rawValue
  }

  @_noAllocation @_noLocks
  private func value(_ setting: Place, _ index: Int) -> Float {
    bank.value(number(setting, index))
  }

  @_noAllocation @_noLocks
  private func number(_ setting: ListenerPlace) -> Int {
    count &* Self.stride &+ setting.rawValue
  }

  /// The delay in frames for each metre, multiplied by the Doppler parameter.
  private var framesEachMetre: Double {
    @_noAllocation @_noLocks
    get { Double(bank.value(number(.doppler))) * Double(rate.hertz) / Self.speedOfSound }
  }

  /// Updates the head; returns true if it moves.
  @_noAllocation @_noLocks
  private mutating func takeHead() -> Bool {
    let (turn, nod, tilt) = (number(.turn), number(.nod), number(.tilt))
    let moves = isFresh || bank.isMoving(turn) || bank.isMoving(nod) || bank.isMoving(tilt)
    guard moves else { return false }
    head = HeadTurn(turn: bank.value(turn), nod: bank.value(nod), tilt: bank.value(tilt))
    return true
  }

  @_noAllocation @_noLocks
  private func isMoving(_ index: Int) -> Bool {
    let first = index &* Self.stride
    for setting in 0..<Self.stride where bank.isMoving(first &+ setting) { return true }
    return false
  }

  @_noAllocation @_noLocks
  private func place(of index: Int) -> SourcePlace {
    let direction = Direction(
      azimuth: value(.azimuth, index), elevation: value(.elevation, index))
    let facing = Direction(
      azimuth: value(.facing, index), elevation: value(.facingElevation, index))
    let cone = SoundCone(
      innerAngle: value(.innerAngle, index), outerAngle: value(.outerAngle, index),
      outerGain: value(.outerGain, index))
    let near = law.gain(
      at: value(.distance, index), rolloff: value(.rolloff, index),
      reference: value(.reference, index), farthest: value(.farthest, index))
    let gain =
      value(.gain, index) * near * cone.gain(at: facing.anglePastListener(from: direction))
    return SourcePlace(direction: head.seen(direction), gain: gain)
  }

  /// The pole of the air filter between a source and the listener.
  @_noAllocation @_noLocks
  private func pole(of index: Int) -> Float {
    let amount = value(.air, index)
    guard amount > 0 else { return 0 }
    let metres = max(0, value(.distance, index) - value(.reference, index))
    return AirAbsorption.pole(metres: metres, amount: amount, rate: rate)
  }
}
