// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The overdrive or distortion of a guitar amplifier, followed by a low-pass like that of a
/// loudspeaker.
///
/// The overdrive bends one half of the wave earlier than the other; the distortion clips both. The
/// unit works at four times the sample rate and has a latency of 32 frames. The output of a
/// full-scale input is about full scale.
///
/// - Note: Use the unit on one thread at a time; the render thread processes the sound.
public final class DriveUnit: SettableUnit, StereoEffect {
  /// The kinds of distortion, which differ in their clipping curve.
  public enum Kind: Sendable, CaseIterable {
    /// Soft clipping, which adds even and odd overtones.
    case overdrive
    /// Hard clipping, which adds odd overtones only.
    case distortion
  }

  /// The parameters of a drive.
  public enum Setting: Int, Sendable {
    /// Gain before the clipping curve, 0…60 dB; default 18 dB.
    case drive
    /// Cutoff of the low-pass, 300…20 000 Hz, 12 dB per octave; default 6000 Hz.
    case tone
    /// Gain after the low-pass, −40…12 dB; default −6 dB.
    case output
    /// Share of the distorted sound in the output, 0…1; default 1, without the dry sound.
    case mix
  }

  /// The kind of distortion.
  public let kind: Kind
  /// The delay from input to output in frames, caused by the oversampling filters.
  public var latency: Int { Oversampler.delay }
  /// The parameters: drive, tone, output and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<DriveKernel>

  /// Creates a drive.
  ///
  /// - Parameters:
  ///   - kind: the kind of distortion.
  ///   - name: the unit's name, for messages and graphs; nil for the name of the kind.
  ///   - rate: the sample rate.
  public init(_ kind: Kind, name: String? = nil, rate: SampleRate) {
    let name = name ?? "\(kind)"
    self.kind = kind
    parameters = ParameterSet(
      [
        Parameter("drive", .decibels, 0...60, initially: 18, rampSeconds: 0.02),
        Parameter("tone", .hertz, 300...20_000, initially: 6000, rampSeconds: 0.05),
        Parameter("output", .decibels, -40...12, initially: -6, rampSeconds: 0.02),
        Parameter("mix", .factor, 0...1, initially: 1, rampSeconds: 0.02),
      ], rate: rate, unit: name)
    kernel = unsafe KernelBox(
      DriveKernel(kind, rate: rate, bank: parameters.bank), DriveKernel.function,
      clearing: DriveKernel.clearing)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// The number of frames for which the filters can continue to sound after the input is silent.
  public var tail: Int { latency + 256 + Int(parameters.rate.hertz) / 10 }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("\(kind)", [:]) }
}
