// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Bands that raise and lower parts of the spectrum, one after the other.
///
/// A peaking band or a shelf at 0 dB leaves the sound alone, bit for bit. Each band has three
/// parameters, which tracks can move: those of band n have the number 3n plus that of the setting.
///
/// - Note: Control side; the sound is made on the render thread.
/// Source: R. Bristow-Johnson, Cookbook formulae for audio EQ biquad filter coefficients.
public final class EqualizerUnit: ParametricUnit, SavableUnit {
  /// What a band does.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// Raises or lowers what is around its frequency.
    case peaking
    /// Raises or lowers what is below.
    case lowShelf
    /// Raises or lowers what is above.
    case highShelf
    /// Takes away what is above, 12 dB an octave.
    case lowPass
    /// Takes away what is below, 12 dB an octave.
    case highPass
    /// Removes a narrow band around its frequency.
    case notch
  }

  /// The parameters of a band.
  public enum Setting: Int, Sendable, CaseIterable {
    /// The middle of a peak or slope, 10 Hz to 0.49 of the rate; 1000 Hz at first.
    case frequency
    /// How much a peak or shelf raises, −24…24 dB; 0 at first. The other kinds have none.
    case gain
    /// Q, how narrow the band is, 0.1…30; 0.7071 at first.
    case quality
  }

  /// The bands of a spectrum, in hertz, as the SC-88Pro has them.
  package static let spectrumHertz: [Float] = [250, 500, 1000, 1250, 2000, 3150, 4000, 8000]

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// What each band does.
  public let bands: [Kind]
  /// One bus.
  public let inputChannelCounts: [Int]
  /// One bus.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// Three parameters a band.
  public let parameters: ParameterSet
  private let kernel: KernelBox<EqualizerKernel>

  /// Creates an equaliser that leaves the sound alone until a band is set.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - bands: what each band does, 1…64.
  ///   - channelCount: the channels of its bus.
  ///   - rate: frames a second.
  public init(
    name: String = "equaliser", bands: [Kind], channelCount: Int = 2, rate: SampleRate
  ) {
    precondition((1...64).contains(bands.count), "an equaliser has 1 to 64 bands")
    self.name = name
    self.rate = rate
    self.bands = bands
    inputChannelCounts = [channelCount]
    parameters = ParameterSet(
      (1...bands.count).flatMap { Self.parameters("band \($0) ", rate) }, rate: rate, unit: name,
      stride: 3)
    kernel = unsafe KernelBox(
      EqualizerKernel(
        bands: bands, channelCount: channelCount, rate: rate, bank: parameters.bank),
      EqualizerKernel.function, clearing: EqualizerKernel.clearing)
  }

  private static func parameters(_ band: String, _ rate: SampleRate) -> [Parameter] {
    let highest = Float(rate.hertz) * 0.49
    return [
      Parameter(
        band + "frequency", .hertz, min(10, highest)...highest, initially: min(1000, highest),
        rampSeconds: 0.02),
      Parameter(band + "gain", .decibels, -24...24, initially: 0, rampSeconds: 0.02),
      Parameter(band + "quality", .number, 0.1...30, initially: 0.70710678, rampSeconds: 0.02),
    ]
  }

  /// The equaliser's kernel.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? {
    UnitSetup(
      "equaliser",
      ["bands": .words(bands.map { "\($0)" }), "channels": .count(inputChannelCounts[0])])
  }

  /// The value that a parameter of a band has or moves to; what is set is held within its range.
  public subscript(band: Int, setting: Setting) -> Float {
    get { parameters[band * 3 + setting.rawValue] }
    set { parameters.hold(band * 3 + setting.rawValue, to: newValue) }
  }
}
