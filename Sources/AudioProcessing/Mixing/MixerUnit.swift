// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Adds strips to one stereo bus: gain, pan, mute, enable, solo and a meter for each.
///
/// A strip is stereo or mono. A change is reached in 5 ms in a straight line, so that nothing
/// clicks. A strip's meter stands behind its gain. Each strip has five parameters, which tracks can
/// move: those of strip n have the numbers 5n for gain, 5n + 1 for pan, 5n + 2 for mute, 5n + 3 for
/// enable and 5n + 4 for solo; the sum's follow the last strip's.
///
/// - Note: Control side; the sound is made on the render thread.
@safe
public final class MixerUnit: ParametricUnit, SavableUnit {
  /// What the control side has set for a strip.
  public struct Strip: Hashable, Sendable {
    /// A linear factor, 0…16 (+24 dB), held within that range; 1 leaves the signal alone; 1 by
    /// default.
    public var gain: Float = 1 {
      didSet { gain = gain.isNaN ? 0 : min(16, max(0, gain)) }
    }
    /// Where the sound stands, −1 (left) to 1 (right), held within that range; 0 is the middle; 0
    /// by default.
    public var pan: Float = 0 {
      didSet { pan = pan.isNaN ? 0 : min(1, max(-1, pan)) }
    }
    /// How pan becomes two gains; `balance` by default.
    public var law: PanLaw = .balance
    /// Whether the strip is silent; false by default.
    public var isMuted = false
    /// Whether the strip takes part at all; true by default.
    public var isEnabled = true
    /// Whether the strip is solo: as soon as one is, only strips that are solo are heard; false by
    /// default.
    public var isSolo = false
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The number of strips.
  public let stripCount: Int
  /// Frames a second.
  public let rate: SampleRate?
  /// The channels of each strip, 1 or 2.
  public let inputChannelCounts: [Int]
  /// Five parameters a strip, then the sum's.
  public let parameters: ParameterSet
  private let kernel: KernelBox<MixerKernel>
  private var laws: [PanLaw]
  private let trim: Float

  /// Creates a mixer whose strips all stand at gain 1, in the middle.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - stripCount: the number of stereo inputs, 1…1024.
  ///   - rate: frames a second.
  public convenience init(name: String = "mixer", stripCount: Int, rate: SampleRate) {
    self.init(name: name, channelCounts: Array(repeating: 2, count: stripCount), rate: rate)
  }

  /// Creates a mixer of mono and stereo strips, at gain 1, in the middle.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCounts: 1 or 2 for each strip, of which there are 1…1024.
  ///   - law: how the strips' pan becomes gains.
  ///   - trim: a fixed linear factor on the sum.
  ///   - rate: frames a second.
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

  /// One stereo bus: the sum.
  public var outputChannelCounts: [Int] { [2] }

  /// A strip on which nothing is connected is silent.
  public var acceptsOpenInputs: Bool { true }

  /// The mixer's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup(
      "mixer",
      [
        "strips": .counts(inputChannelCounts), "trim": .number(Double(trim)),
        "laws": .words(laws.dropLast().map { "\($0)" }),
      ])
  }

  /// A strip, counted from 0.
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

  /// The strip that the sum goes through.
  public var sum: Strip {
    get { strip(stripCount) }
    set { set(stripCount, newValue) }
  }

  /// What a strip's meter shows, left and right; it is brought up to date every four quanta.
  public func level(of index: Int) -> (left: Level, right: Level) {
    precondition((0..<stripCount).contains(index), "strip index out of range")
    return levels(index)
  }

  /// What the meter of the sum shows, left and right.
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
