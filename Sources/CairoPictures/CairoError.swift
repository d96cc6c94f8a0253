// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages

/// An error when drawing a picture with libcairo.
package enum CairoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libcairo is not installed.
  case libraryMissing
  /// libcairo failed; `reason` is its message.
  case refused(reason: String)

  /// The message for the user.
  package var description: String {
    switch self {
    case .libraryMissing:
      "libcairo: not installed (\(SystemPackage.cairo.installation()), or end the name of"
        + " the picture in .svg)"
    case .refused(let reason): "libcairo: \(reason)"
    }
  }
}
