// SPDX-License-Identifier: Apache-2.0

/// An error when a file gets its name.
package enum WholeFileError: Error, Hashable, Sendable {
  /// A file with the name exists and must not be replaced.
  case exists
  /// The name is that of a folder, a device or a pipe.
  case notRegularFile
  /// The name is a symbolic link to a file that does not exist.
  case dangling
  /// The file or its folder cannot be written; the payload is an error number.
  case refused(Int32)
}
