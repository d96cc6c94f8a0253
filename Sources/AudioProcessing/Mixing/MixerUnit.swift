// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Mixes mono and stereo strips to a stereo sum.
///
/// Each strip, and the sum, has a gain, pan, mute, enable, solo and a meter. A change is a linear
/// ramp of 5 ms, without clicks. Meters measure the level after the gain.
///
/// Each strip has five parameters, which tracks can automate. For strip n (from 0), index 5n is the
/// gain, 5n + 1 the pan, 5n + 2 mute, 5n + 3 enable, and 5n + 4 solo. The parameters of the sum
/// follow those of the last strip.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
@safe
public final class MixerUnit: ParametricUnit, SavableUnit {
  /// The settings of a strip.
  public struct Strip: Hashable, Sendable {
    /// The gain, a linear factor limited to 0…16 (+24 dB); default 1.
    public var gain: Float = 1 {
      didSet { gain = gain.isNaN ? 0 : min(16, max(0, gain)) }
    }
    /// The pan, limited to −1 (left)…1 (right); default 0, the centre.
    public var pan: Float = 0 {
      didSet { pan = pan.isNaN ? 0 : min(1, max(-1, pan)) }
    }
    /// The conversion of the pan to the gains of left and right; default `balance`.
    public var law: PanLaw = .balance
    /// True if the strip is silent in the mix; default false.
    public var isMuted = false
    /// True if the strip is part of the mix; default true.
    public var isEnabled = true
    /// True if the strip is solo; default false.
    ///
    /// If any strip is solo, only solo strips are audible.
    public var isSolo = false
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The number of strips.
  public let stripCount: Int
  /// The sample rate.
  public let rate: SampleRate?
  /// The channel count of each strip, 1 or 2.
  public let inputChannelCounts: [Int]
  /// Five parameters for each strip, followed by five for the sum.
  public let parameters: ParameterSet
  private let kernel: KernelBox<MixerKernel>
  private var laws: [PanLaw]
  private let trim: Float

  /// Creates a mixer of stereo strips with a gain of 1, panned to the centre.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - stripCount: the number of strips, 1…1024.
  ///   - rate: the sample rate.
  public convenience init(name: String = "mixer", stripCount: Int, rate: SampleRate) {
    self.init(name: name, channelCounts: Array(repeating: 2, count: stripCount), rate: rate)
  }

  /// Creates a mixer of mono and stereo strips with a gain of 1, panned to the centre.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCounts: the channel count of each strip, 1 or 2; 1…1024 strips.
  ///   - law: the pan law of all strips.
  ///   - trim: a fixed linear factor for the sum.
  ///   - rate: the sample rate.
  public init(
    name: String = "mixer", channelCounts: [Int], law: PanLaw = .balance, trim: Float = 1,
    rate: SampleRate
  ) {
    precondition((1...1024).contains(channelCounts.count), "a mixer has 1 to 1024 strips")
    precondition(channelCounts.allSatisfy { $0 == 1 || $0 == 2 }, "a strip is mono or stereo")
    self.name = name
    self.rate = rate
    inputChannelCounts = channelCounts
    stripCount = channelCounts.count
    self.trim = trim
    laws = Array(repeating: law, count: stripCount) + [.balance]
    let names = (1...stripCount).map { "strip \($0) " } + ["sum "]
    parameters = ParameterSet(names.flatMap(Self.parameters), rate: rate, unit: name, stride: 5)
    kernel = unsafe KernelBox(
      MixerKernel(
        stripCount: stripCount, law: law, trim: trim, rate: rate, bank: parameters.bank),
      MixerKernel.function)
  }

  private static func parameters(_ strip: String) -> [Parameter] {
    [
      Parameter(strip + "gain", .factor, 0...16, initially: 1),
      Parameter(strip + "pan", .position, -1...1, initially: 0),
      Parameter(strip + "mute", .toggle, 0...1, initially: 0),
      Parameter(strip + "enable", .toggle, 0...1, initially: 1),
      Parameter(strip + "solo", .toggle, 0...1, initially: 0),
    ]
  }

  /// The channel count of each output: one stereo bus, which is the sum of the strips.
  public var outputChannelCounts: [Int] { [2] }

  /// True: a strip without a connection is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    UnitSetup(
      "mixer",
      [
        "strips": .counts(inputChannelCounts), "trim": .number(Double(trim)),
        "laws": .words(laws.dropLast().map { "\($0)" }),
      ])
  }

  /// The settings of a strip, counted from 0.
  public subscript(index: Int) -> Strip {
    get {
      precondition((0..<stripCount).contains(index), "strip index out of range")
      return strip(index)
    }
    set {
      precondition((0..<stripCount).contains(index), "strip index out of range")
      set(index, newValue)
    }
  }

  /// The settings of the sum.
  public var sum: Strip {
    get { strip(stripCount) }
    set { set(stripCount, newValue) }
  }

  /// Returns the levels of a strip, left and right.
  ///
  /// The levels are updated every four quanta.
  public func level(of index: Int) -> (left: Level, right: Level) {
    precondition((0..<stripCount).contains(index), "strip index out of range")
    return levels(index)
  }

  /// The levels of the sum, left and right.
  public var sumLevel: (left: Level, right: Level) { levels(stripCount) }

  private func levels(_ index: Int) -> (left: Level, right: Level) {
    (
      kernel.pointee.level(channel: 0, strip: index), kernel.pointee.level(channel: 1, strip: index)
    )
  }

  private func strip(_ index: Int) -> Strip {
    let value = { (place: MixerKernel.Place) in self.parameters[index * 5 + place.rawValue] }
    var strip = Strip()
    strip.gain = value(.gain)
    strip.pan = value(.pan)
    strip.law = laws[index]
    strip.isMuted = value(.mute) >= 0.5
    strip.isEnabled = value(.enable) >= 0.5
    strip.isSolo = value(.solo) >= 0.5
    return strip
  }

  private func set(_ index: Int, _ strip: Strip) {
    setLaw(strip.law, index)
    set(index, .gain, strip.gain)
    set(index, .pan, strip.pan)
    set(index, .mute, strip.isMuted ? 1 : 0)
    set(index, .enable, strip.isEnabled ? 1 : 0)
    set(index, .solo, strip.isSolo ? 1 : 0)
  }

  private func set(_ index: Int, _ place: MixerKernel.Place, _ value: Float) {
    let number = index * 5 + place.rawValue
    if parameters[number] != value { parameters.hold(number, to: value) }
  }

  private func setLaw(_ law: PanLaw, _ index: Int) {
    laws[index] = law
    kernel.pointee.setLaw(law, strip: index)
  }
}
