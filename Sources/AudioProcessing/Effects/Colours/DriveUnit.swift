// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Overdrive or distortion of an amplifier, followed by the low-pass of a loudspeaker.
///
/// The overdrive bends one half of the wave earlier than the other; the distortion clips both. The
/// unit works at four times the sample rate and has a latency of 32 frames. A full-scale input
/// gives about a full-scale output.
///
/// - Note: Use it on one thread at a time; the render thread processes the sound.
public final class DriveUnit: SettableUnit, StereoEffect {
  /// The curve of the drive.
  public enum Kind: Sendable, CaseIterable {
    /// Soft clipping, with even and odd overtones.
    case overdrive
    /// Hard clipping, with odd overtones only.
    case distortion
  }

  /// The parameters of a drive.
  public enum Setting: Int, Sendable {
    /// Gain before the curve, 0…60 dB; default 18 dB.
    case drive
    /// Cutoff of the low-pass, 300…20 000 Hz, 12 dB per octave; default 6000 Hz.
    case tone
    /// Gain after the low-pass, −40…12 dB; default −6 dB.
    case output
    /// Share of the driven sound, 0…1; default 1.
    case mix
  }

  /// The curve of the drive.
  public let kind: Kind
  /// The delay of the oversampling filters, in frames.
  public var latency: Int { Oversampler.delay }
  /// Drive, tone, output and mix.
  public let parameters: ParameterSet
  private let kernel: KernelBox<DriveKernel>

  /// Creates a drive.
  ///
  /// - Parameters:
  ///   - kind: the curve.
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

  /// The kernel and its render function.
  public var step: RenderStep { kernel.step }

  /// The frames for which the filters continue to sound.
  public var tail: Int { latency + 256 + Int(parameters.rate.hertz) / 10 }

  /// The settings from which a saved graph restores the unit.
  public var setup: UnitSetup? { UnitSetup("\(kind)", [:]) }
}
