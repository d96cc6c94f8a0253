// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The system's words for an error number, the last one where none is named, in lower case and
/// without a stop.
package func systemMessage(_ code: Int32 = errno) -> String {
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text).lowercased()
}
