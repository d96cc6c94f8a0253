// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The system's message for an error number, by default `errno`, in lower case.
package func systemMessage(_ code: Int32 = errno) -> String {
  guard let text = unsafe strerror(code) else { return "error \(code)" }
  return unsafe String(cString: text).lowercased()
}
