// SPDX-License-Identifier: Apache-2.0
internal import SystemPackages

/// What can go wrong where a picture becomes pixels.
package enum CairoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// libcairo is not on this machine.
  case libraryMissing
  /// It would not draw: its own words.
  case refused(reason: String)

  /// The sentence for the user.
  package var description: String {
    switch self {
    case .libraryMissing:
      "libcairo: not installed (\(SystemPackage.cairo.installation()), or end the name of"
        + " the picture in .svg)"
    case .refused(let reason): "libcairo: \(reason)"
    }
  }
}
