// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

/// How voices read between the frames of a sample.
package enum VoiceQuality: Sendable {
  /// A cubic through four frames.
  case usual
  /// A windowed sinc of 32 frames, at several times the cost.
  case best

  /// The tables of the sincs, made once for all; nil if they are not needed.
  ///
  /// - Note: Takes some 20 ms the first time.
  var kernels: UnsafePointer<CVoiceKernels>? {
    switch self {
    case .usual: nil
    case .best: unsafe UnsafePointer(Self.shared)
    }
  }

  nonisolated(unsafe) private static let shared: UnsafeMutablePointer<CVoiceKernels> = {
    let kernels = UnsafeMutablePointer<CVoiceKernels>.allocate(capacity: 1)
    unsafe cvoices_fill_kernels(kernels)
    return unsafe kernels
  }()
}
