// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

/// The interpolation between the frames of a sample.
package enum VoiceQuality: Sendable {
  /// A cubic through four frames.
  case usual
  /// A windowed sinc of 32 frames, which needs several times the work.
  case best

  /// The shared tables of the sincs, computed at the first use; nil if they are not needed.
  ///
  /// - Note: The first use takes about 20 ms.
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
