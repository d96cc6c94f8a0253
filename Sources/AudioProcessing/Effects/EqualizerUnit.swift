// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Equaliser with 1 to 64 bands in series.
///
/// A peaking band or shelf at 0 dB passes the sound unchanged, bit for bit. Each band has three
/// parameters, which tracks can automate. The index of a parameter of band n (from 0) is 3n plus
/// the raw value of `Setting`.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound. Source: R.
///   Bristow-Johnson, Cookbook formulae for audio EQ biquad filter coefficients.
public final class EqualizerUnit: ParametricUnit, SavableUnit {
  /// The kinds of filters that a band can be.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// Raises or lowers the frequencies around the band's frequency.
    case peaking
    /// Raises or lowers the frequencies below the band's frequency.
    case lowShelf
    /// Raises or lowers the frequencies above the band's frequency.
    case highShelf
    /// Attenuates the frequencies above the band's frequency, by 12 dB per octave.
    case lowPass
    /// Attenuates the frequencies below the band's frequency, by 12 dB per octave.
    case highPass
    /// Removes a narrow range of frequencies around the band's frequency.
    case notch
    /// Attenuates the frequencies on both sides of the band's frequency, whose level is unchanged.
    case bandPass
  }

  /// The parameters of a band.
  public enum Setting: Int, Sendable, CaseIterable {
    /// Frequency of the band (the centre of a peak, or the cutoff of a slope), from 10 Hz to 0.49
    /// of the sample rate; default 1000 Hz.
    case frequency
    /// Gain of a peak or shelf, from `leastGain` to 24 dB; default 0 dB.
    ///
    /// The other kinds of filters ignore the gain.
    case gain
    /// Q: the higher, the narrower the band; 0.1…30; default 0.7071.
    case quality
  }

  /// The bands of the "spectrum" effect of the SC-88Pro, in hertz.
  package static let spectrumHertz: [Float] = [250, 500, 1000, 1250, 2000, 3150, 4000, 8000]

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The kind of filter of each band, in the order of processing.
  public let bands: [Kind]
  /// The lowest gain that a band can have, in decibels.
  public let leastGain: Float
  /// The channel count of each input: the unit has one input bus.
  public let inputChannelCounts: [Int]
  /// The channel count of each output: one bus, with as many channels as the input.
  public var outputChannelCounts: [Int] { inputChannelCounts }
  /// Three parameters for each band: frequency, gain and quality.
  public let parameters: ParameterSet
  private let kernel: KernelBox<EqualizerKernel>

  /// Creates an equaliser whose peaks and shelves have a gain of 0 dB.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - bands: the filter of each band, 1…64 bands.
  ///   - channelCount: the number of channels.
  ///   - leastGain: the lowest gain that a band can have, −96…0 dB; default −24 dB.
  ///   - rate: the sample rate.
  public init(
    name: String = "equaliser", bands: [Kind], channelCount: Int = 2, leastGain: Float = -24,
    rate: SampleRate
  ) {
    precondition((1...64).contains(bands.count), "an equaliser has 1 to 64 bands")
    precondition((-96...0).contains(leastGain), "the lowest gain must be -96 to 0 dB")
    self.name = name
    self.rate = rate
    self.bands = bands
    self.leastGain = leastGain
    inputChannelCounts = [channelCount]
    parameters = ParameterSet(
      (1...bands.count).flatMap { Self.parameters("band \($0) ", leastGain, rate) }, rate: rate,
      unit: name, stride: 3)
    kernel = unsafe KernelBox(
      EqualizerKernel(
        bands: bands, channelCount: channelCount, rate: rate, bank: parameters.bank),
      EqualizerKernel.function, clearing: EqualizerKernel.clearing)
  }

  private static func parameters(
    _ band: String, _ leastGain: Float, _ rate: SampleRate
  ) -> [Parameter] {
    let highest = Float(rate.hertz) * 0.49
    return [
      Parameter(
        band + "frequency", .hertz, min(10, highest)...highest, initially: min(1000, highest),
        rampSeconds: 0.02),
      Parameter(band + "gain", .decibels, leastGain...24, initially: 0, rampSeconds: 0.02),
      Parameter(band + "quality", .number, 0.1...30, initially: 0.70710678, rampSeconds: 0.02),
    ]
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? {
    var values: [String: UnitSetup.Value] = [
      "bands": .words(bands.map { "\($0)" }), "channels": .count(inputChannelCounts[0]),
    ]
    if leastGain != -24 { values["leastGain"] = .number(Double(leastGain)) }
    return UnitSetup("equaliser", values)
  }

  /// The value of a band's parameter; during a change, the value at the end of the change.
  ///
  /// New values are limited to the parameter's range.
  public subscript(band: Int, setting: Setting) -> Float {
    get { parameters[band * 3 + setting.rawValue] }
    set { parameters.hold(band * 3 + setting.rawValue, to: newValue) }
  }
}
