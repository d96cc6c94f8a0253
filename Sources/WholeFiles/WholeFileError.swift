// SPDX-License-Identifier: Apache-2.0

/// Why a file got no name.
package enum WholeFileError: Error, Hashable, Sendable {
  /// Something has the name, and is not to be replaced.
  case exists
  /// A folder, a device or a pipe has the name.
  case notRegularFile
  /// The name is a link that leads nowhere.
  case dangling
  /// The file or its folder cannot be written to; the error number.
  case refused(Int32)
}
