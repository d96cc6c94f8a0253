// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The frames that a kernel renders in one call: the samples of all buses, and the parameter values
/// at each frame.
///
/// - Note: Real-time safe. Valid only during the call.
@safe
public struct SoundBlock {
  /// The position of the first frame.
  public let start: SampleTime
  /// The number of frames, 1…64.
  public let frameCount: Int
  /// The sample rate.
  public let rate: SampleRate
  private let first: Int
  private let block: RenderBlock
  private let bank: ParameterBank

  init(_ block: RenderBlock, _ frames: Range<Int>, _ bank: ParameterBank, rate: SampleRate) {
    start = SampleTime(frames: block.start.frames &+ Int64(truncatingIfNeeded: frames.lowerBound))
    frameCount = frames.count
    first = frames.lowerBound
    self.block = block
    self.bank = bank
    self.rate = rate
  }

  /// The number of channels of an input bus.
  public func inputChannelCount(of bus: Int = 0) -> Int { block.input(bus).channelCount }

  /// The number of channels of an output bus.
  public func outputChannelCount(of bus: Int = 0) -> Int { block.output(bus).channelCount }

  /// Returns the samples of a channel of an input bus, which are silent if the bus is not
  /// connected.
  ///
  /// - Precondition: the unit has the bus and the channel.
  @_lifetime(borrow self)
  public func input(_ channel: Int, of bus: Int = 0) -> Span<Float> {
    precondition((0..<block.inputCount).contains(bus), "input index out of range")
    let samples = unsafe samples(block.input(bus), channel)
    return unsafe _overrideLifetime(
      Span(_unsafeStart: samples, count: frameCount), borrowing: self)
  }

  /// Returns the samples of a channel of an output bus, for writing.
  ///
  /// The kernel must write all of them.
  ///
  /// - Precondition: the unit has the bus and the channel.
  @_lifetime(borrow self)
  public func output(_ channel: Int, of bus: Int = 0) -> MutableSpan<Float> {
    precondition((0..<block.outputCount).contains(bus), "output index out of range")
    let samples = unsafe samples(block.output(bus), channel)
    return unsafe _overrideLifetime(
      MutableSpan(_unsafeStart: samples, count: frameCount), borrowing: self)
  }

  /// Returns the value of a parameter at each frame of the block.
  ///
  /// - Precondition: the unit has the parameter.
  @_lifetime(borrow self)
  public func curve(of parameter: Int) -> Span<Float> {
    precondition((0..<bank.count).contains(parameter), "parameter index out of range")
    let curve = unsafe bank.curve(parameter) + first
    return unsafe _overrideLifetime(Span(_unsafeStart: curve, count: frameCount), borrowing: self)
  }

  /// Returns the value of a parameter at the end of the block, for uses that do not need a value at
  /// each frame.
  ///
  /// - Precondition: the unit has the parameter.
  public func value(of parameter: Int) -> Float {
    precondition((0..<bank.count).contains(parameter), "parameter index out of range")
    return bank.value(parameter)
  }

  private func samples(_ bus: Bus, _ channel: Int) -> UnsafeMutablePointer<Float> {
    precondition((0..<bus.channelCount).contains(channel), "channel index out of range")
    return unsafe bus.channel(channel) + first
  }
}
