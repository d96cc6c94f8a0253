// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An amplifier driven too far: an overdrive that bends one half of the wave sooner, or a distortion
/// that clips both; with a low-pass behind it, as a loudspeaker is.
///
/// It works at four times the rate and is 32 frames late. Full scale stays about full scale.
///
/// - Note: Control side; the sound is made on the render thread.
public final class DriveUnit: SettableUnit, StereoEffect {
  /// The curve.
  public enum Kind: Sendable, CaseIterable {
    /// Soft, with even and odd overtones.
    case overdrive
    /// Clipped, with odd overtones only.
    case distortion
  }

  /// The parameters of a drive.
  public enum Setting: Int, Sendable {
    /// Gain before the curve, 0…60 dB; 18 at first.
    case drive
    /// Cutoff of the low-pass, 300…20 000 Hz, 12 dB an octave; 6000 at first.
    case tone
    /// Gain behind it, −40…12 dB; −6 at first.
    case output
    /// The share of the driven sound, 0…1; 1 at first.
    case mix
  }

  /// The curve.
  public let kind: Kind
  /// The frames of the filters that oversample.
  public var latency: Int { Oversampler.delay }
  /// Drive, tone, output and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<DriveKernel>

  /// Creates a drive.
  ///
  /// - Parameters:
  ///   - kind: its curve.
  ///   - name: what it is called in messages; nil for the kind's name.
  ///   - rate: frames a second.
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

  /// The drive's kernel.
  public var step: RenderStep { kernel.step }

  /// The frames for which its filters ring on.
  public var tail: Int { latency + 256 + Int(parameters.rate.hertz) / 10 }

  /// The settings from which a saved graph restores it.
  public var setup: UnitSetup? { UnitSetup("\(kind)", [:]) }
}
