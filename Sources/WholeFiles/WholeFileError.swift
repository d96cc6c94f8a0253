// SPDX-License-Identifier: Apache-2.0

/// Why a file cannot take its name.
package enum WholeFileError: Error, Hashable, Sendable {
  /// A file has the name already and is not to be replaced.
  case exists
  /// A folder, a device or a pipe has the name.
  case notRegularFile
  /// The name is a link that leads nowhere.
  case dangling
  /// The file or its folder cannot be written to; the payload is an error number.
  case refused(Int32)
}
