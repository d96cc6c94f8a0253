// SPDX-License-Identifier: Apache-2.0
internal import CEBUR128
public import MusicalTime

/// Measures how loud a sound is, as ITU-R BS.1770-4 and EBU R 128 say, by libebur128.
///
/// - Note: Not real-time safe. One thread at a time.
@safe
public final class LoudnessMeter {
  private let library: UnsafePointer<CEBUR128Table>
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int

  /// Creates a meter that has heard nothing.
  ///
  /// - Parameters:
  ///   - channelCount: the samples in a frame, 1…6, in the usual order: of 5.1 the low-frequency
  ///     effects are not counted, and what is behind the listener counts 1.5 dB more.
  ///   - rate: frames a second.
  ///   - findsPeaks: whether `truePeak` is asked for, which takes most of the work.
  ///   - followsMoments: whether `momentary` and `shortTerm` are asked for.
  /// - Throws: `SoundFileError.meterMissing` where libebur128 is not installed.
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

  /// Measures interleaved samples.
  ///
  /// - Complexity: O(n).
  public func measure(_ samples: Span<Float>) {
    unsafe samples.withUnsafeBufferPointer {
      _ = unsafe library.pointee.add_frames_float(state, $0.baseAddress, $0.count / channelCount)
    }
  }

  /// The loudness of all that was heard, in LUFS; nil where nothing was above the gate.
  public var integrated: Double? {
    var loudness = 0.0
    let code = unsafe library.pointee.loudness_global(state, &loudness)
    return code == 0 && loudness.isFinite ? loudness : nil
  }

  /// The loudness of the last 400 ms, in LUFS; minus infinity for silence.
  public var momentary: Double {
    var loudness = -Double.infinity
    _ = unsafe library.pointee.loudness_momentary(state, &loudness)
    return loudness
  }

  /// The loudness of the last three seconds, in LUFS; minus infinity for silence, and for a meter
  /// that does not follow moments.
  public var shortTerm: Double {
    var loudness = -Double.infinity
    _ = unsafe library.pointee.loudness_shortterm(state, &loudness)
    return loudness
  }

  /// The highest sample of all channels, as a factor of full scale.
  public var samplePeak: Double {
    highest { unsafe library.pointee.sample_peak(state, $0, &$1) }
  }

  /// The highest peak between the samples, of all channels, as a factor of full scale; 0 for a
  /// meter that does not find peaks.
  public var truePeak: Double {
    highest { unsafe library.pointee.true_peak(state, $0, &$1) }
  }

  /// The highest of what the library tells of each channel, with a status of its own.
  private func highest(_ tell: (UInt32, inout Double) -> Int32) -> Double {
    (0..<channelCount).reduce(0) { highest, channel in
      var peak = 0.0
      return tell(UInt32(channel), &peak) == 0 ? max(highest, peak) : highest
    }
  }
}
