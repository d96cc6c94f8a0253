// SPDX-License-Identifier: Apache-2.0
internal import CWholeFiles
internal import Glibc

/// What folders have that appear whole.
package enum WholeFolder {
  /// Gives a folder the name of another, which gets the first one's name, in one step where the
  /// file system has it.
  ///
  /// - Returns: the error number, or 0.
  package static func exchange(_ one: String, _ other: String) -> Int32 {
    switch unsafe cwholefiles_exchange(one, other) {
    case EINVAL, ENOSYS, EOPNOTSUPP:
      let aside = one + "-before"
      guard unsafe rename(other, aside) == 0 else { return errno }
      guard unsafe rename(one, other) == 0 else {
        let code = errno
        unsafe _ = rename(aside, other)
        return code
      }
      return unsafe rename(aside, one) == 0 ? 0 : errno
    case let code: return code
    }
  }
}
