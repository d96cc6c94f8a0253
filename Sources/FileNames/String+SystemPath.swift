// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Calls a closure with the bytes of a path, followed by a zero byte, as C functions need them.
  ///
  /// Use this function for every path that is passed to C. A string that is passed directly would
  /// name another file if the path is not UTF-8.
  ///
  /// - Parameter body: Called once; the pointer is valid until it returns.
  /// - Returns: The result of the closure.
  /// - Complexity: O(n) in the bytes.
  @safe
  package func withSystemPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    guard FileName.hasLooseBytes(self) else { return unsafe withCString(body) }
    let bytes = FileName.bytes(of: self).map(CChar.init(bitPattern:)) + [0]
    return unsafe body(bytes)
  }
}
