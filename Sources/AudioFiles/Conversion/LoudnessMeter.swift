// SPDX-License-Identifier: Apache-2.0
internal import CEBUR128
public import MusicalTime

/// Measures loudness by ITU-R BS.1770-4 and EBU R 128, with libebur128.
///
/// - Note: Not real-time safe. Use from one thread at a time.
@safe
public final class LoudnessMeter {
  private let library: UnsafePointer<CEBUR128Table>
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int

  /// Creates a meter without measured sound.
  ///
  /// - Parameters:
  ///   - channelCount: The number of channels, 1…6, in the order of
  ///     ``ChannelLayout/usual(channelCount:)``. The low-frequency channel is ignored, and rear
  ///     channels are weighted by +1.5 dB.
  ///   - rate: The sample rate.
  ///   - findsPeaks: True to measure `truePeak`, which needs most of the processing time.
  ///   - followsMoments: True to measure `shortTerm`.
  /// - Throws: `SoundFileError.meterMissing` if libebur128 is not installed.
  public init(
    channelCount: Int, rate: SampleRate, findsPeaks: Bool = true, followsMoments: Bool = false
  ) throws(SoundFileError) {
    let peaks = findsPeaks ? EBUR128_MODE_TRUE_PEAK.rawValue : 0
    let moments = followsMoments ? EBUR128_MODE_S.rawValue : 0
    let modes = Int32(
      EBUR128_MODE_I.rawValue | EBUR128_MODE_SAMPLE_PEAK.rawValue | peaks | moments)
    guard let library = unsafe cebur128_table(),
      let state = unsafe library.pointee.`init`(UInt32(channelCount), UInt(rate.hertz), modes)
    else { throw .meterMissing }
    unsafe self.library = library
    unsafe self.state = state
    self.channelCount = channelCount
  }

  deinit {
    unsafe library.pointee.destroy(&state)
  }

  /// Adds interleaved samples to the measurement.
  ///
  /// - Complexity: O(n).
  public func measure(_ samples: Span<Float>) {
    unsafe samples.withUnsafeBufferPointer {
      _ = unsafe library.pointee.add_frames_float(state, $0.baseAddress, $0.count / channelCount)
    }
  }

  /// The integrated loudness of all measured sound, in LUFS; nil if all sound is below the gate
  /// (−70 LUFS).
  public var integrated: Double? {
    var loudness = 0.0
    let code = unsafe library.pointee.loudness_global(state, &loudness)
    return code == 0 && loudness.isFinite ? loudness : nil
  }

  /// The loudness of the last 400 ms, in LUFS; −infinity for silence.
  public var momentary: Double {
    var loudness = -Double.infinity
    _ = unsafe library.pointee.loudness_momentary(state, &loudness)
    return loudness
  }

  /// The loudness of the last 3 s, in LUFS; −infinity for silence, or if the meter was created
  /// without `followsMoments`.
  public var shortTerm: Double {
    var loudness = -Double.infinity
    _ = unsafe library.pointee.loudness_shortterm(state, &loudness)
    return loudness
  }

  /// The highest absolute sample of all channels; full scale is 1.
  public var samplePeak: Double {
    highest { unsafe library.pointee.sample_peak(state, $0, &$1) }
  }

  /// The highest peak between samples (true peak) of all channels; full scale is 1.
  ///
  /// The value is 0 if the meter was created without `findsPeaks`.
  public var truePeak: Double {
    highest { unsafe library.pointee.true_peak(state, $0, &$1) }
  }

  /// The highest of the values that a library function returns for the channels.
  private func highest(_ tell: (UInt32, inout Double) -> Int32) -> Double {
    (0..<channelCount).reduce(0) { highest, channel in
      var peak = 0.0
      return tell(UInt32(channel), &peak) == 0 ? max(highest, peak) : highest
    }
  }
}
